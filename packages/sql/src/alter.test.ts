import { packageModelFormat } from '@cadmus/model/api/package-model'
import { newConfiguration } from '@cadmus/model/configuration'
import type { EntityNode } from '@cadmus/model/entity'
import { aResolvedModel, aKey, aList, anEntity, aRelationship, aTypeAttribute } from '@cadmus/model/testing/builders'
import type { TypeAttribute } from '@cadmus/model/type-attribute'
import { describe, expect, it } from 'vitest'
import { alterable, alterationOf, type AlterableDialect } from './alter.ts'
import { instanceSchemaOf } from './instance-schema.ts'
import { packageOf } from './testing/packages.ts'

const id = aKey()
const name = aTypeAttribute({ name: 'name' })
const customer = anEntity({ name: 'Customer', typeAttributes: aList(id, name) })
const supplier = anEntity({ name: 'Supplier', typeAttributes: aList(aKey(), name) })
const relationship = aRelationship(customer, { position: 1, foreignKeyTypeAttribute: 'partner' })
const order = anEntity({ name: 'Order', typeAttributes: aList(aKey()), entityAttributes: [relationship] })

describe.each(alterable)('Entities with the names of tables of the instance on %s', dialect => {
  it('get renamed tables that can be altered', () => {
    const entityNamed = (name: string, more: readonly TypeAttribute[] = []) =>
      anEntity({ name, uid: `uid of ${name}`, typeAttributes: aList({ ...id }, ...more) })
    const all = ['cadmus_package', 'Cadmus_Aside_0', 'cadmus_aside_1', 'cadmus_packages']
    const schemaOf = (more: readonly TypeAttribute[]) => {
      const resolvedModel = aResolvedModel(all.map(one => entityNamed(one, more)))
      return instanceSchemaOf(packageOf(resolvedModel, 1), dialect)
    }
    const before = schemaOf([])
    expect(all.map(one => before.tables.get(one)?.name)).toEqual([
      expect.stringMatching(/^t_cadmus_package_[0-9a-f]{8}$/),
      expect.stringMatching(/^t_Cadmus_Aside_0_[0-9a-f]{8}$/),
      expect.stringMatching(/^t_cadmus_aside_1_[0-9a-f]{8}$/),
      'cadmus_packages',
    ])
    const { statements } = alterationOf(before.schema, schemaOf([name]).schema, dialect)
    const created = statements.flatMap(text => /^CREATE TABLE "([^"]+)"/.exec(text)?.[1] ?? [])
    expect(new Set(created).size).toBe(4)
  })
})

describe.each(alterable)('The target of a foreign key on %s', dialect => {
  const schemaOf = (entities: readonly EntityNode[], applyMultiTenancy: boolean) => {
    const resolvedModel = aResolvedModel(entities)
    const configuration = newConfiguration('Shop')
    Object.assign(configuration.configurationBuild.serviceConfiguration, { applyMultiTenancy })
    return instanceSchemaOf(
      {
        format: packageModelFormat,
        package: 'shop',
        version: '1.0.0',
        manifestVersion: '1.0.0',
        root: resolvedModel.root.id,
        manifests: [...resolvedModel.manifests],
        entities: [...entities],
        configuration,
      },
      dialect,
    ).schema
  }
  const lossesOf = (after: readonly EntityNode[]) =>
    [false, true].map(tenancy => {
      const before = schemaOf([customer, supplier, order], tenancy)
      const { changes } = alterationOf(before, schemaOf(after, tenancy), dialect)
      return changes.flatMap(({ grade, text, query }) => (grade === 'losesData' ? [[text, query]] : []))
    })
  const another = [
    "'partner' of 'Order' refers to a different target, where its values identify other records.",
    'SELECT 1 FROM "Order" WHERE "partner" IS NOT NULL LIMIT 1',
  ]

  it('the target of a foreign key on %s is unchanged when it is renamed', () => {
    const client = { ...customer, name: 'Supplier', typeAttributes: aList({ ...id, name: 'number' }, name) }
    const to = aRelationship(client, { ...relationship, associatedEntityTypeAttribute: 'number' })
    const related = { ...to, associatedEntity: { id: client.id, name: client.name, path: client.path } }
    const vendor = { ...supplier, name: 'Customer' }
    expect(lossesOf([client, vendor, { ...order, entityAttributes: [related] }])).toEqual([[], []])
  })

  it('is different in another entity, which would lose values', () => {
    const related = aRelationship(supplier, { position: 1, foreignKeyTypeAttribute: 'partner', uid: relationship.uid })
    expect(lossesOf([customer, supplier, { ...order, entityAttributes: [related] }])).toEqual([[another], [another]])
  })

  it('is different for another attribute, even of the same name', () => {
    const numbered = aList({ ...id, name: 'number', purpose: 'hasA' as const }, name, aKey())
    expect(lossesOf([{ ...customer, typeAttributes: numbered }, supplier, order])).toEqual([[another], [another]])
  })
})

