import type { Places } from '../scene.ts'
import { placeAreas, type AreaTie } from './areas.ts'
import { placeBlock } from './block.ts'
import { areaCountOf, componentsByArea, type LayoutInput } from './component.ts'

/** Places for all cards: those of an area stand together in columns, linked areas near each other, and nothing overlaps. */
export function layoutByAreas(input: LayoutInput): Places {
  const places = { x: new Float32Array(input.count), y: new Float32Array(input.count) }
  const components = componentsByArea(input)
  const sizes = components.map(area => placeBlock(area, places))
  // An area without cards takes no room.
  const shown = sizes.flatMap(({ width }, area) => (width > 0 ? [area] : []))
  const position = new Map(shown.map((area, index) => [area, index]))
  const ties = tiesOf(input, position)
  const corners = placeAreas(
    shown.map(area => sizes[area]!),
    ties,
  )
  for (let card = 0; card < input.count; card++) {
    const { x, y } = corners[position.get(input.areas[card]!)!]!
    places.x[card]! += x
    places.y[card]! += y
  }
  return places
}

/** How many links there are between areas. */
function tiesOf(input: LayoutInput, position: ReadonlyMap<number, number>): AreaTie[][] {
  const { areas, links } = input
  const count = areaCountOf(input)
  const weights = new Map<number, number>()
  for (let link = 0; link < links.count; link++) {
    const [one, other] = [areas[links.from[link]!]!, areas[links.to[link]!]!]
    if (one === other) continue
    const key = Math.min(one, other) * count + Math.max(one, other)
    weights.set(key, (weights.get(key) ?? 0) + 1)
  }
  const ties: AreaTie[][] = [...position].map(() => [])
  for (const [key, weight] of weights) {
    const [one, other] = [position.get(Math.floor(key / count))!, position.get(key % count)!]
    ties[one]!.push({ area: other, weight })
    ties[other]!.push({ area: one, weight })
  }
  return ties
}
