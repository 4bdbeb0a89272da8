import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  changedPlacements,
  changesOf,
  inverseViewEdit,
  mergePlacements,
  type Placement,
  type PlacementChanges,
  type StoredPlacement,
  viewEdit,
  viewName,
} from './view.ts'

const place = fc.record({
  x: fc.integer({ min: -3, max: 3 }),
  y: fc.integer({ min: -3, max: 3 }),
  hidden: fc.boolean(),
})
const uid = fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor')
const placements = fc.dictionary(uid, place, { noNullPrototype: true })
const changes = fc.dictionary(uid, fc.option(place), { noNullPrototype: true })
const at = (x: number, hidden = false): Placement => ({ x, y: 0, hidden })

describe('Edits of a view', () => {
  it('an edit and its inverse give back the very placements', () => {
    fc.assert(
      fc.property(placements, changes, (before, requested) => {
        const edit = viewEdit('Move', before, requested)
        if (edit === null) return
        const after = changedPlacements(before, changesOf(edit))
        expect(after).toEqual(changedPlacements(before, requested))
        expect(changedPlacements(after, changesOf(inverseViewEdit(edit)))).toEqual(before)
      }),
    )
  })

  it('a step that changes nothing is no edit', () => {
    expect(viewEdit('Move', { a: at(1) }, { a: at(1), b: null })).toBeNull()
    expect(viewEdit('Move', { a: at(1) }, { a: at(1), b: at(2) })).toEqual({
      label: 'Move',
      changes: { b: { before: null, after: at(2) } },
    })
  })
})

describe('Merging placements', () => {
  const stored = new Map<string, StoredPlacement>([
    ['old', { placement: at(1), revision: 3, userId: 'bob' }],
    ['new', { placement: at(1), revision: 5, userId: 'bob' }],
    ['mine', { placement: at(1), revision: 5, userId: 'ada' }],
    ['removed', { placement: null, revision: 5, userId: 'bob' }],
  ])
  const merge = (requested: PlacementChanges, base = 4) => {
    const { applied, refused } = mergePlacements(stored, requested, { base, userId: 'ada' })
    return { applied: [...applied.keys()], refused }
  }

  it('refuses only cards that another user has changed since the base', () => {
    const requested = { old: at(2), new: at(2), mine: at(2), removed: at(2), added: at(2) }
    expect(merge(requested)).toEqual({ applied: ['old', 'mine', 'added'], refused: ['new', 'removed'] })
    expect(merge(requested, 5).refused).toEqual([])
  })

  it('a change to the stored placement is neither applied nor refused', () => {
    expect(merge({ new: at(1), removed: null, old: at(1) })).toEqual({ applied: [], refused: [] })
    expect(merge({ new: at(1, true) }).refused).toEqual(['new'])
  })
})

it.each([
  ['Overview', undefined],
  ['', 'this is a required field'],
  ['x'.repeat(101), 'this must be 1 to 100 characters long.'],
  ['ORDERS', 'There is already a view named ORDERS.'],
])('the name of a view is required, short and unique: %s', (name, problem) => {
  expect(viewName(name, new Set(['orders']))).toBe(problem)
})
