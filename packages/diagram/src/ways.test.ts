import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Scene } from './scene.ts'
import { sceneOf } from './testing/scenes.ts'
import { hiddenNeighbours, linksOf, neighbourhood, shortestWays } from './ways.ts'

const scene = sceneOf(
  [0, 0, 0, 0, 0, 0],
  [
    { from: 0, to: 1 },
    { from: 2, to: 1 },
    { from: 2, to: 3 },
    { from: 0, to: 3 },
    { from: 1, to: 0 },
    { from: 1, to: 1 },
    { from: 4, to: 3 },
  ],
)

/** All ways between two cards, by trying every step. */
function allWays({ count, links }: Scene, way: readonly number[], to: number): number[][] {
  const last = way.at(-1)!
  if (last === to) return [[...way]]
  const next = new Set<number>()
  for (let link = 0; link < links.count; link++) {
    if (links.from[link] === last) next.add(links.to[link]!)
    if (links.to[link] === last) next.add(links.from[link]!)
  }
  return way.length > count
    ? []
    : [...next]
        .filter(card => !way.includes(card))
        .flatMap(card => allWays({ count, links } as Scene, [...way, card], to))
}

describe('ways between cards', () => {
  it('ways go over links in both directions and name all links of a step', () => {
    expect(shortestWays(scene, 0, 2)).toEqual([
      { cards: [0, 1, 2], links: [[0, 4], [1]] },
      { cards: [0, 3, 2], links: [[3], [2]] },
    ])
    expect(shortestWays(scene, 0, 2, 1)).toHaveLength(1)
    expect(shortestWays(scene, 0, 5)).toEqual([])
    expect(shortestWays(scene, 0, 0)).toEqual([])
  })

  it('the five shortest ways are no longer than the five shortest of all ways', () => {
    const arbitrary = fc
      .record({
        count: fc.integer({ min: 2, max: 7 }),
        links: fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 14 }),
      })
      .map(({ count, links }) =>
        sceneOf(
          Array.from({ length: count }, () => 0),
          links.map(([from, to]) => ({ from: from % count, to: to % count })),
        ),
      )
    fc.assert(
      fc.property(arbitrary, one => {
        const all = allWays(one, [0], 1)
        const lengths = all.map(way => way.length).toSorted((a, b) => a - b)
        const ways = shortestWays(one, 0, 1).map(({ cards }) => [...cards])
        expect(ways.map(way => way.length)).toEqual(lengths.slice(0, 5))
        expect(new Set(ways.map(String)).size).toBe(ways.length)
        for (const way of ways) expect(all).toContainEqual(way)
      }),
      { numRuns: 300 },
    )
  })

  it('a neighbourhood grows by one link in each step', () => {
    const sets = [0, 1, 2, 3].map(steps => [...neighbourhood(scene, 4, steps)].toSorted())
    expect(sets).toEqual([[4], [3, 4], [0, 2, 3, 4], [0, 1, 2, 3, 4]])
  })

  it('links of a card include self references once', () => {
    expect(linksOf(scene, 1).toSorted()).toEqual([0, 1, 4, 5])
  })

  it('hidden neighbours are counted as cards, not as links', () => {
    expect(hiddenNeighbours(scene, new Set([1, 3]))).toEqual(
      new Map([
        [0, 2],
        [2, 2],
        [4, 1],
      ]),
    )
  })
})
