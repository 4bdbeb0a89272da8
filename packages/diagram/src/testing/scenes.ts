import { seededRandom, type Random } from '@cadmus/model/testing/seeded-random'
import { heightOf } from '../geometry.ts'
import type { Places, Scene } from '../scene.ts'

export type LinkOf = { from: number; to: number; row?: number }

/** A scene of cards with these numbers of rows, in the areas given, else in one. */
export function sceneOf(rows: readonly number[], links: readonly LinkOf[], areas: readonly number[] = []): Scene {
  return {
    count: rows.length,
    uids: rows.map((_, card) => `entity-${card}`),
    names: rows.map((_, card) => `Entity${card}`),
    areas: Int32Array.from(rows, (_, card) => areas[card] ?? 0),
    areaNames: Array.from({ length: Math.max(0, ...areas) + 1 }, (_, area) => `Area ${area + 1}`),
    rowCounts: Int32Array.from(rows),
    links: {
      count: links.length,
      uids: links.map((_, link) => `link-${link}`),
      from: Int32Array.from(links, ({ from }) => from),
      to: Int32Array.from(links, ({ to }) => to),
      row: Int32Array.from(links, ({ row }) => row ?? -1),
      ends: new Uint8Array(links.length),
    },
  }
}

type Generated = { count: number; perArea?: number; rows?: number; linksPerCard?: number; seed?: number }

/** As real models are: most links stay in their area and prefer a few entities, some go to areas beside it, some to hubs. */
export function generatedScene({ count, perArea = 25, rows = 20, linksPerCard = 3, seed = 7 }: Generated): Scene {
  const random = seededRandom(seed)
  const areas = Array.from({ length: count }, (_, card) => Math.floor(card / perArea))
  const links: LinkOf[] = []
  for (let from = 0; from < count; from++)
    for (let link = 0; link < linksPerCard; link++) {
      const to = targetOf(random, { count, perArea, area: areas[from]! })
      if (to !== from) links.push({ from, to, row: 1 + link })
    }
  return sceneOf(
    areas.map(() => Math.floor(rows / 2 + random.next() * rows)),
    links,
    areas,
  )
}

function targetOf(random: Random, { count, perArea, area }: { count: number; perArea: number; area: number }): number {
  const kind = random.next()
  const card = (of: number, spread: number) => Math.min(count - 1, of * perArea + Math.floor(spread * perArea))
  if (kind < 0.8) return card(area, random.next() * random.next())
  const areas = Math.ceil(count / perArea)
  if (kind < 0.95)
    return card(Math.min(areas - 1, Math.max(0, area + Math.round((random.next() - 0.5) * 6))), random.next())
  const hubs = Math.ceil(count / 500)
  return Math.floor(random.next() * hubs) * Math.floor(count / hubs)
}

/** Places that do not overlap: columns of cards with gaps drawn from `gaps`. */
export function placesInColumns(scene: Scene, gaps: () => number, perColumn = 4): Places {
  const places = { x: new Float32Array(scene.count), y: new Float32Array(scene.count) }
  let [x, y] = [0, gaps()]
  for (let card = 0; card < scene.count; card++) {
    if (card > 0 && card % perColumn === 0) {
      x += 240 + gaps()
      y = gaps()
    }
    places.x[card] = x
    places.y[card] = y
    y += heightOf(scene.rowCounts[card]!) + gaps()
  }
  return places
}
