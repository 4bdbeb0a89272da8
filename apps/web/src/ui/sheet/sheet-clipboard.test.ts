import { describe, expect, it } from 'vitest'
import { blockOf, chosenRows, copiedCells, pastePlace } from './sheet-clipboard.ts'
import { boxColumn, headRow, newRow } from './sheet-state.ts'

const rows = ['a', 'b', 'c', 'other page']
const order = { rows: [headRow, 'a', 'b', 'c', newRow], columns: [boxColumn, 'name', 'type', 'length'] }
const none = new Set<string>()

const range = (top: number, left: number, bottom = top, right = left) => ({ top, left, bottom, right })
const copied = (chosen: ReturnType<typeof range> | null, selected = none) =>
  copiedCells({ order, rows, range: chosen, selected })
const place = (chosen: ReturnType<typeof range> | null) => pastePlace({ order, rows, range: chosen, selected: none })

describe('a copy in a sheet', () => {
  it('takes the cells of the range', () => {
    const cells = { rows: ['a', 'b'], columns: ['type', 'length'], isWhole: false }
    expect(copied(range(1, 2, 2, 3))).toEqual(cells)
    expect(copied(range(1, 2, 2, 3), new Set(['a', 'b']))).toEqual(cells)
    expect(copied(range(1, 1, 1, 1), new Set(['a']))).toMatchObject({ rows: ['a'], columns: ['name'] })
  })

  it('takes whole rows if the boxes or further rows are chosen, also of other pages', () => {
    const whole = { columns: ['name', 'type', 'length'], isWhole: true }
    expect(copied(range(2, 0), new Set(['b']))).toEqual({ rows: ['b'], ...whole })
    expect(copied(range(2, 1), new Set(['other page', 'a']))).toEqual({ rows: ['a', 'other page'], ...whole })
    expect(copied(range(1, 1, 2, 3))).toEqual({ rows: ['a', 'b'], ...whole })
  })

  it('takes nothing of the head and of the last, empty row', () => {
    expect([copied(null), copied(range(0, 1)), copied(range(4, 1)), copied(range(2, 0))]).toEqual([
      null,
      null,
      null,
      null,
    ])
    expect(copied(range(3, 1, 4, 1))).toMatchObject({ rows: ['c'] })
  })
})

describe('the rows that keys act on', () => {
  it('are the chosen ones if they are others than those of the range or their boxes have the focus', () => {
    const chosen = (at: ReturnType<typeof range>, ...selected: string[]) =>
      chosenRows({ order, rows, range: at, selected: new Set(selected) })
    expect(chosen(range(3, 2), 'a', 'c')).toEqual(['a', 'c'])
    expect(chosen(range(1, 0), 'a')).toEqual(['a'])
    expect([chosen(range(1, 2, 2, 2), 'a', 'b'), chosen(range(1, 2), 'a'), chosen(range(0, 0), 'a', 'b')]).toEqual([
      null,
      null,
      null,
    ])
  })
})

describe('the block that is chosen after a paste', () => {
  it('has the pasted rows, and the columns from the first to the last pasted one', () => {
    expect(blockOf({ rows: ['c', 'b'], columns: ['length', 'name', 'hidden'] }, order)).toEqual({
      rows: ['b', 'c'],
      first: { row: 'b', column: 'name' },
      last: { row: 'c', column: 'length' },
    })
  })

  it('has no rows between the pinned key and those below', () => {
    expect(blockOf({ rows: ['a', 'c'], columns: ['type'] }, order)?.rows).toEqual(['c'])
    expect(blockOf({ rows: ['a'], columns: ['type'] }, order)?.rows).toEqual(['a'])
  })

  it('is empty if no pasted cell is shown', () => {
    expect(blockOf({ rows: ['deleted'], columns: ['type'] }, order)).toBeNull()
    expect(blockOf({ rows: ['a'], columns: ['hidden'] }, order)).toBeNull()
  })
})

describe('a paste in a sheet', () => {
  it('goes on from the first cell of the range, over all pages', () => {
    expect(place(range(2, 2, 3, 2))).toEqual({
      rows: ['b', 'c', 'other page'],
      columns: ['type', 'length'],
      chosen: { rows: 2, columns: 1 },
    })
  })

  it('begins with the first column if boxes have the focus, and adds rows in the last row', () => {
    expect(place(range(3, 0))).toMatchObject({ rows: ['c', 'other page'], columns: ['name', 'type', 'length'] })
    expect(place(range(4, 1))).toMatchObject({ rows: [], columns: ['name', 'type', 'length'] })
  })

  it('has no place in the head', () => {
    expect([place(null), place(range(0, 1))]).toEqual([null, null])
  })
})
