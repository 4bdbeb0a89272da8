import { describe, expect, it } from 'vitest'
import { cdmFolder, document, entityDocument, entityOf, guided, key, manifest } from '../testing/cdm-folder.ts'
import { readCdm } from './read.ts'

type Json = Record<string, unknown>

function read(entity: Json, more: Json = {}) {
  const model = readCdm(
    cdmFolder({
      'm.manifest.cdm.json': manifest('Model', ['Person.cdm.json/Person', 'Thing.cdm.json/Thing'], more),
      'Person.cdm.json': entityDocument('Person', [key('personId', 'integer')]),
      'Thing.cdm.json': entity,
    }),
  )
  return { entity: entityOf(model, 'Thing'), report: model.report.map(line => `${line.path}: ${line.message}`) }
}

function readThing(members: unknown, definitions: Json[] = []) {
  const entity = { entityName: 'Thing', extendsEntity: 'CdmEntity', hasAttributes: members }
  return read(document([...definitions, entity], ['Person.cdm.json']))
}

const at = 'Thing.cdm.json/Thing'
const choice = (attributeValue: unknown, displayText = 'text') => ({ languageTag: 'en', displayText, attributeValue })
const listed = (...defaultValue: Json[]) => ({
  name: 'state',
  dataType: 'string',
  valueConstrainedToList: true,
  defaultValue,
})

describe('values in a CDM document are imported unchanged or reported', () => {
  it('numbers that exceed floating-point precision are not rounded', () => {
    const numbers = {
      whole: '-9007199254740993',
      broken: '0.12345678901234567890123',
      large: '100000000000000000000000',
      short: '1.5',
    }
    const text = Object.entries(numbers).reduce(
      (json, [name, number]) => json.replace(`"@${name}"`, number),
      JSON.stringify(
        document([
          {
            entityName: 'Thing',
            hasAttributes: Object.keys(numbers).map(name => ({ name, dataType: 'decimal', defaultValue: `@${name}` })),
          },
        ]),
      ),
    )
    const files = cdmFolder({ 'm.manifest.cdm.json': manifest('Model', ['Thing.cdm.json/Thing']) })
    const model = readCdm(files.set('Thing.cdm.json', text))
    expect(entityOf(model, 'Thing').typeAttributes.map(attribute => attribute.defaultValue)).toEqual(
      Object.values(numbers),
    )
  })

  it('a blank choice, or one that differs only in whitespace, is dropped and reported', () => {
    const { entity, report } = readThing([
      listed(choice('', 'None'), choice('A'), choice(' A'), choice('B'), choice('B')),
    ])
    expect(entity.typeAttributes[0]?.choices).toEqual([' A', 'B'])
    expect(report).toEqual([
      `${at}/state: 2 choices are blank, or a duplicate apart from spaces; left out, such as "".`,
    ])
  })

  it('a maximum length of a type other than string is dropped and reported', () => {
    const { entity, report } = readThing([{ name: 'photo', dataType: 'binary', maximumLength: 5 }])
    expect(entity.typeAttributes).toMatchObject([{ maxLength: null }])
    expect(report).toEqual([`${at}/photo: Its maximum length 5 was left out: only a string has one.`])
  })

  it('bounds stated only as properties are stored in the existing length trait', () => {
    const length = { name: 'maximumLength', value: 5 }
    const appliedTraits = [{ traitReference: 'is.constrained', arguments: [length] }]
    const { entity } = readThing([
      { name: 'amount', dataType: 'string', minimumValue: '0', maximumValue: '10', appliedTraits },
    ])
    const bounds = [
      { name: 'minimumValue', value: '0' },
      { name: 'maximumValue', value: '10' },
    ]
    expect(entity.typeAttributes).toMatchObject([
      { traits: [{ traitReference: 'is.constrained', arguments: [length, ...bounds] }] },
    ])
  })

  it('a later definition of an attribute adds its traits to the earlier definition', () => {
    const parent = {
      entityName: 'Parent',
      hasAttributes: [{ name: 'note', dataType: 'string', appliedTraits: ['is.first', { traitReference: 'is.both' }] }],
    }
    const { entity } = read(
      document([
        parent,
        {
          entityName: 'Thing',
          extendsEntity: 'Parent',
          hasAttributes: [{ name: 'note', appliedTraits: ['is.both', 'is.second'] }],
        },
      ]),
    )
    expect(entity.typeAttributes).toMatchObject([{ traits: ['is.first', 'is.both', 'is.second'] }])
  })

  it('the explanation becomes the description if there is no other', () => {
    const { entity } = read(
      document([
        {
          entityName: 'Thing',
          explanation: 'What it is.',
          hasAttributes: [{ name: 'note', dataType: 'string', explanation: 'Why it is there.' }],
        },
      ]),
    )
    expect([entity.description, entity.typeAttributes[0]?.description]).toEqual(['What it is.', 'Why it is there.'])
  })
})

