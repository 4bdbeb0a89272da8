import { describe, expect, it } from 'vitest'
import {
  atCell,
  boxColumn,
  cellAfter,
  existingCell,
  headRow,
  initialSheet,
  newRow,
  nextCell,
  nextMarked,
  rangeOf,
  type SheetOrder,
} from './sheet-state.ts'

const order: SheetOrder = {
  rows: [headRow, 'a', 'b', 'c', newRow],
  columns: [boxColumn, 'name', 'type', 'note'],
}
const at = (row: string, column: string) => ({ row, column })

describe('Keys that move the current cell', () => {
  it.each([
    ['ArrowDown', {}, at('b', 'type')],
    ['ArrowUp', {}, at(headRow, 'type')],
    ['ArrowLeft', {}, at('a', 'name')],
    ['ArrowRight', {}, at('a', 'note')],
    ['Home', {}, at('a', 'name')],
    ['End', {}, at('a', 'note')],
    ['PageDown', {}, at('c', 'type')],
    ['PageUp', {}, at('a', 'type')],
    ['Home', { ctrlKey: true }, at('a', 'name')],
    ['End', { metaKey: true }, at(newRow, 'note')],
    ['ArrowDown', { ctrlKey: true }, at(newRow, 'type')],
  ])('%s with %o moves to the expected cell', (key, modifiers, expected) => {
    const press = { key, ctrlKey: false, metaKey: false, ...modifiers }
    expect(cellAfter(at('a', 'type'), press, order, 2)).toEqual(expected)
  })

  it('arrow keys stop at the edges, and reach the checkboxes', () => {
    const press = (key: string, cell: ReturnType<typeof at>) =>
      cellAfter(cell, { key, ctrlKey: false, metaKey: false }, order, 2)
    expect(press('ArrowUp', at(headRow, 'name'))).toEqual(at(headRow, 'name'))
    expect(press('ArrowDown', at(newRow, 'name'))).toEqual(at(newRow, 'name'))
    expect(press('ArrowLeft', at('b', 'name'))).toEqual(at('b', boxColumn))
    expect(press('ArrowRight', at('b', 'note'))).toEqual(at('b', 'note'))
    expect(press('x', at('b', 'note'))).toBeNull()
  })
})

describe('Tab', () => {
  it('goes on to the next row after the last column and skips the checkboxes', () => {
    expect(nextCell(at('a', 'name'), 1, order)).toEqual(at('a', 'type'))
    expect(nextCell(at('a', 'note'), 1, order)).toEqual(at('b', 'name'))
    expect(nextCell(at('b', 'name'), -1, order)).toEqual(at('a', 'note'))
  })

  it('leaves the sheet after the last and before the first cell', () => {
    expect(nextCell(at(newRow, 'note'), 1, order)).toBeNull()
    expect(nextCell(at('a', 'name'), -1, order)).toBeNull()
  })
})

describe('The range of cells', () => {
  it('extends from its anchor in any direction and collapses without Shift', () => {
    const start = atCell(initialSheet, at('b', 'type'), order)
    const up = atCell(start, at('a', 'name'), order, true)
    expect(rangeOf(up, order)).toEqual({ top: 1, bottom: 2, left: 1, right: 2 })
    const down = atCell(up, at('c', 'note'), order, true)
    expect(rangeOf(down, order)).toEqual({ top: 2, bottom: 3, left: 2, right: 3 })
    expect(rangeOf(atCell(down, at('c', 'name'), order), order)).toEqual({ top: 3, bottom: 3, left: 1, right: 1 })
  })

  it('is empty before a cell was chosen, and while one corner is not shown', () => {
    expect(rangeOf(initialSheet, order)).toBeNull()
    expect(rangeOf(atCell(initialSheet, at('gone', 'type'), order), order)).toBeNull()
  })
})

describe('A current cell that no longer exists', () => {
  it('is replaced by the cell at its place', () => {
    const without = { ...order, rows: [headRow, 'a', 'c', newRow] }
    expect(existingCell({ cell: at('b', 'type'), place: 2 }, without)).toEqual(at('c', 'type'))
    expect(existingCell({ cell: at('c', 'hidden'), place: 3 }, without)).toEqual(at('c', 'name'))
  })

  it('is the first cell at first, and the same object while it exists', () => {
    expect(existingCell(initialSheet, order)).toEqual(at('a', 'name'))
    const cell = at('b', 'note')
    expect(existingCell({ cell, place: 1 }, order)).toBe(cell)
  })
})

describe('Marked cells', () => {
  const isMarked = (row: string, column: string) =>
    (row === 'a' && column === 'note') || (row === 'c' && column === 'name')

  it('are visited in reading order and start over at the end', () => {
    expect(nextMarked(null, 1, order, isMarked)).toEqual(at('a', 'note'))
    expect(nextMarked(at('a', 'note'), 1, order, isMarked)).toEqual(at('c', 'name'))
    expect(nextMarked(at('c', 'name'), 1, order, isMarked)).toEqual(at('a', 'note'))
    expect(nextMarked(at('a', 'note'), -1, order, isMarked)).toEqual(at('c', 'name'))
    expect(nextMarked(at('a', 'note'), 1, order, () => false)).toBeNull()
  })
})
