import { describe, expect, it } from 'vitest'
import { cdmFolder, document, entityOf, guided, manifest } from '../testing/cdm-folder.ts'
import { readThing } from '../testing/read-thing.ts'
import { readCdm } from './read.ts'

type Json = Record<string, unknown>

describe('type attributes of CDM documents that are lists', () => {
  it('a list attribute is read as a single value and reported, also for a reference', () => {
    const guidances = [
      { cardinality: 'many' },
      { expansion: { startingOrdinal: 1, maximumExpansion: 3 } },
      { cardinality: 'one' },
      { cardinality: 'many', removeAttribute: true },
    ]
    const { attributes, report } = readThing(
      guidances.map((resolutionGuidance, index) => ({ name: `at${index}`, dataType: 'string', resolutionGuidance })),
    )
    expect(attributes.map(({ name }) => name)).toEqual(['at0', 'at1', 'at2'])
    const asOne = 'It is a list (cardinality many); it was read as a single value.'
    expect(report).toEqual([`Thing/at0: ${asOne}`, `Thing/at1: ${asOne}`])
  })

  it('a cardinality of many that no operation expands is reported, also for a projected reference', () => {
    const many = { minimum: '0', maximum: '*' }
    const replace = {
      $type: 'replaceAsForeignKey',
      reference: 'id',
      replaceWith: { name: 'whoId', dataType: 'integer' },
    }
    const expand = { operations: [{ $type: 'arrayExpansion', startOrdinal: 1, endOrdinal: 2 }] }
    const { report } = readThing(
      [
        { name: 'all', dataType: 'string', cardinality: many },
        { name: 'some', dataType: 'string', cardinality: { minimum: 1, maximum: 5 } },
        { name: 'word', dataType: 'string', cardinality: 'many' },
        { name: 'one', dataType: 'string', cardinality: { minimum: '0', maximum: '1' } },
        { name: 'none', dataType: 'string', cardinality: 'one' },
        { name: 'two', dataType: 'string', cardinality: many, projection: expand },
        { name: 'who', entity: { source: 'Person', operations: [replace] }, cardinality: many },
      ],
      [{ entityName: 'Person', hasAttributes: [{ name: 'id', purpose: 'identifiedBy', dataType: 'integer' }] }],
    )
    const asOne = 'It is a list (cardinality many); it was read as a single value.'
    expect(report.filter(line => line.endsWith(asOne))).toEqual(
      ['all', 'some', 'word', 'who'].map(name => `Thing/${name}: ${asOne}`),
    )
  })
})

describe('the key of a CDM entity', () => {
  const purposes: Json[] = [
    { purposeName: 'marks', extendsPurpose: 'numbers' },
    { purposeName: 'numbers', extendsPurpose: { purposeReference: 'identifiedBy' } },
    { purposeName: 'shows', exhibitsTraits: ['is.identifiedBy'] },
    { purposeName: 'calls', extendsPurpose: 'namedBy' },
    { purposeName: 'round', extendsPurpose: 'about' },
    { purposeName: 'about', extendsPurpose: 'round' },
  ]

  it.each<[string, Json, string]>([
    ['isPrimaryKey', { isPrimaryKey: true }, 'identifiedBy'],
    ['isPrimaryKey as text', { purpose: 'hasA', isPrimaryKey: 'true' }, 'identifiedBy'],
    ['isPrimaryKey: false', { isPrimaryKey: false }, 'hasA'],
    ['a purpose that extends identifiedBy', { purpose: 'numbers' }, 'identifiedBy'],
    ['a purpose that extends it indirectly', { purpose: { purposeReference: 'marks' } }, 'identifiedBy'],
    ['a purpose that exhibits is.identifiedBy', { purpose: 'shows' }, 'identifiedBy'],
    [
      'a purpose to which is.identifiedBy is applied',
      { purpose: { purposeReference: 'hasA', appliedTraits: ['is.identifiedBy'] } },
      'identifiedBy',
    ],
  ])('the key declaration is read from %s', (_, stated, purpose) => {
    const { attributes, report } = readThing([{ name: 'id', dataType: 'integer', ...stated }], purposes)
    expect(attributes).toMatchObject([{ purpose }])
    expect(report).toEqual([])
  })

  it.each([
    ['a purpose that extends namedBy', 'calls'],
    ['a purpose cycle', 'round'],
    ['an undefined purpose', 'nothing'],
  ])('%s does not declare a key and is reported', (_, purpose) => {
    const { attributes, report } = readThing([{ name: 'id', dataType: 'integer', purpose }], purposes)
    expect(attributes).toMatchObject([{ purpose: 'hasA' }])
    expect(report).toEqual([`Thing: The purpose "${purpose}" of an attribute was read as "hasA".`])
  })

  it('a reference without a target attribute refers to the key', () => {
    const files = {
      'm.manifest.cdm.json': manifest('Model', ['Other.cdm.json/Other', 'Thing.cdm.json/Thing']),
      'Other.cdm.json': document([
        ...purposes,
        {
          entityName: 'Other',
          hasAttributes: [
            { name: 'note', dataType: 'string' },
            { name: 'number', dataType: 'integer', purpose: 'marks' },
          ],
        },
      ]),
      'Thing.cdm.json': document(
        [{ entityName: 'Thing', hasAttributes: [guided('Other', 'otherNumber')] }],
        ['Other.cdm.json'],
      ),
    }
    const model = readCdm(cdmFolder(files))
    expect(entityOf(model, 'Thing').entityAttributes).toMatchObject([
      { associatedEntityTypeAttribute: 'number', foreignKeyDataType: 'integer' },
    ])
    expect(model.report).toEqual([])
  })
})
