import { expect, it } from 'vitest'
import { noScopes } from '../entity.ts'
import { newTypeAttribute } from '../type-attribute.ts'
import { impactOfEdits } from './edit-impact.ts'
import type { EntityEdit } from './entity-edits.ts'

const added = (nullable: boolean): EntityEdit => ({
  kind: 'addAttributes',
  added: [{ item: newTypeAttribute({ name: 'town', position: 1, nullable }), before: null }],
})
const changed = (
  change: Extract<EntityEdit, { kind: 'changeAttributes' }>['changes'][number]['change'],
): EntityEdit => ({
  kind: 'changeAttributes',
  changes: [{ uid: 'town', change }],
})

it.each<[string, EntityEdit]>([
  ['a description', { kind: 'changeEntity', change: { description: 'Ward' } }],
  ['the description of an attribute', changed({ description: 'Where' })],
  ['a new nullable attribute', added(true)],
  ['an order', { kind: 'moveColumns', moves: [{ uid: 'town', before: null }], places: [] }],
])('%s has no impact', (_what, edit) => {
  expect(impactOfEdits([edit])).toEqual({ entity: false, columns: new Set(), any: false })
})

it.each<[string, EntityEdit, boolean, string[]]>([
  ['a name', { kind: 'changeEntity', change: { name: 'Ward' } }, true, []],
  ['the length of an attribute', changed({ maxLength: 3, description: 'Where' }), false, ['town']],
  ['a new attribute that needs a value', added(false), false, []],
  ['a removed attribute', { kind: 'removeAttributes', uids: ['town'] }, false, []],
  ['a scope', { kind: 'changeScopes', change: { selectOperationScopes: noScopes.selectOperationScopes } }, false, []],
])('%s may have an impact', (_what, edit, entity, columns) => {
  expect(impactOfEdits([edit])).toEqual({ entity, columns: new Set(columns), any: true })
})
