import { aResolvedModel, aKey, aList, anEntity, aRelationship, aTypeAttribute } from '@cadmus/model/testing/builders'
import type { ResolvedModel } from '@cadmus/model/resolved-model'
import { limits } from '@cadmus/model/limits'
import type { DatabaseType } from '@cadmus/model/database-types'
import { expect, it } from 'vitest'
import type { RunDatabase } from './databases.ts'
import { instanceSchemaOf } from './instance-schema.ts'
import { packageOf } from './testing/packages.ts'
import { databaseStatements } from './script.ts'

const options = { applyAutoIncrement: true }

it('a foreign key without a constraint is shortened like the key column that it refers to', () => {
  const target = anEntity({
    name: 'Target',
    typeAttributes: aList(aKey({ name: 'one', dataType: 'string', maxLength: 900 }), aKey({ name: 'two' })),
  })
  const link = aRelationship(target, { associatedEntityTypeAttribute: 'one', foreignKeyTypeAttribute: 'link' })
  const resolvedModel = aResolvedModel([target, anEntity({ name: 'Source', entityAttributes: [link] })])
  const one = { kind: 'varchar', length: 660 }
  expect([typeOf(resolvedModel, 'postgresql', 'one'), typeOf(resolvedModel, 'postgresql', 'link')]).toEqual([one, one])
  const { schema, notes } = databaseStatements(resolvedModel, 'postgresql', options)
  expect(schema.tables.flatMap(table => table.indexes.map(({ columns }) => columns))).toEqual([['link']])
  expect(notes.map(({ code }) => code)).not.toContain('indexTooLong')
})

it('a foreign key has the width of its target if an emoji default exceeds the declared length', () => {
  const target = anEntity({
    name: 'Target',
    typeAttributes: aList(aKey(), aTypeAttribute({ name: 'sign', maxLength: 1, unique: true, defaultValue: '😀' })),
  })
  const link = aRelationship(target, { associatedEntityTypeAttribute: 'sign', foreignKeyTypeAttribute: 'link' })
  const resolvedModel = aResolvedModel([anEntity({ name: 'Source', entityAttributes: [link] }), target])
  const wide = { kind: 'text', length: 1 }
  expect([typeOf(resolvedModel, 'hsql', 'sign'), typeOf(resolvedModel, 'hsql', 'link')]).toEqual([wide, wide])
})

/** Records that refer to (`one`, `two`) by `first` and `second`. */
function withPair(): ResolvedModel {
  const keys = aList(...['one', 'two'].map(name => aKey({ name, dataType: 'string', maxLength: 450 })))
  const target = anEntity({ name: 'Target', typeAttributes: keys })
  const second = aTypeAttribute({ name: 'second', maxLength: 450 })
  const first = aRelationship(target, {
    associatedEntityTypeAttribute: 'one',
    foreignKeyTypeAttribute: 'first',
    foreignKeyDataType: 'string',
    alsoBy: [{ uid: second.uid, name: 'second', target: 'two', targetUid: null }],
    position: 2,
  })
  const source = anEntity({ name: 'Source', typeAttributes: aList(aKey(), second), entityAttributes: [first] })
  return aResolvedModel([target, source])
}

it.each([
  ['postgresql', 335],
  ['mysql', 384],
  ['mssql', 225],
  ['oracle', 450],
] as const)('further columns of a foreign key are as long as their targets in scripts of %s', (type, length) => {
  const types = ['one', 'two', 'first', 'second'].map(name => typeOf(withPair(), type, name))
  expect(types).toEqual(types.map(() => ({ kind: 'varchar', length })))
})

it('an instance leaves further columns their length where the database accepted it', () => {
  const lengthsOn = (database: RunDatabase) => {
    const { tables } = instanceSchemaOf(packageOf(withPair(), 1), database).schema
    const columns = tables.flatMap(table => table.columns)
    return ['first', 'second'].map(name => columns.find(column => column.name === name)?.type)
  }
  expect(lengthsOn('postgresql')).toMatchObject([{ length: 335 }, { length: 450 }])
  expect(lengthsOn('mysql')).toMatchObject([{ length: 384 }, { length: 384 }])
})

it('tenants have the length that the keys of their own table leave', () => {
  const long = anEntity({
    name: 'Long',
    typeAttributes: aList(...['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map(name => aKey({ name, dataType: 'string' }))),
  })
  const target = anEntity({ name: 'Target', typeAttributes: aList(aKey()) })
  const both = anEntity({
    ...long,
    entityAttributes: [aRelationship(target, { position: 8 })],
  })
  const model = packageOf(
    aResolvedModel([target, both, ...withPair().entities.map(one => ({ ...one, name: `P${one.name}` }))]),
    1,
  )
  const { serviceConfiguration, sqlConfiguration } = model.configuration.configurationBuild
  serviceConfiguration.applyMultiTenancy = true
  // Generated keys are unique among all tenants.
  sqlConfiguration.applyAutoIncrement = false
  const { tables } = instanceSchemaOf(model, 'mysql').schema
  const lengthOf = (name: string) => {
    const tenant = tables
      .find(table => table.name === name)
      ?.columns.find(({ source }) => source.uid === 'added:tenant')
    return tenant?.type.kind === 'varchar' ? tenant.type.length : null
  }
  expect(lengthOf('Long')).toBeLessThan(limits.tenant)
  for (const name of ['Target', 'PTarget', 'PSource']) expect(lengthOf(name)).toBe(limits.tenant)
})

function typeOf(resolvedModel: ResolvedModel, type: DatabaseType, name: string): unknown {
  const { tables } = databaseStatements(resolvedModel, type, options).schema
  return tables.flatMap(({ columns }) => columns).find(column => column.name === name)?.type
}
