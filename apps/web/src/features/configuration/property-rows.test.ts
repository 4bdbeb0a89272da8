import { expect, it } from 'vitest'
import { keysOf, withChanged } from './PropertiesPart.tsx'

const rows = (...names: string[]) => names.map(name => ({ name, value: name, secret: false }))
const keyed = { rows: rows('a', 'b', ''), keys: [4, 7, 9] }

it('a property row keeps its key when other rows are added or removed, and when it is renamed in place', () => {
  expect(keysOf(rows('b', ''), keyed)).toEqual([7, 9])
  expect(keysOf(rows('new', 'a', 'b'), keyed).slice(1)).toEqual([4, 7])
  expect(keysOf(rows('a', 'renamed', ''), keyed)).toEqual([4, 7, 9])
  expect(keysOf(rows('a', 'b', 'named'), keyed)).toEqual([4, 7, 9])
  expect(keysOf(rows('a', 'b', '', ''), keyed)).toEqual([4, 7, 9, 10])
  expect(new Set(keysOf(rows('a', 'a', 'a', 'b'), keyed)).size).toBe(4)
})

it('applies a change to the property it was made for, and restores a removed one', () => {
  const seen = { rows: rows('a', 'b', ''), keys: [4, 7, 9] }
  const change = { value: 'typed' }
  const typed = { name: 'b', value: 'typed', secret: false }
  expect(withChanged(rows('a', 'b', ''), seen, 1, change)).toEqual([...rows('a'), typed, ...rows('')])
  expect(withChanged(rows('b', 'c'), seen, 1, change)).toEqual([typed, ...rows('c')])
  expect(withChanged(rows('a'), seen, 1, change)).toEqual([...rows('a'), typed])
  expect(withChanged([], seen, 1, change)).toEqual([typed])
  // The name was applied a moment ago.
  const named = { name: 'd', value: 'typed', secret: false }
  expect(withChanged(rows('a', 'b', 'd'), seen, 2, change)).toEqual([...rows('a', 'b'), named])
})
