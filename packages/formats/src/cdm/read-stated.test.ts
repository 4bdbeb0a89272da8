import { describe, expect, it } from 'vitest'
import { cdmFolder, document, entityOf, guided, manifest, table } from '../testing/cdm-folder.ts'
import { readCdm } from './read.ts'

type Json = Record<string, unknown>

function read(members: unknown[], definitions: Json[] = [], more: Record<string, unknown> = {}) {
  const thing = { entityName: 'Thing', hasAttributes: members }
  const model = readCdm(
    cdmFolder({
      'm.manifest.cdm.json': manifest('Model', ['Thing.cdm.json/Thing']),
      'Thing.cdm.json': document([...definitions, thing], Object.keys(more)),
      ...more,
    }),
  )
  const report = model.report.map(({ path, message }) => `${path.replace('Thing.cdm.json/', '')}: ${message}`)
  return { attributes: entityOf(model, 'Thing').typeAttributes, report }
}

const named = (values: Json) => Object.entries(values).map(([name, value]) => ({ name, value }))
const shaped = (precision: unknown, scale: unknown) => ({
  traitReference: 'is.dataFormat.numeric.shaped',
  arguments: named({ precision, scale }),
})
const constrained = (values: Json) => ({ traitReference: 'is.constrained', arguments: named(values) })
const rows = [
  ['en', 'Hard', 'h', '0'],
  ['en', 'Soft', 's', '1'],
]
const listed = (argument: unknown = table('listLookupValues', rows)) => ({
  traitReference: 'is.constrainedList',
  arguments: [argument],
})

describe('precision and scale of a decimal', () => {
  it('are those that the attribute’s own traits state, before those of its data type', () => {
    const { attributes, report } = read([
      { name: 'own', dataType: 'decimal', appliedTraits: [shaped('19', '4')] },
      { name: 'resolved', dataFormat: 'Decimal', appliedTraits: [shaped(38, 0)] },
      {
        name: 'both',
        dataType: { dataTypeReference: 'decimal', appliedTraits: [shaped(10, 2)] },
        appliedTraits: [shaped(12, 3)],
      },
      {
        name: 'bare',
        dataType: { dataTypeReference: 'decimal', appliedTraits: [shaped(10, 2)] },
        appliedTraits: ['is.x'],
      },
    ])
    expect(attributes.map(({ precision, scale }) => [precision, scale])).toEqual([
      [19, 4],
      [38, 0],
      [12, 3],
      [10, 2],
    ])
    expect(attributes[0]?.traits).toEqual([shaped('19', '4')])
    expect(report).toEqual([])
  })

  it('are told where they cannot be, and where the attribute is no decimal', () => {
    const { attributes, report } = read([
      { name: 'odd', dataType: 'decimal', appliedTraits: [shaped(0, 4)] },
      { name: 'broken', dataType: 'double', appliedTraits: [shaped(19, 4)] },
    ])
    expect(attributes).toMatchObject([{ precision: null }, { precision: null, scale: null }])
    expect(report).toEqual([
      'Thing/odd: Its precision "0" is no whole number above 0; it was left out.',
      'Thing/broken: Its precision 19 was left out: only a decimal has one.',
    ])
  })
})

describe('what the reference to a data type states besides', () => {
  it('is told, of a data type as of an attribute, each trait once', () => {
    const of = (...appliedTraits: unknown[]) => ({ dataTypeReference: 'string', appliedTraits })
    const { attributes, report } = read(
      [
        { name: 'spoken', dataType: of('means.reference.phonetic', constrained({ maximumLength: 7 })) },
        { name: 'timed', dataType: of('is.a', { traitReference: 'is.b', arguments: ['x'] }, 'is.a') },
        { name: 'own', dataType: 'string', appliedTraits: ['is.c'] },
        { name: 'derived', dataType: 'derived' },
        { name: 'listed', dataType: of(listed()) },
      ],
      [{ dataTypeName: 'derived', extendsDataType: of('is.d') }],
    )
    expect(attributes.map(({ maxLength }) => maxLength)).toEqual([7, null, null, null, null])
    expect(report).toEqual([
      'derived: The trait "is.d" on the reference to a data type was left out.',
      'Thing/spoken: The trait "means.reference.phonetic" on the reference to a data type was left out.',
      'Thing/timed: The traits "is.a", "is.b" on the reference to a data type were left out.',
    ])
  })
})

