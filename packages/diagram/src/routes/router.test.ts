import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { boxOf, card } from '../geometry.ts'
import { indexCards } from '../grid-index.ts'
import type { Hidden, Places, Scene } from '../scene.ts'
import { placesInColumns, sceneOf } from '../testing/scenes.ts'
import { cuts } from './obstacles.ts'
import { directRoute, type Route } from './route.ts'
import { Router } from './router.ts'

function routeLinks(scene: Scene, places: Places, hidden: Hidden, links: readonly number[]): Map<number, Route> {
  const router = new Router(scene, places, hidden, indexCards(scene, places))
  return new Map(links.map(link => [link, router.route(link)]))
}

const none: Hidden = new Set()
const allLinks = (scene: Scene) => Array.from({ length: scene.links.count }, (_, link) => link)

type Line = { left: number; top: number; right: number; bottom: number }

function parts(route: Route): Line[] {
  return Array.from({ length: route.length / 2 - 1 }, (_, part) => {
    const [x, y, endX, endY] = route.subarray(2 * part, 2 * part + 4) as unknown as [number, number, number, number]
    return { left: Math.min(x, endX), right: Math.max(x, endX), top: Math.min(y, endY), bottom: Math.max(y, endY) }
  })
}

function cardsUnder(scene: Scene, places: Places, route: Route, hidden = none): number[] {
  return Array.from({ length: scene.count }, (_, index) => index)
    .filter(index => !hidden.has(index))
    .filter(index => parts(route).some(line => cuts(boxOf(scene, places, index), line)))
}

function expectEnds(scene: Scene, places: Places, link: number, route: Route): void {
  const { from, to, row } = scene.links
  const [source, target] = [boxOf(scene, places, from[link]!), boxOf(scene, places, to[link]!)]
  expect([source.left, source.right]).toContain(route[0])
  expect([target.left, target.right]).toContain(route.at(-2))
  const start = route[1]! - source.top
  expect(row[link]! < 0 ? start < card.head : start === card.head + (row[link]! + 0.5) * card.row).toBe(true)
  expect(route.at(-1)).toBeGreaterThan(target.top)
  expect(route.at(-1)).toBeLessThan(target.top + card.head)
  for (const { left, right, top, bottom } of parts(route)) expect(left === right || top === bottom).toBe(true)
}

const arbitraryScene = fc
  .record({
    rows: fc.array(fc.nat(12), { minLength: 2, maxLength: 24 }),
    links: fc.array(fc.record({ from: fc.nat(), to: fc.nat(), row: fc.nat() }), { minLength: 1, maxLength: 30 }),
  })
  .map(({ rows, links }) =>
    sceneOf(
      rows,
      links.map(({ from, to, row }) => {
        const source = from % rows.length
        return { from: source, to: to % rows.length, row: (row % (rows[source]! + 1)) - 1 }
      }),
    ),
  )

const arbitraryGaps = fc.infiniteStream(fc.constantFrom(0, 1, 8, 24, 36, 90, 300)).map(gaps => () => {
  const next = gaps.next()
  return next.done ? 0 : next.value
})

describe('routes led around cards', () => {
  it('no route runs through a card, and each begins at its row and ends at the head of its target', () => {
    fc.assert(
      fc.property(arbitraryScene, arbitraryGaps, fc.integer({ min: 1, max: 6 }), (scene, gaps, perColumn) => {
        const places = placesInColumns(scene, gaps, perColumn)
        const routes = routeLinks(scene, places, none, allLinks(scene))
        for (const [link, route] of routes) {
          expect(cardsUnder(scene, places, route)).toEqual([])
          expectEnds(scene, places, link, route)
        }
      }),
      { numRuns: 300 },
    )
  })

  const rowOfThree = sceneOf(
    [4, 4, 4],
    [
      { from: 0, to: 2, row: 1 },
      { from: 0, to: 2, row: 2 },
      { from: 1, to: 1, row: 0 },
    ],
  )
  const places = { x: Float32Array.of(0, 400, 800), y: Float32Array.of(0, 0, 0) }

  it('hidden cards are no obstacles', () => {
    const [shown, hidden] = [none, new Set([1])].map(set => routeLinks(rowOfThree, places, set, [0]).get(0)!)
    expect(cardsUnder(rowOfThree, places, shown!)).toEqual([])
    expect(cardsUnder(rowOfThree, places, hidden!)).toEqual([1])
    expect(hidden!.length).toBeLessThan(shown!.length)
  })

  it('lines beside each other use lanes of their own', () => {
    const routes = routeLinks(rowOfThree, places, none, allLinks(rowOfThree))
    const inner = [0, 1].map(link => parts(routes.get(link)!).slice(1, -1))
    for (const one of inner[0]!)
      for (const other of inner[1]!) {
        const grownOne = { left: one.left - 4, right: one.right + 4, top: one.top - 4, bottom: one.bottom + 4 }
        const alike = (one.left === one.right) === (other.left === other.right)
        expect(alike && cuts(grownOne, other)).toBe(false)
      }
  })

  it('a self reference is a loop beside its card, on the left where there is no room on the right', () => {
    const loops = [0, 400].map(x => {
      const scene = sceneOf([4, 4], [{ from: 0, to: 0, row: 2 }])
      return routeLinks(scene, { x: Float32Array.of(0, 240 + x), y: Float32Array.of(0, 0) }, none, [0]).get(0)!
    })
    expect([...loops[0]!]).toEqual([0, 80, -24, 80, -24, 15, 0, 15])
    expect([...loops[1]!]).toEqual([240, 80, 264, 80, 264, 15, 240, 15])
  })

  it('a route stays the same until its cards or a card beside it moves', () => {
    const moving = { x: places.x.slice(), y: places.y.slice() }
    const cards = indexCards(rowOfThree, moving)
    const router = new Router(rowOfThree, moving, none, cards)
    const before = [0, 2].map(link => router.route(link))
    expect(router.route(0)).toBe(before[0])
    const old = boxOf(rowOfThree, moving, 1)
    moving.y[1] = 2000
    const now = boxOf(rowOfThree, moving, 1)
    cards.move(1, now)
    expect(router.forget(new Set([1]), [old, now])).toEqual([0, 2])
    expect(router.existing(0)).toBeUndefined()
    expect(router.route(0).length).toBeLessThan(before[0]!.length)
    expect(router.forget(new Set([1]), [old, old])).toEqual([0])
  })

  it('cards upon each other do not hold the search up', () => {
    const scene = sceneOf([9, 9, 9, 9], [{ from: 0, to: 3, row: 4 }])
    const pile = { x: Float32Array.of(0, 10, 20, 30), y: Float32Array.of(0, 10, 20, 30) }
    const route = routeLinks(scene, pile, none, [0]).get(0)!
    expectEnds(scene, pile, 0, route)
  })
})

describe('direct routes', () => {
  it('have at most three parts and connect the nearer sides', () => {
    const scene = sceneOf([3, 3], [{ from: 0, to: 1, row: 0 }])
    const at = (x: number, y: number) => [
      ...directRoute(scene, { x: Float32Array.of(0, x), y: Float32Array.of(0, y) }, 0),
    ]
    expect(at(400, 200)).toEqual([240, 40, 376, 40, 376, 215, 400, 215])
    expect(at(-400, 200)).toEqual([0, 40, -136, 40, -136, 215, -160, 215])
    expect(at(20, 200)).toEqual([240, 40, 284, 40, 284, 215, 260, 215])
    expect(at(-20, 200)).toEqual([240, 40, 264, 40, 264, 215, 220, 215])
  })
})
