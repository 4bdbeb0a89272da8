import { expect, it } from 'vitest'
import { addingId, jsonRows, rowIdAt } from './json-rows.ts'

const content = {
  name: 'Customer',
  traits: [1, { deep: null }],
  items: [
    { uid: 'a', name: 'code' },
    { uid: 'b', name: '' },
  ],
  target: { id: 1, uid: 'a' },
}

const shown = (unfolded: readonly string[], adding: string | null = null) =>
  jsonRows(content, new Set(unfolded), adding).map(
    ({ tree: { level, label, detail, expanded, posInSet, setSize } }) =>
      `${'  '.repeat(level - 1)}${label}${detail ?? ''} ${expanded} ${posInSet}/${setSize}`,
  )

it('lists unfolded JSON rows with their number of siblings', () => {
  expect(shown([])).toEqual(['name null 1/4', 'traits false 2/4', 'items false 3/4', 'target false 4/4'])
  expect(shown([rowIdAt(content, ['items'])])).toEqual([
    'name null 1/4',
    'traits false 2/4',
    'items true 3/4',
    '  code[0] false 1/2',
    '  1 false 2/2',
    'target false 4/4',
  ])
})

it('identifies a list item with a uid wherever it moves in its list', () => {
  const moved = { ...content, items: content.items.toReversed() }
  expect(rowIdAt(moved, ['items', 1, 'name'])).toBe(rowIdAt(content, ['items', 0, 'name']))
  expect(rowIdAt(content, ['items', 0])).not.toBe(rowIdAt(content, ['items', 1]))
})

it('gives a new JSON value a row at the end of its list, with a unique id', () => {
  const traits = rowIdAt(content, ['traits'])
  expect(shown([traits], traits).slice(1, 5)).toEqual([
    'traits true 2/4',
    '  0 null 1/3',
    '  1 false 2/3',
    '  2 null 3/3',
  ])
  const ids = jsonRows({ ...content, '+': 1 }, new Set([traits]), traits).map(({ tree }) => tree.id)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids).toContain(addingId(traits))
})