describe('what the reference to a data type constrains', () => {
  it('is the maximum length, and bounds that stay as a trait, where the attribute states none', () => {
    const of = (values: Json) => ({ dataTypeReference: 'string', appliedTraits: [constrained(values)] })
    const bounds = { minimumValue: '1', maximumValue: '9' }
    const { attributes, report } = read([
      { name: 'short', dataType: of({ maximumLength: '7' }) },
      { name: 'own', dataType: of({ maximumLength: '7' }), maximumLength: 5 },
      { name: 'bound', dataType: { ...of(bounds), dataTypeReference: 'integer' } },
      { name: 'half', dataType: { ...of(bounds), dataTypeReference: 'integer' }, minimumValue: 3 },
      { name: 'wrong', dataType: of({ maximumLength: 'ten' }) },
    ])
    expect(attributes.map(({ maxLength }) => maxLength)).toEqual([7, 5, null, null, null])
    expect(attributes.map(({ traits }) => traits)).toEqual([
      [],
      [],
      [constrained(bounds)],
      [constrained({ minimumValue: 3, maximumValue: '9' })],
      [],
    ])
    expect(report).toEqual(['Thing/wrong: Its maximum length "ten" is no whole number above 0; it was left out.'])
  })
})

describe('what a data type of the folder states', () => {
  const types: Json[] = [
    { dataTypeName: 'money', extendsDataType: { dataTypeReference: 'decimal', appliedTraits: [shaped(19, 4)] } },
    { dataTypeName: 'price', extendsDataType: 'money' },
    { dataTypeName: 'rate', extendsDataType: 'money', exhibitsTraits: [shaped(9, 6)] },
    { dataTypeName: 'code', extendsDataType: 'string', exhibitsTraits: [constrained({ maximumLength: 8 })] },
    { dataTypeName: 'digit', extendsDataType: 'integer', exhibitsTraits: [constrained({ minimumValue: 0 })] },
    { dataTypeName: 'cover', extendsDataType: 'code', exhibitsTraits: [listed()] },
    { dataTypeName: 'late', extendsDataType: 'string', exhibitsTraits: [listed({ entityReference: 'Covers' })] },
    { constantEntityName: 'Covers', entityShape: 'listLookupValues', constantValues: rows },
  ]

  it('is that of its attributes where they do not state it themselves, the nearest data type first', () => {
    const { attributes, report } = read(
      [
        { name: 'price', dataType: 'price' },
        { name: 'rate', dataType: 'rate' },
        { name: 'own', dataType: 'rate', appliedTraits: [shaped(5, 1)] },
        { name: 'digit', dataType: 'digit' },
      ],
      types,
    )
    expect(attributes.map(({ precision, scale }) => [precision, scale])).toEqual([
      [19, 4],
      [9, 6],
      [5, 1],
      [null, null],
    ])
    expect(attributes[3]?.traits).toEqual([constrained({ minimumValue: 0 })])
    expect(report).toEqual([])
  })

  it('is the length and the list of values too', () => {
    const { attributes, report } = read(
      [
        { name: 'code', dataType: 'code' },
        { name: 'longer', dataType: 'code', maximumLength: 9 },
        { name: 'cover', dataType: 'cover' },
        { name: 'late', dataType: 'late' },
      ],
      types,
    )
    expect(attributes.map(({ maxLength }) => maxLength)).toEqual([8, 9, 8, null])
    expect(attributes.map(({ choices }) => choices)).toEqual([[], [], ['h', 's'], ['h', 's']])
    expect(JSON.stringify(attributes[2]?.traits)).toContain('"Hard","h"')
    expect(report).toEqual([])
  })

  it('is looked up from where the data type is written', () => {
    const inside = { 'types.cdm.json': document(types) }
    const { attributes } = read([{ name: 'late', dataType: 'late' }], [], inside)
    expect(attributes[0]?.choices).toEqual(['h', 's'])
  })

  it('is told where it cannot be', () => {
    const { report } = read(
      [
        { name: 'count', dataType: 'count' },
        { name: 'none', dataType: 'none' },
        { name: 'gone', dataType: 'gone' },
      ],
      [
        { dataTypeName: 'count', extendsDataType: 'integer', exhibitsTraits: [constrained({ maximumLength: 8 })] },
        { dataTypeName: 'wrong', extendsDataType: 'string', exhibitsTraits: [constrained({ maximumLength: 'ten' })] },
        { dataTypeName: 'none', extendsDataType: 'string', exhibitsTraits: ['is.constrainedList'] },
        { dataTypeName: 'gone', extendsDataType: 'string', exhibitsTraits: [listed({ entityReference: 'Gone' })] },
      ],
    )
    expect(report).toEqual([
      'wrong: Its maximum length "ten" is no whole number above 0; it was left out.',
      'Thing/count: Its maximum length 8 was left out: only a string has one.',
      'Thing/none: Its values are those of a list, but no list is given; it takes any value.',
      'Thing/gone: Its list of values "Gone" was not found or is empty; it takes any value.',
    ])
  })

  it('is what an attribute or type that asks for a list takes, without a line', () => {
    const { attributes, report } = read(
      [
        { name: 'asks', dataType: 'listed', valueConstrainedToList: true },
        { name: 'narrow', dataType: 'narrow' },
        { name: 'nothing', dataType: 'string', valueConstrainedToList: true },
      ],
      [
        { dataTypeName: 'listed', extendsDataType: 'string', exhibitsTraits: [listed()] },
        { dataTypeName: 'narrow', extendsDataType: 'listed', exhibitsTraits: ['is.constrainedList'] },
      ],
    )
    expect(attributes.map(({ choices }) => choices)).toEqual([['h', 's'], ['h', 's'], []])
    expect(report).toEqual(['Thing/nothing: Its values are those of a list, but no list is given; it takes any value.'])
  })

  it('is not asked of standard documents that the folder brings: it is read as one that does not', () => {
    const standard = document([{ ...types[0], dataTypeName: 'currency' }])
    const { attributes } = read([{ name: 'paid', dataType: 'currency' }], [], { 'primitives.cdm.json': standard })
    expect(attributes).toMatchObject([{ dataType: 'double', format: 'decimal', precision: null }])
  })
})

