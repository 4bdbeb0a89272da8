import type { ReviewedEntity } from '@cadmus/model/contract/import-review'
import { expect, it } from 'vitest'
import { reviewRows, type ReviewState, toggledAt } from './review-rows.ts'

const none = { attributes: 0, relationships: 0, keys: 0, uniques: 0, indexes: 0 }
const manifests = [
  { name: 'Shop', parent: null, entities: 1, ...none },
  { name: 'Stock', parent: 0, entities: 2, ...none },
  { name: 'Empty', parent: 0, entities: 0, ...none },
]
const entity = (index: number, name: string, more: Partial<ReviewedEntity> = {}): ReviewedEntity => ({
  ...none,
  index,
  name,
  manifest: 0,
  problems: 0,
  lost: 0,
  changed: 0,
  notes: 0,
  ...more,
})
const entities = [
  entity(0, 'Order', { attributes: 2, relationships: 1, keys: 1 }),
  entity(1, 'Bin', { manifest: 1, lost: 2 }),
  entity(2, 'Shelf', { manifest: 1 }),
]
const state = (change: Partial<ReviewState> = {}): ReviewState => ({
  existing: new Map(),
  leftOut: new Set(),
  folded: new Set(),
  filter: { search: '', only: 'all' },
  ...change,
})
const rows = (change: Partial<ReviewState> = {}) => reviewRows({ manifests }, entities, state(change))
const shown = (change: Partial<ReviewState> = {}) =>
  rows(change).map(({ level, label, checked, posInSet, setSize }) => [level, label, checked, `${posInSet}/${setSize}`])

it('shows manifests with their sub-manifests and entities', () => {
  expect(shown({ leftOut: new Set([2]) })).toEqual([
    [1, 'Shop', 'mixed', '1/1'],
    [2, 'Stock', 'mixed', '1/3'],
    [3, 'Bin', true, '1/2'],
    [3, 'Shelf', false, '2/2'],
    [2, 'Empty', undefined, '2/3'],
    [2, 'Order', true, '3/3'],
  ])
  expect(rows()[0]).toMatchObject({ count: 3, expanded: true })
  expect(rows()[2]).toMatchObject({ problems: { severity: 'warning', count: 2 } })
  expect(rows().at(-1)).toMatchObject({
    detail: '3 columns',
    title: 'Order: 2 attributes, 1 relationship, 1 primary key',
  })
})

it('folds manifests, unless a filter shows what is in them', () => {
  const folded = new Set([1])
  expect(shown({ folded }).map(([, label]) => label)).toEqual(['Shop', 'Stock', 'Empty', 'Order'])
  const filter = { search: 'bI', only: 'all' } as const
  expect(shown({ folded, filter }).map(([, label]) => label)).toEqual(['Shop', 'Stock', 'Bin'])
  const losses = { search: '', only: 'findings' } as const
  expect(shown({ filter: losses }).map(([, label]) => label)).toEqual(['Shop', 'Stock', 'Bin'])
  expect(shown({ filter: { search: 'zzz', only: 'all' } })).toEqual([])
})

it('leaves out an entity, or all of a manifest that the filter shows', () => {
  const toggled = (id: string, leftOut: number[] = [], search = '') =>
    [
      ...toggledAt(id, { manifests }, entities, {
        leftOut: new Set(leftOut),
        filter: { search, only: 'all' },
        existing: new Map(),
      }),
    ].toSorted()
  expect(toggled('entity 1')).toEqual([1])
  expect(toggled('entity 1', [1, 2])).toEqual([2])
  expect(toggled('manifest 1')).toEqual([1, 2])
  expect(toggled('manifest 0', [2])).toEqual([])
  expect(toggled('manifest 0')).toEqual([0, 1, 2])
  expect(toggled('manifest 0', [], 'shelf')).toEqual([2])
})

it('says what becomes of entities that exist, and filters them', () => {
  const existing = new Map([[1, 'beside' as const]])
  const filter = { search: '', only: 'existing' } as const
  expect(rows({ existing, filter }).map(({ label }) => label)).toEqual(['Shop', 'Stock', 'Bin'])
  expect(rows({ existing, filter }).at(-1)?.detail).toBe('0 columns · keep both')
  expect(rows({ existing, filter, leftOut: new Set([1]) }).at(-1)?.detail).toBe('0 columns')
})