describe('references in a CDM document are imported unchanged or reported', () => {
  const toOwner = (entity: unknown, more: Json = {}, guidance: Json = {}) => ({
    name: 'owner',
    entity,
    ...more,
    resolutionGuidance: {
      entityByReference: { allowReference: true, foreignKeyAttribute: { name: 'id', dataType: 'integer' } },
      ...guidance,
    },
  })

  it('display name and traits of an entity attribute go to the foreign key, in both styles', () => {
    const shared = { displayName: 'The owner', appliedTraits: ['is.mine'] }
    const operations = [
      { $type: 'replaceAsForeignKey', reference: 'personId', replaceWith: { name: 'keeperId', dataType: 'integer' } },
    ]
    const { entity, report } = readThing([
      toOwner('Person', shared),
      { name: 'keeper', ...shared, entity: { source: 'Person', operations } },
    ])
    const traits = [{ traitReference: 'is.localized.displayedAs' }, 'is.mine']
    expect(entity.entityAttributes).toMatchObject([
      { foreignKeyTypeAttribute: 'ownerId', traits },
      { foreignKeyTypeAttribute: 'keeperId', traits },
    ])
    expect(report).toEqual([])
  })

  it('a choice of targets without an entity is reported', () => {
    const selects = { selectsSubAttribute: { selects: 'one' } }
    expect(readThing([toOwner('Nowhere', {}, selects)]).report).toEqual([
      `${at}/ownerId: It refers to "Nowhere", which is not in the folder.`,
    ])
    expect(readThing([toOwner('Person', {}, selects)]).report).toEqual([
      `${at}/owner: Its target entity could not be determined; it was read as a plain attribute.`,
    ])
  })
})

