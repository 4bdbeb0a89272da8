import { overhang, portBox, portsFrom } from '@cadmus/diagram/drawing'
import { boxOf, card as sizes, type Box, type Point } from '@cadmus/diagram/geometry'
import { distanceTo } from '@cadmus/diagram/routes/route'
import type { Hit, Picture } from '../diagram.ts'
import type { Ground } from './ground.ts'

/** How near a pointer must be, in screen pixels. */
const reach = { handle: 10, link: 5 } as const

/** What lies under a point of the world; handles and ports stand out of their cards. */
export function hitAt(ground: Ground, picture: Picture, point: Point, zoom: number): Hit {
  const { scene, places } = ground
  const near = reach.handle / zoom
  // What is drawn last is above.
  const cards = ground.cardsIn(around(point, Math.max(near, overhang))).toReversed()
  const ported = zoom >= portsFrom ? cards.find(card => isPort(ground, picture, card, point, zoom)) : undefined
  if (ported !== undefined) return { kind: 'port', card: ported }
  for (const card of cards) {
    const box = boxOf(scene, places, card)
    if (point.y < box.top || point.y > box.bottom) continue
    const row = rowAt(scene.rowCounts[card]!, point.y - box.top)
    if (zoom >= 0.5 && Math.abs(point.x - box.right - 1) <= near * 0.7) return { kind: 'handle', card, row }
    if (point.x >= box.left && point.x <= box.right) return { kind: 'card', card, row: zoom >= 0.5 ? row : undefined }
  }
  const link = zoom >= 0.08 ? linkAt(ground, point, zoom) : undefined
  return link === undefined ? { kind: 'ground' } : { kind: 'link', link }
}

function isPort(ground: Ground, { hiddenNeighbours }: Picture, card: number, point: Point, zoom: number): boolean {
  const { scene, places } = ground
  return (hiddenNeighbours.get(card) ?? 0) > 0 && contains(portBox(scene, places, card, zoom), point)
}

function rowAt(rows: number, down: number): number | undefined {
  const row = Math.floor((down - sizes.head) / sizes.row)
  return row < 0 || rows === 0 ? undefined : Math.min(row, rows - 1)
}

function linkAt(ground: Ground, point: Point, zoom: number): number | undefined {
  let nearest: number | undefined
  let least = reach.link / zoom
  for (const link of ground.linksIn(around(point, least))) {
    const distance = distanceTo(ground.route(link, zoom), point)
    if (distance > least) continue
    least = distance
    nearest = link
  }
  return nearest
}

function around({ x, y }: Point, by: number): Box {
  return { left: x - by, top: y - by, right: x + by, bottom: y + by }
}

function contains({ left, top, right, bottom }: Box, { x, y }: Point): boolean {
  return x >= left && x <= right && y >= top && y <= bottom
}
