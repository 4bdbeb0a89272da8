import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { around, boxOf, overlap, type Box } from '../geometry.ts'
import type { Places, Scene } from '../scene.ts'
import { generatedScene, sceneOf } from '../testing/scenes.ts'
import { arrange } from './arrange.ts'
import { layoutByAreas } from './by-areas.ts'
import { placeNew } from './place-new.ts'
import { overlapsOf, quality } from '../testing/quality.ts'

const arbitraryScene = fc
  .record({
    cards: fc.array(fc.record({ rows: fc.nat(30), area: fc.nat(5) }), { minLength: 1, maxLength: 60 }),
    links: fc.array(fc.record({ from: fc.nat(), to: fc.nat(), row: fc.integer({ min: -1, max: 30 }) }), {
      maxLength: 90,
    }),
  })
  .map(({ cards, links }) =>
    sceneOf(
      cards.map(({ rows }) => rows),
      links.map(({ from, to, row }) => ({ from: from % cards.length, to: to % cards.length, row })),
      cards.map(({ area }) => area),
    ),
  )

function boxesOfAreas(scene: Scene, places: Places): Box[] {
  return scene.areaNames.flatMap((_, area) => {
    const cards = Array.from(scene.areas.keys()).filter(card => scene.areas[card] === area)
    return around(cards.map(card => boxOf(scene, places, card))) ?? []
  })
}

/** Twelve entities of a clinic, as a modeller would draw them. */
const clinic = sceneOf(
  [9, 6, 4, 5, 8, 7, 5, 6, 7, 8, 6, 6],
  [
    { from: 1, to: 2, row: 1 },
    { from: 3, to: 2, row: 1 },
    { from: 4, to: 0, row: 1 },
    { from: 4, to: 1, row: 2 },
    { from: 4, to: 3, row: 3 },
    { from: 5, to: 4, row: 1 },
    { from: 5, to: 1, row: 2 },
    { from: 6, to: 5, row: 1 },
    { from: 7, to: 5, row: 1 },
    { from: 7, to: 8, row: 2 },
    { from: 9, to: 0, row: 1 },
    { from: 9, to: 5, row: 2 },
    { from: 10, to: 9, row: 1 },
    { from: 10, to: 8, row: 2 },
    { from: 11, to: 9, row: 1 },
  ],
)

describe('layout by areas', () => {
  it('no card lies upon another, no area within another, and all corners are integers', () => {
    fc.assert(
      fc.property(arbitraryScene, scene => {
        const places = layoutByAreas(scene)
        expect(overlapsOf(scene, places)).toBe(0)
        const areas = boxesOfAreas(scene, places)
        areas.forEach((box, index) => {
          expect(areas.slice(index + 1).some(other => overlap(box, other))).toBe(false)
        })
        expect([...places.x, ...places.y].every(Number.isInteger)).toBe(true)
      }),
      { numRuns: 200 },
    )
  })

  it('the same scene has the same places', () => {
    const [one, other] = [1, 2].map(() => layoutByAreas(generatedScene({ count: 200 })))
    expect(one).toEqual(other)
  })

  it('twelve linked entities make a picture of the shape of a screen, with short links and few crossings', () => {
    const { aspect, length, crossings, cover } = quality(clinic, layoutByAreas(clinic))
    expect(aspect).toBeGreaterThan(1.2)
    expect(aspect).toBeLessThan(2.4)
    expect(length).toBeLessThan(2)
    expect(crossings).toBeLessThan(0.5)
    expect(cover).toBeGreaterThan(0.25)
  })

  it('what is referred to stands left of what refers to it where there are no circles', () => {
    const { x } = layoutByAreas(clinic)
    const { from, to, count } = clinic.links
    for (let link = 0; link < count; link++) expect(x[to[link]!]).toBeLessThanOrEqual(x[from[link]!]!)
  })

  it('entities without links fill a picture of the shape of a screen', () => {
    const scene = generatedScene({ count: 300, perArea: 300, linksPerCard: 0 })
    const { aspect, cover } = quality(scene, layoutByAreas(scene))
    expect(aspect).toBeGreaterThan(1)
    expect(aspect).toBeLessThan(2.5)
    expect(cover).toBeGreaterThan(0.5)
  })

  it('linked areas are nearer to each other than others', () => {
    const { from, to } = { from: [0, 2, 4, 6, 8], to: [2, 4, 6, 8, 0] }
    const areas = Array.from({ length: 30 }, (_, card) => card >> 1)
    const scene = sceneOf(
      areas.map(() => 6),
      from.map((card, index) => ({ from: card, to: to[index]! })),
      areas,
    )
    const boxes = boxesOfAreas(scene, layoutByAreas(scene))
    const distance = (one: number, other: number) =>
      Math.hypot(boxes[one]!.left - boxes[other]!.left, boxes[one]!.top - boxes[other]!.top)
    const mean = (numbers: number[]) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length
    const linked = mean([0, 1, 2, 3, 4].map(area => distance(area, (area + 1) % 5)))
    const others = mean(Array.from({ length: 10 }, (_, area) => distance(0, area + 5)))
    expect(linked).toBeLessThan(0.8 * others)
  })

  it('an empty scene has no places', () => {
    expect(layoutByAreas(sceneOf([], []))).toEqual({ x: new Float32Array(), y: new Float32Array() })
  })
})

