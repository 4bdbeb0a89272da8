import { describe, expect, it } from 'vitest'
import { cdmFolder, document, entityDocument, entityOf, manifest, table } from '../testing/cdm-folder.ts'
import type { ImportedEntity, ImportedModel } from '../imported-model.ts'
import { readCdm } from './read.ts'

describe('reading data types and attributes of CDM documents', () => {
  it('FORMAT §4: standard types are read without the standard documents, with the format that refines them', () => {
    const types = {
      boolean: ['boolean', null],
      integer: ['integer', 'int32'],
      smallInteger: ['integer', 'int16'],
      bigInteger: ['integer', 'int64'],
      cdsVersionNumber: ['integer', 'int64'],
      year: ['integer', 'int32'],
      float: ['float', null],
      double: ['double', null],
      kilowatt: ['double', null],
      currency: ['double', 'decimal'],
      date: ['dateTime', 'date'],
      time: ['dateTime', 'time'],
      dateTimeOffset: ['dateTime', 'instant'],
      object: ['object', null],
      any: ['object', null],
      json: ['object', 'json'],
      image: ['object', 'binary'],
      string: ['string', null],
      entityId: ['string', 'guid'],
      email: ['string', null],
      listLookupMultiple: ['string', null],
    }
    const attributes = Object.keys(types).map(type => ({ name: `a_${type}`, dataType: type }))
    const { entity, model } = readOne(attributes)
    expect(entity.typeAttributes.map(({ name, dataType, format }) => [name, dataType, format])).toEqual(
      Object.entries(types).map(([name, [dataType, format]]) => [`a_${name}`, dataType, format]),
    )
    expect(model.report).toEqual([])
  })

  it('types defined in the folder are resolved and take precedence over standard ones of the same name', () => {
    const model = readCdm(
      cdmFolder({
        'm.manifest.cdm.json': manifest('Model', ['Aa.cdm.json/Aa']),
        'Aa.cdm.json': document([
          {
            entityName: 'Aa',
            hasAttributes: [
              { name: 'rec', dataType: 'RecId' },
              { name: 'date', dataType: 'date' },
            ],
          },
          { dataTypeName: 'RecId', extendsDataType: { dataTypeReference: 'Base' } },
          { dataTypeName: 'Base', extendsDataType: 'bigInteger' },
          { dataTypeName: 'date', extendsDataType: 'string' },
        ]),
      }),
    )
    expect(entityOf(model, 'Aa').typeAttributes).toMatchObject([
      { name: 'rec', dataType: 'integer', format: 'int64' },
      { name: 'date', dataType: 'string', format: null },
    ])
  })

  it('FORMAT §4: an undefined or missing type is read as string and reported; a resolved document has only the format', () => {
    const { entity, model } = readOne([
      { name: 'odd', dataType: 'nothingKnown' },
      { name: 'none' },
      { name: 'resolved', dataFormat: 'Int64' },
    ])
    expect(entity.typeAttributes).toMatchObject([
      { name: 'odd', dataType: 'string' },
      { name: 'none', dataType: 'string' },
      { name: 'resolved', dataType: 'integer', format: 'int64' },
    ])
    expect(model.report).toEqual([
      {
        level: 'warning',
        kind: 'changed',
        path: 'Aa.cdm.json/Aa/odd',
        message: 'Its data type "nothingKnown" is not defined; it was read as a string.',
      },
      {
        level: 'warning',
        kind: 'changed',
        path: 'Aa.cdm.json/Aa/none',
        message: 'It has no data type; it was read as a string.',
      },
    ])
  })

  it('key, nullability, length, description, default, traits and order of attributes are read', () => {
    const { entity } = readOne([
      { name: 'code', dataType: 'string', appliedTraits: [{ traitReference: 'is.identifiedBy' }], maximumLength: '10' },
      {
        name: 'note',
        dataType: 'string',
        isNullable: true,
        description: 'Free text.',
        defaultValue: 'none',
        purpose: 'createdOn',
      },
      {
        name: 'size',
        dataType: 'integer',
        maximumLength: 5,
        appliedTraits: ['is.CDS.standard'],
        displayName: 'The size',
      },
      { name: 'price', dataType: { dataTypeReference: 'decimal', appliedTraits: [shaped('19', '4')] } },
      {
        name: 'short',
        dataType: 'string',
        appliedTraits: [{ traitReference: 'is.constrained', arguments: [{ name: 'maximumLength', value: 7 }] }],
      },
    ])
    expect(entity.typeAttributes).toMatchObject([
      { name: 'code', purpose: 'identifiedBy', nullable: false, maxLength: 10, position: 0 },
      {
        name: 'note',
        purpose: 'hasA',
        nullable: true,
        maxLength: null,
        description: 'Free text.',
        defaultValue: 'none',
        position: 1,
      },
      { name: 'size', maxLength: null, position: 2 },
      { name: 'price', dataType: 'double', format: 'decimal', precision: 19, scale: 4 },
      { name: 'short', maxLength: 7 },
    ])
    expect(entity.typeAttributes[2]?.traits).toEqual([
      { traitReference: 'is.localized.displayedAs', arguments: [table('localizedTable', [['en', 'The size']])] },
      'is.CDS.standard',
    ])
  })

  it('texts of entity and attribute come from the property, else from the trait: English first', () => {
    const described = (rows: string[][]) => [
      { traitReference: 'is.localized.describedAs', arguments: [table('localizedTable', rows)] },
    ]
    const { entity } = readOne(
      [
        { name: 'both', dataType: 'string', description: 'Plain.', appliedTraits: described([['en', 'Trait.']]) },
        {
          name: 'trait',
          dataType: 'string',
          appliedTraits: described([
            ['de', 'Deutsch.'],
            ['en-GB', 'English.'],
          ]),
        },
      ],
      {
        exhibitsTraits: described([
          ['fr', 'Premier.'],
          ['de', 'Zweiter.'],
        ]),
      },
    )
    expect(entity.description).toBe('Premier.')
    expect(entity.typeAttributes.map(attribute => attribute.description)).toEqual(['Plain.', 'English.'])
    expect(entity.traits).toEqual([])
  })

  it('properties that the model cannot express are kept as traits, and losses are reported', () => {
    const { entity, model } = readOne(
      [
        { name: 'fixed', dataType: 'integer', isReadOnly: true, minimumValue: 0, maximumValue: '9' },
        { name: 'named', dataType: 'string', sourceName: 'other_name' },
      ],
      { displayName: 'An entity', version: '1.3' },
    )
    expect(entity.traits).toEqual([
      { traitReference: 'is.localized.displayedAs', arguments: [table('localizedTable', [['en', 'An entity']])] },
      { traitReference: 'is.CDM.entityVersion', arguments: [{ name: 'versionNumber', value: '1.3' }] },
    ])
    expect(entity.typeAttributes[0]?.traits).toEqual([
      'is.readOnly',
      {
        traitReference: 'is.constrained',
        arguments: [
          { name: 'minimumValue', value: 0 },
          { name: 'maximumValue', value: '9' },
        ],
      },
    ])
    expect(model.report.map(line => line.message)).toEqual([
      'The source name (sourceName) of one attribute was not imported.',
    ])
  })

  it('value lists are read in every form; values are stored, texts are kept as a trait', () => {
    const rows = [
      ['en', 'Hard', '1', '0'],
      ['de', 'Fest', '1', '0'],
      ['en', 'Soft', '2', '1'],
      ['en', 'Soft', '2', '2'],
    ]
    const lists = [
      {
        dataType: {
          dataTypeReference: 'listLookup',
          appliedTraits: [{ traitReference: 'does.haveDefault', arguments: [table('listLookupValues', rows)] }],
        },
      },
      {
        dataType: 'listLookup',
        appliedTraits: [
          {
            traitReference: 'is.constrainedList',
            arguments: [{ name: 'defaultList', value: table('listLookupValues', rows) }],
          },
        ],
      },
      {
        dataType: {
          dataTypeReference: 'listLookup',
          appliedTraits: [{ traitReference: 'does.haveDefault', arguments: [{ entityReference: 'Covers' }] }],
        },
      },
      {
        dataType: 'integer',
        valueConstrainedToList: true,
        defaultValue: [
          { languageTag: 'en', displayText: 'Hard', attributeValue: 1 },
          { languageTag: 'en', displayText: 'Soft', attributeValue: '2' },
        ],
      },
    ]
    const attributes = lists.map((list, index) => ({ name: `list_${index}`, ...list }))
    const covers = { constantEntityName: 'Covers', entityShape: 'listLookupValues', constantValues: rows }
    const model = readCdm(
      cdmFolder({
        'm.manifest.cdm.json': manifest('Model', ['Aa.cdm.json/Aa']),
        'Aa.cdm.json': document([covers, { entityName: 'Aa', hasAttributes: attributes }]),
      }),
    )
    const read = entityOf(model, 'Aa').typeAttributes
    expect(read.map(({ name }) => name)).toEqual(attributes.map(({ name }) => name))
    for (const attribute of read) {
      expect(attribute).toMatchObject({ dataType: 'integer', choices: ['1', '2'], defaultValue: null })
      expect(JSON.stringify(attribute.traits)).toContain('"Hard","1"')
    }
  })
})

function readOne(
  hasAttributes: unknown[],
  more: Record<string, unknown> = {},
): { entity: ImportedEntity; model: ImportedModel } {
  const model = readCdm(
    cdmFolder({
      'm.manifest.cdm.json': manifest('Model', ['Aa.cdm.json/Aa']),
      'Aa.cdm.json': entityDocument('Aa', hasAttributes, more),
    }),
  )
  return { entity: entityOf(model, 'Aa'), model }
}

function shaped(precision: string, scale: string) {
  return {
    traitReference: 'is.dataFormat.numeric.shaped',
    arguments: [
      { name: 'precision', value: precision },
      { name: 'scale', value: scale },
    ],
  }
}
