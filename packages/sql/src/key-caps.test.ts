import { aResolvedModel, aKey, aList, anEntity, aRelationship, aTypeAttribute } from '@cadmus/model/testing/builders'
import type { ResolvedModel } from '@cadmus/model/resolved-model'
import type { DatabaseType } from '@cadmus/model/database-types'
import { expect, it } from 'vitest'
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

function typeOf(resolvedModel: ResolvedModel, type: DatabaseType, name: string): unknown {
  const { tables } = databaseStatements(resolvedModel, type, options).schema
  return tables.flatMap(({ columns }) => columns).find(column => column.name === name)?.type
}