describe('duplicate and misplaced values in a CDM folder are reported', () => {
  it('duplicate definitions of every kind are reported', () => {
    const definitions = [
      { attributeGroupName: 'group', members: [] },
      { dataTypeName: 'type', extendsDataType: 'string' },
      { entityShape: 'listLookupValues', constantEntityName: 'list', constantValues: [] },
    ]
    const { report } = readThing([], [...definitions, ...definitions])
    expect(report).toEqual([
      'Thing.cdm.json/group: The document defines this attribute group twice; the last definition was used.',
      'Thing.cdm.json/type: The document defines this data type twice; the last definition was used.',
      'Thing.cdm.json/list: The document defines this list of values twice; the last definition was used.',
    ])
  })

  it('a value other than a list is reported if a list is required', () => {
    expect(readThing({ name: 'note', dataType: 'string' }).report).toEqual([
      `${at}: Its attributes are not a list; they were left out.`,
    ])
    expect(read(document([{ entityName: 'Thing', hasAttributes: null }]), { subManifests: {} }).report).toEqual([
      'm.manifest.cdm.json: "subManifests" of the manifest is not a list; it was left out.',
    ])
  })

  it('data partitions and traits of a manifest, which the model cannot express, are reported', () => {
    const entities = ['Person', 'Thing'].map(name => ({
      type: 'LocalEntity',
      entityName: name,
      entityPath: `${name}.cdm.json/${name}`,
      dataPartitions: [{ location: 'part.csv' }],
    }))
    const { report } = read(entityDocument('Thing', []), { entities, exhibitsTraits: ['is.stored'] })
    expect(report).toEqual([
      'm.manifest.cdm.json: Its data partitions (dataPartitions) were not imported.',
      'm.manifest.cdm.json: The traits of the manifest and of its list of entities (exhibitsTraits) were not imported.',
    ])
  })

  it('attributes of a group named within its reference are imported; group operations and invalid groups are reported', () => {
    const group = { attributeGroupName: 'name', members: [{ name: 'first', dataType: 'string' }] }
    const operations = [{ $type: 'renameAttributes', renameFormat: 'x_{m}' }]
    const inside = (attributeGroupReference: Json) => readThing([{ attributeGroupReference }], [group])
    const left = 'The operations on an attribute group were left out; its attributes were included unchanged.'
    for (const [reference, report] of [
      [{ attributeGroupReference: 'name' }, []],
      [{ source: 'name', operations }, [`${at}: ${left}`]],
      [{ attributeGroupReference: { source: 'name' } }, []],
    ] as const) {
      const read = inside(reference)
      expect(read.entity.typeAttributes.map(({ name }) => name)).toEqual(['first'])
      expect(read.report).toEqual(report)
    }
    expect(inside({ attributeGroupName: 'other' }).report).toEqual([
      `${at}: An attribute group is invalid: "{"attributeGroupName":"other"}".`,
    ])
  })

  it('invalid booleans, unknown data formats and duplicate keys are reported', () => {
    const attribute = {
      name: 'note',
      dataType: 'string',
      isNullable: 'yes',
      isReadOnly: 1,
      isPrimaryKey: 'FALSE',
      dataFormat: 'Txt',
    }
    const { entity, report } = readThing([attribute])
    expect(entity.typeAttributes).toMatchObject([{ nullable: false, purpose: 'hasA' }])
    expect(report).toEqual([
      `${at}/note: Its isNullable "yes" is neither true nor false; it was left out.`,
      `${at}/note: Its isReadOnly "1" is neither true nor false; it was left out.`,
      `${at}/note: Its data format "Txt" is not supported; it was left out.`,
    ])
    const files = cdmFolder({ 'm.manifest.cdm.json': manifest('Model', ['Thing.cdm.json/Thing']) })
    const thingOf = (attribute: string) => `{"definitions":[{"entityName":"Thing","hasAttributes":[${attribute}]}]}`
    const twice = thingOf('{"name":"a\\":{","name":"bb","dataType":"string"}')
    expect(readCdm(files.set('Thing.cdm.json', twice)).report).toMatchObject([
      { path: 'Thing.cdm.json', message: 'The key "name" is duplicated in one object; the last value was used.' },
    ])
    const often = thingOf('{"name":"a","name":"b","dataType":"string","name":"cc","dataType":"string"}')
    expect(readCdm(files.set('Thing.cdm.json', often)).report).toMatchObject([
      { message: 'Objects contain duplicate keys, such as "name"; 3 earlier values were left out.' },
    ])
  })

  it('traits of groups and unsupported properties are each reported in one line for all occurrences', () => {
    const group = { attributeGroupName: 'name', exhibitsTraits: ['is.group', 'is.more'], members: [] }
    const attribute = (name: string) => ({ name, dataType: 'string', sourceOrdering: 1, purpose: 'createdOn' })
    const { report } = readThing(
      [
        { attributeGroupReference: 'name', appliedTraits: [{ traitReference: 'is.applied' }] },
        {
          attributeGroupReference: {
            attributeGroupName: 'inner',
            exhibitsTraits: ['is.group', 'is.last'],
            members: [],
          },
        },
        attribute('first'),
        attribute('second'),
        { ...guided('Person', 'ownerId'), isNullable: true },
      ],
      [group],
    )
    expect(report).toEqual([
      'Thing.cdm.json/name: The traits "is.group", "is.more", "is.applied" and 1 more of 3 attribute groups were not kept.',
      `${at}/first: The properties "sourceOrdering", "isNullable" of 3 attributes were not kept.`,
      `${at}: The purpose "createdOn" of 2 attributes was read as "hasA".`,
    ])
  })

  it('the key of an included entity does not become a key of the including entity', () => {
    const reference = { cardinality: 'many', removedDirectives: ['referenceOnly'], expansion: { maximumExpansion: 1 } }
    const operations = [{ $type: 'renameAttributes', renameFormat: 'my_{m}' }]
    const { entity, report } = readThing([
      key('thingId', 'integer'),
      {
        name: 'owner',
        entity: { entityReference: 'Person' },
        resolutionGuidance: { ...reference, renameFormat: '{a}{M}' },
      },
      { name: 'keeper', entity: { source: 'Person', operations } },
    ])
    expect(entity.typeAttributes.map(({ name, purpose }) => [name, purpose])).toEqual([
      ['thingId', 'identifiedBy'],
      ['ownerPersonId', 'hasA'],
      ['my_personId', 'hasA'],
    ])
    expect(report).toEqual([
      `${at}/owner: "ownerPersonId" identifies the included entity; it is not a key here.`,
      `${at}/keeper: "my_personId" identifies the included entity; it is not a key here.`,
    ])
  })
})
