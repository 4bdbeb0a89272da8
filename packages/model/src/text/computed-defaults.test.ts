import { expect, it } from 'vitest'
import { applyEntityEdits } from '../edits/entity-edits.ts'
import { aKey, aList, anEntity, aTypeAttribute } from '../testing/builders.ts'
import { printModel } from './print.ts'
import { readModel } from './testing/at-once.ts'
import { edited } from './testing/edited-text.ts'

it('a text has computed defaults as expressions, and takes a value or none in their place', () => {
  const moment = aTypeAttribute({ name: 'made', dataType: 'dateTime', format: 'instant', defaultKind: 'now' })
  const day = aTypeAttribute({ name: 'day', dataType: 'dateTime', format: 'date', defaultKind: 'today' })
  const log = anEntity({ name: 'Log', typeAttributes: aList(aKey(), moment, day) })
  const { id, path, ...content } = log
  const table = { id, path, content, isEditable: true, primaryKey: 'id' }
  const logs = { project: { name: 'Shop', description: '' }, entities: [table], others: [] }
  const text = printModel(logs)
  expect(text.text).toMatch(/made instant \[.*default: `now\(\)`.*\n.*day date \[.*default: `current_date`/)
  const after = (from: string, to: string) =>
    applyEntityEdits(log, readModel(edited(text, [[from, to]]), logs).edits.get(log.id) ?? []).typeAttributes
  expect(after('`now()`', '`CURRENT_TIMESTAMP`')).toEqual(log.typeAttributes)
  expect(after('`current_date`', "'2026-01-31'")[2]).toMatchObject({
    defaultKind: 'literal',
    defaultValue: '2026-01-31',
  })
  // The database computes other expressions.
  expect(after('`now()`', '`now() + 1`')[1]).toMatchObject({ defaultKind: 'literal', defaultValue: null })
  expect(after('`now()`', '`now()`, null')[1]).toMatchObject({ defaultKind: 'now', nullable: true })
})
