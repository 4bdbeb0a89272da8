import { expect, it } from 'vitest'
import { NameBook } from './name-book.ts'
import { NameSheet } from './name-sheet.ts'

it('the weight of a name index grows with the length of its names', () => {
  const book = (name: string) => {
    const rows = Array.from({ length: 1000 }, (_none, at) => ({ id: at, manifest_id: 1, name_folded: `${name}${at}` }))
    return new NameBook(1, new NameSheet(rows)).weight
  }
  // A unit is about forty bytes: a name of usual length with its position.
  expect(book('a usual name ')).toBeGreaterThan(800)
  expect(book('a usual name ')).toBeLessThan(1200)
  expect(book('x'.repeat(590))).toBeGreaterThan(14_000)
  expect(book('字'.repeat(190))).toBeGreaterThan(9000)
})
