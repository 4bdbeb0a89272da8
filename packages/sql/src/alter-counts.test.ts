import { databaseTypes } from '@cadmus/model/database-types'
import type { EntityNode } from '@cadmus/model/entity'
import { aKey, aList, anEntity, aRelationship, aResolvedModel, aTypeAttribute } from '@cadmus/model/testing/builders'
import { expect, it } from 'vitest'
import { alterable, alterationOf } from './alter.ts'
import { instanceSchemaOf } from './instance-schema.ts'
import { migrationPlan } from './migrate/plan.ts'
import { databaseStatements } from './script.ts'
import { packageOf } from './testing/packages.ts'

const key = aKey({ uid: 'key', dataType: 'integer' })
const column = (uid: string, fields = {}) => aTypeAttribute({ uid, name: uid, nullable: true, ...fields })
const target = anEntity({ id: 2, uid: 'target', name: 'Target', typeAttributes: aList(key) })
const relationship = aRelationship(target, { uid: 'to', foreignKeyTypeAttribute: 'to', nullable: true })
const to = column('to', { dataType: 'integer' })

const before: EntityNode[] = [
  anEntity({
    id: 1,
    uid: 'thing',
    name: 'Thing',
    typeAttributes: aList(
      key,
      column('gone'),
      column('name', { maxLength: 80 }),
      column('code', { maxLength: 20 }),
      column('state', { maxLength: 20 }),
      column('amount', { maxLength: 20 }),
      to,
    ),
  }),
  target,
  anEntity({ id: 3, uid: 'old', name: 'Old', typeAttributes: aList(key) }),
]
const after: EntityNode[] = [
  anEntity({
    id: 1,
    uid: 'thing',
    name: 'Renamed',
    typeAttributes: aList(
      key,
      column('name', { name: 'title', maxLength: 5 }),
      column('code', { maxLength: 20, unique: true }),
      column('state', { maxLength: 20, choices: ['new', 'paid'] }),
      column('amount', { dataType: 'integer' }),
      column('rank', { dataType: 'integer', nullable: false }),
    ),
    entityAttributes: [{ ...relationship, position: 9 }],
  }),
  target,
]

it('an instance counts what each question of a migration asks, whatever the database, the naming and the options of the instance', () => {
  const kinds = new Set<string>()
  for (const seed of [1, 2, 3, 4]) {
    for (const dialect of alterable) {
      const [old, now] = [before, after].map(
        entities => instanceSchemaOf(packageOf(aResolvedModel(entities), seed), dialect).schema,
      )
      if (!old || !now) throw new Error('There are no schemas.')
      const counted = alterationOf(old, now, dialect).counts.map(one => one.key)
      expect(counted).toHaveLength(new Set(counted).size)
      for (const database of databaseTypes) {
        const [from, until] = [before, after].map(
          entities => databaseStatements(aResolvedModel(entities), database, { applyAutoIncrement: false }).schema,
        )
        if (!from || !until) throw new Error('There are no schemas.')
        const steps = migrationPlan(from, until, database).steps.filter(({ question }) => question !== null)
        for (const { key: one, text } of steps) {
          expect([seed, dialect, database, text, counted.includes(one)]).toEqual([seed, dialect, database, text, true])
          kinds.add(String(JSON.parse(one)[0]))
        }
      }
    }
  }
  expect([...kinds].toSorted()).toEqual([
    'choices',
    'droppedColumn',
    'droppedTable',
    'length',
    'misfits',
    'reference',
    'required',
    'unique',
  ])
})
