import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Box } from './geometry.ts'
import { cardsWithin, GridIndex, indexCards } from './grid-index.ts'
import { sceneOf } from './testing/scenes.ts'

const coordinate = fc.oneof(fc.integer({ min: -3000, max: 3000 }), fc.constantFrom(-10_000_000, 10_000_000))
const box = fc
  .record({ left: coordinate, top: coordinate, width: fc.nat(2000), height: fc.nat(2000) })
  .map(({ left, top, width, height }) => ({ left, top, right: left + width, bottom: top + height }))

function touch(a: Box, b: Box): boolean {
  return a.left <= b.right && b.left <= a.right && a.top <= b.bottom && b.top <= a.bottom
}

describe('the index of a diagram', () => {
  it('a search visits every item that touches its box, each once, after moves as well', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(box, { maxLength: 3 }), { maxLength: 30 }),
        fc.array(fc.tuple(fc.nat(29), fc.array(box, { maxLength: 3 })), { maxLength: 40 }),
        box,
        (items, moves, searched) => {
          const index = new GridIndex(items.length, (item, cover) => items[item]!.forEach(cover))
          for (const [item, boxes] of moves) if (item < items.length) index.move(item, boxes)
          const moved = new Map(moves)
          const boxesNow = (item: number) => moved.get(item) ?? items[item]!
          const hits = index.search(searched)
          expect(new Set(hits).size).toBe(hits.length)
          const missed = items
            .keys()
            .filter(item => !hits.includes(item) && boxesNow(item).some(one => touch(one, searched)))
          expect([...missed]).toEqual([])
        },
      ),
      { numRuns: 500 },
    )
  })

  it('items far from a box are not visited', () => {
    const index = new GridIndex(2, (item, cover) =>
      cover({ left: item * 9000, top: 0, right: item * 9000 + 9, bottom: 9 }),
    )
    expect(index.search({ left: 8999, top: 0, right: 9001, bottom: 1 })).toEqual([1])
    index.move(1, { left: 500_000, top: 0, right: 500_001, bottom: 1 })
    expect(index.search({ left: 8999, top: 0, right: 9001, bottom: 1 })).toEqual([])
    expect(index.moved).toBe(1)
    index.move(1, undefined)
    expect(index.search({ left: -9e6, top: 0, right: 9e6, bottom: 1 })).toEqual([0])
  })

  it('a box across the whole diagram and a view of the whole diagram cost no more than all items', () => {
    const wide = { left: -10_000_000, top: -10_000_000, right: 10_000_000, bottom: 10_000_000 }
    const index = new GridIndex(3, (item, cover) =>
      cover(item === 0 ? wide : { ...wide, right: -9_999_999, bottom: -9_999_999 }),
    )
    expect(index.search({ left: 0, top: 0, right: 1, bottom: 1 })).toEqual([0])
    expect(index.search(wide).toSorted()).toEqual([0, 1, 2])
  })

  it('cards within a box are those with some part in it', () => {
    const scene = sceneOf([1, 1, 1], [])
    const places = { x: Float32Array.of(0, 100, 1000), y: Float32Array.of(0, 10, 0) }
    const cards = indexCards(scene, places)
    expect(cardsWithin(scene, places, cards, { left: 240, top: 0, right: 1000, bottom: 50 })).toEqual([1])
  })
})
