import { describe, expect, it } from 'vitest'
import { coveredAbove, stickyParents } from './tree-moves.ts'

const rows = (...levels: number[]) => levels.map(level => ({ level }))

describe('sticky parents of a tree', () => {
  it('sticky parents are the ancestors of the first rows in view, outermost first', () => {
    //                 0  1  2  3  4  5  6  7
    const tree = rows(1, 2, 3, 3, 3, 2, 3, 1)
    expect(stickyParents(tree, 0)).toEqual([])
    expect(stickyParents(tree, 3)).toEqual([0, 1])
    expect(stickyParents(tree, 7)).toEqual([])
  })

  it('parents in view are not sticky, considering that each line covers a row', () => {
    expect(stickyParents(rows(1, 2, 3, 2, 3), 1)).toEqual([0, 1])
    expect(stickyParents(rows(1, 2, 2, 2), 1)).toEqual([0])
  })

  it('at most four parents are sticky at any depth', () => {
    const deep = rows(...Array.from({ length: 40 }, (_, index) => index + 1))
    expect(stickyParents(deep, 18)).toEqual([0, 1, 2, 3])
    expect(coveredAbove({ level: 19 })).toBe(4)
    expect(coveredAbove({ level: 2 })).toBe(1)
  })
})