describe('a type attribute that is a list', () => {
  it('says that it was read as a single one, as a reference does', () => {
    const guidances = [
      { cardinality: 'many' },
      { expansion: { startingOrdinal: 1, maximumExpansion: 3 } },
      { cardinality: 'one' },
      { cardinality: 'many', removeAttribute: true },
    ]
    const { attributes, report } = read(
      guidances.map((resolutionGuidance, index) => ({ name: `at${index}`, dataType: 'string', resolutionGuidance })),
    )
    expect(attributes.map(({ name }) => name)).toEqual(['at0', 'at1', 'at2'])
    const asOne = 'It is a list (cardinality many); it was read as a single one.'
    expect(report).toEqual([`Thing/at0: ${asOne}`, `Thing/at1: ${asOne}`])
  })

  it('says so where its cardinality does, and nothing makes that many of it; a reference by projection too', () => {
    const many = { minimum: '0', maximum: '*' }
    const replace = {
      $type: 'replaceAsForeignKey',
      reference: 'id',
      replaceWith: { name: 'whoId', dataType: 'integer' },
    }
    const expand = { operations: [{ $type: 'arrayExpansion', startOrdinal: 1, endOrdinal: 2 }] }
    const { report } = read(
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
    const asOne = 'It is a list (cardinality many); it was read as a single one.'
    expect(report.filter(line => line.endsWith(asOne))).toEqual(
      ['all', 'some', 'word', 'who'].map(name => `Thing/${name}: ${asOne}`),
    )
  })
})

describe('the key of an entity', () => {
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
    ['isPrimaryKey as a text', { purpose: 'hasA', isPrimaryKey: 'true' }, 'identifiedBy'],
    ['no isPrimaryKey', { isPrimaryKey: false }, 'hasA'],
    ['a purpose that extends identifiedBy', { purpose: 'numbers' }, 'identifiedBy'],
    ['a purpose that extends such a one', { purpose: { purposeReference: 'marks' } }, 'identifiedBy'],
    ['a purpose that exhibits is.identifiedBy', { purpose: 'shows' }, 'identifiedBy'],
    [
      'a purpose to which is.identifiedBy is applied',
      { purpose: { purposeReference: 'hasA', appliedTraits: ['is.identifiedBy'] } },
      'identifiedBy',
    ],
    ['a purpose that extends another one', { purpose: 'calls' }, 'hasA'],
    ['purposes that extend each other', { purpose: 'round' }, 'hasA'],
    ['a purpose that nothing defines', { purpose: 'nothing' }, 'hasA'],
  ])('may be stated by %s', (_, stated, purpose) => {
    const { attributes, report } = read([{ name: 'id', dataType: 'integer', ...stated }], purposes)
    expect(attributes).toMatchObject([{ purpose }])
    expect(report).toEqual([])
  })

  it('is what references without another target mean', () => {
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
