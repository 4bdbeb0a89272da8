import { describe, expect, it } from 'vitest'
import { document, table } from '../testing/cdm-folder.ts'
import { readThing } from '../testing/read-thing.ts'

type Json = Record<string, unknown>

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

describe('precision and scale of decimals in CDM documents', () => {
  it('"precision and scale come from the attribute\'s own traits, else from its data type"', () => {
    const { attributes, report } = readThing([
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

  it('invalid precision and scale are reported, and so are precision and scale of types other than decimal', () => {
    const { attributes, report } = readThing([
      { name: 'odd', dataType: 'decimal', appliedTraits: [shaped(0, 4)] },
      { name: 'broken', dataType: 'double', appliedTraits: [shaped(19, 4)] },
    ])
    expect(attributes).toMatchObject([{ precision: null }, { precision: null, scale: null }])
    expect(report).toEqual([
      'Thing/odd: Its precision "0" is not a positive integer; it was left out.',
      'Thing/broken: Its precision 19 was left out: only a decimal has one.',
    ])
  })
})

describe('other traits on a reference to a data type', () => {
  it('traits on a data type reference that are not supported are reported once each, for attributes and data types', () => {
    const of = (...appliedTraits: unknown[]) => ({ dataTypeReference: 'string', appliedTraits })
    const { attributes, report } = readThing(
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

describe('constraints on a reference to a data type', () => {
  it('maximum length and bounds of the data type reference apply to attributes without their own', () => {
    const of = (values: Json) => ({ dataTypeReference: 'string', appliedTraits: [constrained(values)] })
    const bounds = { minimumValue: '1', maximumValue: '9' }
    const { attributes, report } = readThing([
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
    expect(report).toEqual(['Thing/wrong: Its maximum length "ten" is not a positive integer; it was left out.'])
  })
})

describe('properties declared by data types of the folder', () => {
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

  it('data type properties apply to attributes that do not declare them, the nearest data type first', () => {
    const { attributes, report } = readThing(
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

  it('length and value list are taken from the data type too', () => {
    const { attributes, report } = readThing(
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

  it('names in a data type are resolved from its own document', () => {
    const inside = { 'types.cdm.json': document(types) }
    const { attributes } = readThing([{ name: 'late', dataType: 'late' }], [], inside)
    expect(attributes[0]?.choices).toEqual(['h', 's'])
  })

  it('invalid properties of a data type are reported', () => {
    const { report } = readThing(
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
      'wrong: Its maximum length "ten" is not a positive integer; it was left out.',
      'Thing/count: Its maximum length 8 was left out: only a string has one.',
      'Thing/none: It declares a value list but has none; it accepts any value.',
      'Thing/gone: Its list of values "Gone" was not found or is empty; it accepts any value.',
    ])
  })

  it('an attribute or data type that declares a list takes it from the data type without a report line', () => {
    const { attributes, report } = readThing(
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
    expect(report).toEqual(['Thing/nothing: It declares a value list but has none; it accepts any value.'])
  })

  it('standard documents in the folder are treated as the built-in ones', () => {
    const standard = document([{ ...types[0], dataTypeName: 'currency' }])
    const { attributes } = readThing([{ name: 'paid', dataType: 'currency' }], [], { 'primitives.cdm.json': standard })
    expect(attributes).toMatchObject([{ dataType: 'double', format: 'decimal', precision: null }])
  })
})
