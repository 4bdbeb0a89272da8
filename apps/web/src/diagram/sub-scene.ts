import { layoutByAreas } from '@cadmus/diagram/layout/by-areas'
import { placeNew } from '@cadmus/diagram/layout/place-new'
import type { Hidden, Places, Scene } from '@cadmus/diagram/scene'
import type { Placement, Placements } from '@cadmus/model/diagram/view'
import type { DiagramActions } from './diagram.ts'

/** Some cards of a scene as a scene of their own, for work on what is shown. */
type SubScene = {
  scene: Scene
  places: Places
  /** Card of the whole scene for each card of the part. */
  cards: readonly number[]
  /** Card of the part for each card of the whole scene; -1 if it is not in the part. */
  indexes: Int32Array
}

function subScene(scene: Scene, places: Places, chosen: Iterable<number>): SubScene {
  const cards = [...new Set(chosen)].toSorted((a, b) => a - b)
  const indexes = new Int32Array(scene.count).fill(-1)
  for (const [index, card] of cards.entries()) indexes[card] = index
  const { links } = scene
  const within = Array.from(links.uids.keys()).filter(
    link => indexes[links.from[link]!]! >= 0 && indexes[links.to[link]!]! >= 0,
  )
  return {
    scene: {
      count: cards.length,
      uids: cards.map(card => scene.uids[card]!),
      names: cards.map(card => scene.names[card]!),
      areas: Int32Array.from(cards, card => scene.areas[card]!),
      areaNames: scene.areaNames,
      rowCounts: Int32Array.from(cards, card => scene.rowCounts[card]!),
      links: {
        count: within.length,
        uids: within.map(link => links.uids[link]!),
        from: Int32Array.from(within, link => indexes[links.from[link]!]!),
        to: Int32Array.from(within, link => indexes[links.to[link]!]!),
        row: Int32Array.from(within, link => links.row[link]!),
        ends: Uint8Array.from(within, link => links.ends[link]!),
      },
    },
    places: {
      x: Float32Array.from(cards, card => places.x[card]!),
      y: Float32Array.from(cards, card => places.y[card]!),
    },
    cards,
    indexes,
  }
}

type Shown = { places: Places; hidden: Hidden }

export function shownPart(scene: Scene, { places, hidden }: Shown): SubScene {
  const shown = Array.from(scene.uids.keys()).filter(card => !hidden.has(card))
  return subScene(scene, places, shown)
}

export type ArrangeScope = Parameters<DiagramActions['arrange']>[0]

/** Cards of a part: the chosen ones, or all in their areas. */
export function cardsOfScope(part: SubScene, scope: ArrangeScope, chosen: readonly number[]): readonly number[] {
  const own = chosen.map(card => part.indexes[card]!).filter(index => index >= 0)
  if (scope === 'choice') return own
  const areas = new Set(own.map(index => part.scene.areas[index]))
  return Array.from(part.cards.keys()).filter(index => areas.has(part.scene.areas[index]))
}

/** Free places beside what is shown for cards that come back; the others keep theirs. */
export function freePlaces(scene: Scene, { places, hidden }: Shown, cards: readonly number[]): Places {
  const added = new Set(cards)
  const part = shownPart(scene, { places, hidden: new Set([...hidden].filter(card => !added.has(card))) })
  const at = { x: places.x.slice(), y: places.y.slice() }
  const free = placeNew(
    part.scene,
    part.places,
    cards.map(card => part.indexes[card]!),
  )
  for (const [index, { x, y }] of free) {
    at.x[part.cards[index]!] = x
    at.y[part.cards[index]!] = y
  }
  return at
}

/** Placements that show some cards close together; the others are hidden where they are. */
export function onlyThese(scene: Scene, places: Places, cards: Iterable<number>): Placements {
  const part = subScene(scene, places, cards)
  const arranged = layoutByAreas(part.scene)
  const placements = scene.uids.map((uid, card): [string, Placement] => {
    const index = part.indexes[card]!
    const { x, y } = index < 0 ? places : arranged
    const at = index < 0 ? card : index
    return [uid, { x: Math.round(x[at]!), y: Math.round(y[at]!), hidden: index < 0 }]
  })
  return Object.fromEntries(placements)
}