type Attribute = Partial<TypeAttribute>

const thing = (...attributes: readonly TypeAttribute[]) =>
  anEntity({ id: 1, name: 'Thing', uid: 'uid of Thing', typeAttributes: aList(id, ...attributes) })
const value = (change: Attribute = {}) =>
  aTypeAttribute({ name: 'value', uid: 'uid of value', nullable: true, ...change })
const schemaOf = (entities: readonly EntityNode[], dialect: AlterableDialect) =>
  instanceSchemaOf({ ...packageOf(aResolvedModel(entities), 1), configuration: newConfiguration('Shop') }, dialect)
    .schema

const integer = (format: 'int16' | 'int32' | 'int64'): Attribute => ({ dataType: 'integer', format })
const decimal = (precision: number | null, scale: number | null = 0): Attribute => ({
  dataType: 'double',
  format: 'decimal',
  precision,
  scale: precision === null ? null : scale,
})
const double: Attribute = { dataType: 'double' }
const [guid, binary, json]: Attribute[] = [
  { format: 'guid' },
  { dataType: 'object', format: 'binary' },
  { dataType: 'object' },
]
const [day, time]: Attribute[] = [
  { dataType: 'dateTime', format: 'date' },
  { dataType: 'dateTime', format: 'time' },
]
const moment: Attribute = { dataType: 'dateTime' }
const boolean: Attribute = { dataType: 'boolean' }
const fits = ["'value' of 'Thing' changes its type."]
const mayFit = ["'value' of 'Thing' changes its type, and loses the values that do not fit the new one."]
const never = ["'value' of 'Thing' changes to a type to which its values cannot be converted."]

describe.each(alterable)('A change of the type of a field on %s', dialect => {
  it.each<[from: Attribute | undefined, to: Attribute | undefined, texts: (string | undefined)[]]>([
    [integer('int64'), decimal(19), fits],
    [integer('int64'), decimal(18), mayFit],
    [integer('int64'), decimal(21, 2), fits],
    [integer('int64'), decimal(20, 2), mayFit],
    [integer('int32'), decimal(10), fits],
    [integer('int32'), decimal(9), mayFit],
    [integer('int16'), decimal(5), fits],
    [integer('int16'), decimal(4), mayFit],
    [integer('int64'), decimal(null), fits],
    [integer('int32'), double, fits],
    [integer('int64'), double, mayFit],
    [decimal(9, 2), decimal(10, 2), fits],
    [decimal(9, 2), decimal(10, 3), fits],
    [decimal(9, 2), decimal(9, 3), mayFit],
    [decimal(9, 2), decimal(10, 1), mayFit],
    [decimal(9, 2), decimal(null), fits],
    [decimal(null), decimal(9, 2), mayFit],
    [decimal(null), double, mayFit],
    [double, decimal(9, 2), mayFit],
    [guid, {}, fits],
    [day, {}, fits],
    [boolean, {}, fits],
    [{}, json, mayFit],
    [binary, {}, never],
    [{}, binary, never],
    [day, time, never],
    [moment, time, never],
    [time, moment, never],
    [guid, day, never],
    [guid, integer('int64'), never],
    [boolean, moment, never],
    [day, moment, fits],
    [moment, day, mayFit],
  ])('from %j to %j loses values only if they may not fit', (from, to, texts) => {
    const [before, after] = [from, to].map(type => schemaOf([thing(value(type))], dialect))
    const { changes } = alterationOf(before!, after!, dialect)
    expect(changes.map(({ text }) => text)).toEqual(texts)
  })
})

describe.each(alterable)('The statements of an alteration on %s', dialect => {
  const alteration = (before: readonly EntityNode[], after: readonly EntityNode[]) =>
    alterationOf(schemaOf(before, dialect), schemaOf(after, dialect), dialect)

  it('do not touch equal tables', () => {
    const { locks, statements } = alteration([thing(value())], [thing(value({ description: 'x' }))])
    expect([locks, statements.filter(text => !text.startsWith('COMMENT'))]).toEqual([[], []])
  })

  it('lock all tables before they are read, if the database has other connections', () => {
    const { locks } = alteration([thing(), supplier], [thing(value()), supplier])
    expect(locks).toEqual(dialect === 'sqlite' ? [] : ['LOCK TABLE "Thing", "Supplier" IN ACCESS EXCLUSIVE MODE'])
    expect(alteration([], [thing()]).locks).toEqual([])
  })
})
