import type { Box } from '@cadmus/diagram/geometry'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { aligned, distributed, type Edge } from './align.ts'

const box = (left: number, top: number, height = 100): Box => ({ left, top, right: left + 240, bottom: top + height })
const boxes = new Map([
  [1, box(0, 0)],
  [2, box(300, 40, 200)],
  [3, box(1000, 10)],
])

describe('aligning cards', () => {
  it.each<[Edge, number[]]>([
    ['left', [0, 0, 0]],
    ['centre', [500, 500, 500]],
    ['right', [1000, 1000, 1000]],
  ])('by their %s moves them across only', (edge, lefts) => {
    const moved = [...aligned(boxes, edge).values()]
    expect(moved.map(({ x }) => x)).toEqual(lefts)
    expect(moved.map(({ y }) => y)).toEqual([0, 40, 10])
  })

  it.each<[Edge, number[]]>([
    ['top', [0, 0, 0]],
    ['middle', [70, 20, 70]],
    ['bottom', [140, 40, 140]],
  ])('by their %s moves them up and down only', (edge, tops) => {
    expect([...aligned(boxes, edge).values()].map(({ y }) => y)).toEqual(tops)
  })
})

describe('distributing cards', () => {
  it('makes the gaps equal, and the outermost two stay', () => {
    expect([...distributed(boxes, 'across')]).toEqual([
      [1, { x: 0, y: 0 }],
      [2, { x: 500, y: 40 }],
      [3, { x: 1000, y: 10 }],
    ])
  })

  it('does nothing with fewer than three', () => {
    expect(distributed(new Map([...boxes].slice(0, 2)), 'down').size).toBe(0)
  })

  it('keeps the order of any cards', () => {
    const some = fc.array(fc.record({ left: fc.integer({ min: -5000, max: 5000 }), top: fc.nat(5000) }), {
      minLength: 3,
      maxLength: 20,
    })
    fc.assert(
      fc.property(some, places => {
        const all = new Map(places.map(({ left, top }, card) => [card, box(left, top)]))
        const order = places.map((_, card) => card).toSorted((a, b) => all.get(a)!.left - all.get(b)!.left)
        const moved = distributed(all, 'across')
        const lefts = order.map(card => moved.get(card)!.x)
        expect(lefts).toEqual(lefts.toSorted((a, b) => a - b))
      }),
    )
  })
})
