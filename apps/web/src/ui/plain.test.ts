import { describe, expect, it } from 'vitest'
import { initialsOf } from './initials.ts'
import { moved, pageOf, pressed, stepped, toggled } from './table-state.ts'
import { treeMove } from './tree-moves.ts'
import { rowsInView, scrollFor } from './use-window.ts'

const order = ['a', 'b', 'c', 'd']
const plain = { ctrlKey: false, metaKey: false, shiftKey: false }

describe('selecting table rows', () => {
  it('a click selects the row alone', () => {
    expect(pressed(order, new Set(['b', 'c']), 'b', 'a', plain)).toEqual(new Set(['a']))
  })
  it('a click with Ctrl toggles the row', () => {
    expect(pressed(order, new Set(['b']), 'b', 'd', { ...plain, ctrlKey: true })).toEqual(new Set(['b', 'd']))
    expect(pressed(order, new Set(['b', 'd']), 'b', 'd', { ...plain, metaKey: true })).toEqual(new Set(['b']))
  })
  it('a click with Shift selects all rows in between, in both directions', () => {
    expect(pressed(order, new Set(), 'b', 'd', { ...plain, shiftKey: true })).toEqual(new Set(['b', 'c', 'd']))
    expect(pressed(order, new Set(), 'd', 'b', { ...plain, shiftKey: true })).toEqual(new Set(['b', 'c', 'd']))
  })
  it('a click with Ctrl and Shift adds the rows in between', () => {
    const both = { ...plain, ctrlKey: true, shiftKey: true }
    expect(pressed(order, new Set(['a']), 'c', 'd', both)).toEqual(new Set(['a', 'c', 'd']))
  })
  it('a click with Shift and a missing anchor selects the row alone', () => {
    expect(pressed(order, new Set(), 'x', 'b', { ...plain, shiftKey: true })).toEqual(new Set(['b']))
  })
  it('toggling does not modify the given selection', () => {
    const before = new Set(['a'])
    expect(toggled(before, 'a')).toEqual(new Set())
    expect(before).toEqual(new Set(['a']))
  })
})

describe('reordering table rows', () => {
  it('a row moves before or after another', () => {
    expect(moved(order, 'd', 'b', 'top')).toEqual(['a', 'd', 'b', 'c'])
    expect(moved(order, 'a', 'c', 'bottom')).toEqual(['b', 'c', 'a', 'd'])
  })
  it('a move without effect gives null', () => {
    expect(moved(order, 'b', 'b', 'top')).toBeNull()
    expect(moved(order, 'b', 'a', 'bottom')).toBeNull()
    expect(moved(order, 'b', 'c', 'top')).toBeNull()
    expect(moved(order, 'x', 'a', 'top')).toBeNull()
  })
  it('Alt+Up and Alt+Down move a row by one and stop at the ends', () => {
    expect(stepped(order, new Set('b'), -1)).toEqual(['b', 'a', 'c', 'd'])
    expect(stepped(order, new Set('b'), 1)).toEqual(['a', 'c', 'b', 'd'])
    expect(stepped(order, new Set('a'), -1)).toBeNull()
    expect(stepped(order, new Set('d'), 1)).toBeNull()
    expect(stepped(order, new Set('bc'), 1)).toEqual(['a', 'd', 'b', 'c'])
    expect(stepped(order, new Set('bd'), -1)).toEqual(['b', 'a', 'd', 'c'])
    expect([stepped(order, new Set('ac'), -1), stepped(order, new Set('x'), 1)]).toEqual([null, null])
  })
})

describe('paging', () => {
  const rows = Array.from({ length: 31 }, (_, index) => index)
  it('pageOf splits rows into pages and counts them', () => {
    expect(pageOf(rows, 2, 15)).toMatchObject({ rows: [30], page: 2, pages: 3 })
  })
  it('rows that fit on one page form one page', () => {
    expect(pageOf(rows.slice(0, 15), 0, 15).pages).toBe(1)
    expect(pageOf([], 0, 15)).toMatchObject({ rows: [], pages: 1, page: 0 })
  })
  it('a page that no longer exists after a deletion falls back to the last one', () => {
    expect(pageOf(rows.slice(0, 15), 2, 15)).toMatchObject({ page: 0, pages: 1 })
  })
})

describe('tree keys', () => {
  const rows = [
    { level: 1, expanded: true, label: 'Custom' },
    { level: 2, expanded: false, label: 'Entities' },
    { level: 2, expanded: true, label: 'Manifests' },
    { level: 3, expanded: null, label: 'Sales' },
  ]
  it('up, down, Home and End move the focus in a tree', () => {
    expect(treeMove(rows, 1, 'ArrowDown')).toEqual({ kind: 'focus', index: 2 })
    expect(treeMove(rows, 0, 'ArrowUp')).toBeNull()
    expect(treeMove(rows, 1, 'End')).toEqual({ kind: 'focus', index: 3 })
    expect(treeMove(rows, 3, 'Home')).toEqual({ kind: 'focus', index: 0 })
  })
  it('the right arrow unfolds, then enters; the left arrow folds, then moves to the parent', () => {
    expect(treeMove(rows, 1, 'ArrowRight')).toEqual({ kind: 'toggle' })
    expect(treeMove(rows, 2, 'ArrowRight')).toEqual({ kind: 'focus', index: 3 })
    expect(treeMove(rows, 3, 'ArrowRight')).toBeNull()
    expect(treeMove(rows, 2, 'ArrowLeft')).toEqual({ kind: 'toggle' })
    expect(treeMove(rows, 3, 'ArrowLeft')).toEqual({ kind: 'focus', index: 2 })
    expect(treeMove(rows, 1, 'ArrowLeft')).toEqual({ kind: 'focus', index: 0 })
  })
  it('a letter moves to the next row that starts with it, wrapping around', () => {
    expect(treeMove(rows, 0, 's')).toEqual({ kind: 'focus', index: 3 })
    expect(treeMove(rows, 3, 'c')).toEqual({ kind: 'focus', index: 0 })
    expect(treeMove(rows, 0, 'x')).toBeNull()
  })
})

describe('initials', () => {
  it('initials are the first letters of the first and last word', () => {
    expect(initialsOf('Dan the Designer')).toBe('DD')
    expect(initialsOf('globex')).toBe('G')
    expect(initialsOf('')).toBe('')
    expect(initialsOf('😀 x')).toBe('😀X')
  })
})

describe('rows in view', () => {
  const view = { top: 2800, height: 280 }
  it('rows in view include a margin, regardless of the number of rows', () => {
    const shown = rowsInView(view, 100_000, 28, -1)
    expect([shown[0], shown.at(-1), shown.length]).toEqual([88, 122, 35])
  })
  it('rows in view always include the focused row', () => {
    expect(rowsInView(view, 1000, 28, 3)[0]).toBe(3)
    expect(rowsInView(view, 1000, 28, 900).at(-1)).toBe(900)
    expect(rowsInView(view, 1000, 28, 100)).toHaveLength(35)
  })
  it('rows in view end at the last row', () => {
    expect(rowsInView({ top: 0, height: 800 }, 3, 28, 7)).toEqual([0, 1, 2])
    expect(rowsInView({ top: 0, height: 800 }, 0, 28, -1)).toEqual([])
    expect(rowsInView({ top: 99_999, height: 800 }, 3, 28, -1)).toEqual([])
  })
  it('scrolling to a row moves only as far as needed', () => {
    expect(scrollFor(view, 105, 28)).toBeNull()
    expect(scrollFor(view, 10, 28)).toBe(280)
    expect(scrollFor(view, 200, 28)).toBe(201 * 28 - 280)
  })
})
