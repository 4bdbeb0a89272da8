import { aResolvedModel, aKey, aList, anEntity, aRelationship, aTypeAttribute } from '@cadmus/model/testing/builders'
import { dataTypes, type DataType, type Format } from '@cadmus/model/type-attribute'
import { formatsOf } from '@cadmus/model/rules/type-attribute'
import { describe, expect, it } from 'vitest'
import { list, object } from '../testing/contract-names.ts'
import { expectRoundTrip } from '../testing/exported.ts'
import { readCdm } from './read.ts'

function typesOf(files: ReadonlyMap<string, string>, name: string): Record<string, unknown> {
  const json = object(JSON.parse(files.get(`${name}.cdm.json`) ?? 'null'))
  const members = list(object(list(json['definitions'])[0])['hasAttributes']).map(object)
  return Object.fromEntries(members.map(({ name: attribute, dataType }) => [attribute, dataType]))
}

const documentsOf = (files: ReadonlyMap<string, string>) =>
  new Map([...files].filter(([path]) => path.endsWith('.cdm.json')))

const formatted = (dataType: DataType, format: Format | null) =>
  aTypeAttribute({ name: `${dataType} ${format ?? ''}`.trim(), dataType, format })

describe('data types in exported CDM folders', () => {
  it('attributes with a format have the matching CDM data type and are imported unchanged', () => {
    const all = dataTypes.flatMap(dataType => [null, ...formatsOf[dataType]].map(format => formatted(dataType, format)))
    const { files } = expectRoundTrip(aResolvedModel([anEntity({ name: 'Thing', typeAttributes: aList(...all) })]))
    expect(typesOf(files, 'Thing')).toEqual({
      boolean: 'boolean',
      dateTime: 'dateTime',
      'dateTime date': 'date',
      'dateTime time': 'time',
      'dateTime instant': 'dateTimeOffset',
      'dateTime local': 'dateTime',
      double: 'double',
      'double decimal': 'decimal',
      float: 'float',
      'float decimal': 'decimal',
      'float single': 'float',
      integer: 'integer',
      'integer int16': 'smallInteger',
      'integer int32': 'integer',
      'integer int64': 'bigInteger',
      object: 'object',
      'object json': 'json',
      'object binary': 'binary',
      'object text': 'string',
      string: 'string',
      'string guid': 'guid',
      'string fixed': 'string',
      'string text': 'string',
      'string json': 'string',
      'string binary': 'string',
      'string date': 'string',
      'string time': 'string',
    })
  })

  it('guids, binaries, decimals with precision and other types are imported from the documents alone', () => {
    const attributes = aList(
      formatted('string', 'guid'),
      formatted('object', 'binary'),
      formatted('object', 'json'),
      aTypeAttribute({ name: 'price', dataType: 'double', format: 'decimal', precision: 10, scale: 2 }),
      aTypeAttribute({ name: 'whole', dataType: 'double', format: 'decimal', precision: 7 }),
      formatted('dateTime', 'date'),
      formatted('dateTime', 'time'),
      formatted('integer', 'int16'),
      formatted('integer', 'int64'),
    )
    const { files, notes } = expectRoundTrip(aResolvedModel([anEntity({ name: 'Thing', typeAttributes: attributes })]))
    const [entity] = readCdm(documentsOf(files)).entities
    expect(notes).toEqual([])
    expect(entity?.typeAttributes.map(attribute => ({ ...attribute, uid: '' }))).toEqual(
      attributes.map(attribute => ({ ...attribute, uid: '' })),
    )
  })

  it('precision and scale that CDM cannot express go to the sidecar', () => {
    const wide = aTypeAttribute({ name: 'wide', dataType: 'double', precision: 2, scale: 5 })
    const { files, notes } = expectRoundTrip(aResolvedModel([anEntity({ name: 'Thing', typeAttributes: [wide] })]))
    expect(typesOf(files, 'Thing')).toEqual({ wide: 'decimal' })
    expect(notes).toMatchObject([{ message: 'CDM does not support precision and scale.' }])
  })

  it('integers of a precision are integers that hold most of them, with the precision in the sidecar', () => {
    const typeAttributes = aList(
      ...[4, 9, 18, 38].map(precision => aTypeAttribute({ name: `n${precision}`, dataType: 'integer', precision })),
    )
    const { files, notes } = expectRoundTrip(aResolvedModel([anEntity({ name: 'Thing', typeAttributes })]))
    expect(typesOf(files, 'Thing')).toEqual({ n4: 'integer', n9: 'integer', n18: 'bigInteger', n38: 'bigInteger' })
    expect(notes.map(({ message }) => message)).toContainEqual(expect.stringContaining('precision and scale'))
  })

  it.each([
    { dataType: 'dateTime', format: 'date' },
    { dataType: 'dateTime', format: null },
    { dataType: 'double', format: 'decimal', precision: 9, scale: 2 },
  ] as const)('a foreign key to a key of another type is imported from the documents alone: %j', type => {
    const event = anEntity({ name: 'Event', typeAttributes: aList(aKey({ name: 'at', ...type })) })
    const toEvent = { associatedEntityTypeAttribute: 'at', foreignKeyDataType: 'string', position: 1 } as const
    const visit = anEntity({ name: 'Visit', entityAttributes: [aRelationship(event, toEvent)] })
    const { files } = expectRoundTrip(aResolvedModel([event, visit]))
    const { entities, report } = readCdm(documentsOf(files))
    expect(report.filter(({ level }) => level === 'warning')).toEqual([])
    expect(entities.find(({ name }) => name === 'Visit')?.entityAttributes).toMatchObject([
      { associatedEntityTypeAttribute: 'at', foreignKeyDataType: 'string' },
    ])
  })

  it('a foreign key has the data type of its target key, through other foreign keys too', () => {
    const a = anEntity({ name: 'A', typeAttributes: aList(aKey({ dataType: 'string', format: 'guid' })) })
    const toA = { foreignKeyDataType: 'string', foreignKeyPurpose: 'identifiedBy', nullable: false } as const
    const b = anEntity({ name: 'B', typeAttributes: [], entityAttributes: [aRelationship(a, toA)] })
    const toB = { associatedEntityTypeAttribute: 'aId', foreignKeyDataType: 'string', position: 1 } as const
    const c = anEntity({ name: 'C', typeAttributes: aList(aKey()), entityAttributes: [aRelationship(b, toB)] })
    const { files } = expectRoundTrip(aResolvedModel([a, b, c]))
    const foreignKey = { entity: { operations: [{ replaceWith: { name: 'bId', dataType: 'guid' } }] } }
    const json: unknown = JSON.parse(files.get('C.cdm.json') ?? 'null')
    expect(json).toMatchObject({ definitions: [{ hasAttributes: [{ name: 'id' }, foreignKey] }] })
    expect(typesOf(files, 'B')).toMatchObject({ aId: 'guid' })
  })

  it('an entity that redefines an attribute with another precision is written without its parent', () => {
    const digits = (precision: number) =>
      aTypeAttribute({ name: 'price', dataType: 'double', format: 'decimal', precision, position: 1 })
    const parent = anEntity({ name: 'Parent', typeAttributes: [aKey(), digits(9)] })
    const extendsEntity = { id: parent.id, name: parent.name, path: parent.path }
    const child = anEntity({ name: 'Child', extendsEntity, typeAttributes: [digits(12)] })
    const same = anEntity({ name: 'Same', extendsEntity, typeAttributes: [digits(9)] })
    const { files } = expectRoundTrip(aResolvedModel([parent, child, same]))
    expect(JSON.parse(files.get('Child.cdm.json') ?? 'null')).toMatchObject({
      definitions: [{ extendsEntity: 'CdmEntity' }],
    })
    expect(JSON.parse(files.get('Same.cdm.json') ?? 'null')).toMatchObject({
      definitions: [{ extendsEntity: 'Parent' }],
    })
  })
})
