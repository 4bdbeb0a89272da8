import type { ScopeChange } from '@cadmus/model/contract/comparison'
import { expect, it } from 'vitest'
import { scopeRows } from './scope-rows.ts'

const change = (fields: Partial<ScopeChange>): ScopeChange => ({
  entity: 'Order',
  operation: 'select',
  before: ['a'],
  after: ['a', 'b'],
  opens: true,
  ...fields,
})

it('operations of an entity that change alike are one row, what opens to everyone first', () => {
  const rows = scopeRows([
    change({}),
    change({ operation: 'delete', before: null, after: [] }),
    change({ operation: 'insert' }),
    change({ operation: 'update', after: null, opens: false }),
    change({ entity: 'Note', before: [], after: [] }),
  ])
  expect(
    rows.map(({ effect, entity, operations, before, after }) => [effect, entity, operations, before, after]),
  ).toEqual([
    ['everyone', 'Order', 'Delete', 'not offered', 'no scope'],
    ['everyone', 'Note', 'Select', 'no scope', 'no authentication'],
    ['opens', 'Order', 'Select, Insert', 'a', 'a, b'],
    ['changed', 'Order', 'Update', 'a', 'not offered'],
  ])
})
