import { expect, it } from 'vitest'
import { fittedColumn } from './text-width.ts'

// Without a page a letter is 7 pixels wide; the padding of a cell is 25.
it('a column fits the longest of its head and texts, with room for icons', () => {
  expect(fittedColumn('Type', [])).toBe('53px')
  expect(fittedColumn('Type', ['string', 'dateTime'], { mono: true })).toBe('81px')
  expect(fittedColumn('Name', ['accountId'], { beside: 20 })).toBe('108px')
})

it('a long text does not widen a column without end', () => {
  expect(fittedColumn('Name', ['a'.repeat(200)])).toBe('320px')
})
