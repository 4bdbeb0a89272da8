import { expect, it } from 'vitest'
import { boxOf } from '@cadmus/diagram/geometry'
import { cardsWithin, indexCards } from '@cadmus/diagram/grid-index'
import { arrange } from '@cadmus/diagram/layout/arrange'
import { layoutByAreas } from '@cadmus/diagram/layout/by-areas'
import { placeNew } from '@cadmus/diagram/layout/place-new'
import { overlapsOf } from '@cadmus/diagram/testing/quality'
import { Router } from '@cadmus/diagram/routes/router'
import { generatedScene } from '@cadmus/diagram/testing/scenes'
import { shortestWays } from '@cadmus/diagram/ways'
import { within } from './within.ts'

const scene = generatedScene({ count: 10_000 })
const places = layoutByAreas(scene)

it('10,000 entities are laid out in linear time, linked or not, in one area or in many', () => {
  const shapes = [{}, { perArea: 10_000 }, { perArea: 1 }, { linksPerCard: 0 }, { perArea: 10_000, linksPerCard: 0 }]
  for (const shape of shapes) {
    const generated = generatedScene({ count: 10_000, ...shape })
    const laidOut = within(1500, () => layoutByAreas(generated))
    expect(overlapsOf(generated, laidOut)).toBe(0)
  }
})

it('an area is arranged and new entities are placed among 10,000 without a search through all', () => {
  const area = Array.from({ length: 25 }, (_, card) => 5000 + card)
  within(500, () => arrange(scene, places, area))
  expect(within(1000, () => placeNew(scene, places, area)).size).toBe(25)
})

it('the links of a view among 10,000 entities are led around cards between two frames', () => {
  const cards = indexCards(scene, places)
  const router = new Router(scene, places, new Set(), cards)
  const middle = boxOf(scene, places, 5000)
  const view = { left: middle.left - 1440, top: middle.top - 900, right: middle.left + 1440, bottom: middle.top + 900 }
  const inView = new Set(cardsWithin(scene, places, cards, view))
  const { from, to, count } = scene.links
  const links = Array.from({ length: count }, (_, link) => link).filter(
    link => inView.has(from[link]!) || inView.has(to[link]!),
  )
  expect(links.length).toBeGreaterThan(50)
  for (const link of links) within(100, () => router.route(link))
})

it('the five shortest ways between two of 10,000 entities take at most 50 ms', () => {
  for (const [from, to] of [
    [0, 9999],
    [1234, 8765],
  ] as const)
    expect(within(50, () => shortestWays(scene, from, to))).toHaveLength(5)
})