const sceneWithChoice = fc
  .tuple(arbitraryScene, fc.array(fc.nat(), { minLength: 1, maxLength: 12 }))
  .map(([scene, picks]) => ({
    scene,
    cards: [...new Set(picks.map(pick => pick % scene.count))],
  }))

describe('arranging a choice', () => {
  it('moves no other card and puts none upon another', () => {
    fc.assert(
      fc.property(sceneWithChoice, ({ scene, cards }) => {
        const places = layoutByAreas(scene)
        const arranged = arrange(scene, places, cards)
        expect(overlapsOf(scene, arranged)).toBe(0)
        const others = Array.from(scene.areas.keys()).filter(card => !cards.includes(card))
        for (const card of others)
          expect([arranged.x[card], arranged.y[card]]).toEqual([places.x[card], places.y[card]])
      }),
      { numRuns: 200 },
    )
  })

  it('the middle of a choice with room around it stays in its place', () => {
    const scene = sceneOf([3, 3, 3], [{ from: 1, to: 0 }])
    const places = { x: Float32Array.of(0, 700, 9000), y: Float32Array.of(0, 500, 0) }
    const { x, y } = arrange(scene, places, [0, 1])
    expect([(x[0]! + x[1]!) / 2, (y[0]! + y[1]!) / 2].map(Math.round)).toEqual([350, 250])
    expect(y[1]! - y[0]!).toBeLessThan(60)
  })
})

describe('places of new cards', () => {
  it('no other card moves, and no new card lies upon another', () => {
    fc.assert(
      fc.property(sceneWithChoice, ({ scene, cards }) => {
        const places = layoutByAreas(scene)
        // As for entities that were never placed.
        for (const card of cards) places.x[card] = places.y[card] = 0
        const before = { x: places.x.slice(), y: places.y.slice() }
        const moves = placeNew(scene, places, cards)
        expect(places).toEqual(before)
        expect([...moves.keys()].toSorted((a, b) => a - b)).toEqual(cards.toSorted((a, b) => a - b))
        for (const [card, { x, y }] of moves) {
          before.x[card] = x
          before.y[card] = y
        }
        expect(overlapsOf(scene, before)).toBe(0)
      }),
      { numRuns: 200 },
    )
  })

  it('a new card stands beside what it refers to, a chain of them grows from there', () => {
    const scene = sceneOf(
      [4, 4, 4, 4],
      [
        { from: 2, to: 0 },
        { from: 3, to: 2 },
      ],
    )
    const places = { x: Float32Array.of(1000, 5000, 0, 0), y: Float32Array.of(1000, 5000, 0, 0) }
    const moves = placeNew(scene, places, [3, 2])
    expect(moves.get(2)).toEqual({ x: 1312, y: 1000 })
    expect(moves.get(3)).toEqual({ x: 1624, y: 1000 })
  })

  it('many new cards are laid out beside all others', () => {
    const scene = generatedScene({ count: 600 })
    const places = layoutByAreas(scene)
    const fresh = Array.from({ length: 300 }, (_, card) => 300 + card)
    const moves = placeNew(scene, places, fresh)
    const right = Math.max(...places.x.subarray(0, 300)) + 240
    expect([...moves.values()].every(({ x }) => x > right)).toBe(true)
  })
})
