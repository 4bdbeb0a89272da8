import { boxOf, overlap, type Box } from '@cadmus/diagram/geometry'
import { layoutByAreas } from '@cadmus/diagram/layout/by-areas'
import { cuts } from '@cadmus/diagram/routes/obstacles'
import type { Places, Scene } from '@cadmus/diagram/scene'
import { generatedScene, sceneOf } from '@cadmus/diagram/testing/scenes'
import { describe, expect, it } from 'vitest'
import { Ground, partsOf } from './ground.ts'

const never = () => false

function groundOf(scene: Scene, places: Places = layoutByAreas(scene)): Ground {
  return new Ground(scene, places, new Set())
}

/** A view of a screen in the middle of a diagram. */
function viewAt(ground: Ground, zoom: number): Box {
  const { left, top } = boxOf(ground.scene, ground.places, Math.floor(ground.scene.count / 2))
  const [width, height] = [1440 / zoom, 900 / zoom]
  return { left: left - width / 2, top: top - height / 2, right: left + width / 2, bottom: top + height / 2 }
}

function cardsUnder(ground: Ground, link: number, zoom: number): number[] {
  // Parts have room of 8 px around their lines.
  const lines = partsOf(ground.route(link, zoom)).map(({ left, top, right, bottom }) => ({
    left: left + 8,
    top: top + 8,
    right: right - 8,
    bottom: bottom - 8,
  }))
  return Array.from({ length: ground.scene.count }, (_, card) => card).filter(card =>
    lines.some(line => cuts(boxOf(ground.scene, ground.places, card), line)),
  )
}

const throughCards = (ground: Ground, links: readonly number[], zoom: number) =>
  links.filter(link => cardsUnder(ground, link, zoom).length > 0)

describe('links led around cards', () => {
  const small = generatedScene({ count: 25, rows: 8 })

  it.each([0.22, 0.46, 0.5, 1])('no line in view runs through a card at zoom %d', zoom => {
    const ground = groundOf(small)
    const view = viewAt(ground, zoom)
    const links = ground.linksIn(view)
    expect(throughCards(ground, links, zoom)).not.toEqual([])
    expect(ground.lead(view, zoom, false, never).isDone).toBe(true)
    expect(throughCards(ground, links, zoom)).toEqual([])
  })

  it('of very many those near the middle come first, the others once all is painted, and none while the camera moves', () => {
    const ground = groundOf(generatedScene({ count: 200, perArea: 200, linksPerCard: 12 }))
    const zoom = 0.5
    const view = viewAt(ground, zoom)
    const links = ground.linksIn(view)
    expect(links.length).toBeGreaterThan(400)
    expect(ground.lead(view, zoom, true, never).changed).toEqual([])
    ground.lead(view, zoom, false, never)
    const [width, height] = [view.right - view.left, view.bottom - view.top]
    const middle = {
      left: view.left + width * 0.48,
      right: view.right - width * 0.48,
      top: view.top + height * 0.48,
      bottom: view.bottom - height * 0.48,
    }
    const isInMiddle = (link: number) => partsOf(ground.direct(link)).some(part => overlap(part, middle))
    const isDirect = (link: number) => ground.route(link, zoom).join() === ground.direct(link).join()
    const direct = links.filter(link => isDirect(link))
    expect(direct.length).toBeGreaterThan(0)
    expect(direct.filter(link => isInMiddle(link) && cardsUnder(ground, link, zoom).length > 0)).toEqual([])
    let rounds = 0
    // One link is led even where there is no time.
    while (ground.leadRest(view, zoom, () => true).length > 0) rounds++
    expect(rounds).toBe(links.length - 300)
  })

  it('a moved card leaves routes alone that do not come near it', () => {
    // The line from 0 to 3 crosses what was the direct line from 1 to 2.
    const scene = sceneOf(
      [2, 2, 2, 2],
      [
        { from: 0, to: 3, row: 0 },
        { from: 1, to: 2, row: 0 },
      ],
    )
    const ground = groundOf(scene, { x: Float32Array.of(0, 400, 1200, 1200), y: Float32Array.of(0, 600, -600, 0) })
    ground.leadAll([0, 1])
    const [other, own] = [0, 1].map(link => ground.route(link, 1))
    ground.move(new Map([[1, { x: 400, y: 640 }]]))
    expect(ground.route(0, 1)).toBe(other)
    expect(ground.route(1, 1)).not.toBe(own)
  })
})
