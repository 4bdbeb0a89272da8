import type { Places, Scene } from '@cadmus/diagram/scene'

/** A card with its place, and links named by card: `links: [['Visit', 'Patient']]`. */
export type CardSpec = { name: string; x: number; y: number; area?: string; rows?: number }

export function sceneOf(cards: readonly CardSpec[], links: readonly (readonly [from: string, to: string])[] = []) {
  const areaNames = [...new Set(cards.map(({ area = 'Clinic' }) => area))]
  const indexOf = (name: string) => {
    const index = cards.findIndex(card => card.name === name)
    if (index < 0) throw new Error(`There is no card ${name}.`)
    return index
  }
  const scene: Scene = {
    count: cards.length,
    uids: cards.map(({ name }) => `uid of ${name}`),
    names: cards.map(({ name }) => name),
    areas: Int32Array.from(cards, ({ area = 'Clinic' }) => areaNames.indexOf(area)),
    areaNames,
    rowCounts: Int32Array.from(cards, ({ rows = 2 }) => rows),
    links: {
      count: links.length,
      uids: links.map(([from, to]) => `uid of ${from} to ${to}`),
      from: Int32Array.from(links, ([from]) => indexOf(from)),
      to: Int32Array.from(links, ([, to]) => indexOf(to)),
      row: Int32Array.from(links, () => 1),
      ends: Uint8Array.from(links, () => 0),
    },
  }
  const places: Places = {
    x: Float32Array.from(cards, ({ x }) => x),
    y: Float32Array.from(cards, ({ y }) => y),
  }
  return { scene, places, hidden: new Set<number>(), indexOf }
}

/** Four entities: Patient above Visit, Doctor right of Visit, and Bill below Visit. */
export function clinic() {
  return sceneOf(
    [
      { name: 'Patient', x: 0, y: 0 },
      { name: 'Visit', x: 0, y: 200 },
      { name: 'Doctor', x: 400, y: 220 },
      { name: 'Bill', x: 20, y: 400, area: 'Money' },
    ],
    [
      ['Visit', 'Patient'],
      ['Visit', 'Doctor'],
      ['Bill', 'Visit'],
      ['Doctor', 'Doctor'],
    ],
  )
}
