import { expect, it } from 'vitest'
import { NameBook } from './name-book.ts'
import { NameSheet } from './name-sheet.ts'

it('A book of names weighs what its names take, however long they are', () => {
  const book = (name: string) => {
    const rows = Array.from({ length: 1000 }, (_none, at) => ({ id: at, manifest_id: 1, name_folded: `${name}${at}` }))
    return new NameBook(1, new NameSheet(rows)).weight
  }
  // A unit is some forty bytes: a name of usual length, with its place.
  expect(book('a usual name ')).toBeGreaterThan(800)
  expect(book('a usual name ')).toBeLessThan(1200)
  expect(book('x'.repeat(590))).toBeGreaterThan(14_000)
  expect(book('字'.repeat(190))).toBeGreaterThan(9000)
})
