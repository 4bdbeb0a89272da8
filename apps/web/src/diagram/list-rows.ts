import type { Hidden, Scene } from '@cadmus/diagram/scene'
import { linksInOrder } from './nearest.ts'

/** A diagram as a list: the cards of each area, by name. Areas without cards are left out of the list. */
export type Outline = { scene: Scene; areas: readonly (readonly number[])[] }

export type ListRow = { id: string; level: 1 | 2 | 3; posInSet: number; setSize: number } & (
  | { kind: 'area'; area: number; expanded: boolean }
  | { kind: 'card'; card: number; expanded: boolean | null }
  /** `card`: the card below which it is listed; `other`: the one at its other end. */
  | { kind: 'link'; link: number; card: number; other: number; isReferredTo: boolean }
)

/** Up to this number of cards all areas are unfolded at first, as all cards are shown in the picture. */
export const mostUnfolded = 60

export function outlineOf(scene: Scene): Outline {
  const { areas: areaOf, areaNames, names, count } = scene
  const areas: number[][] = areaNames.map(() => [])
  for (let card = 0; card < count; card++) areas[areaOf[card]!]?.push(card)
  for (const cards of areas) cards.sort((one, other) => byName(names[one]!, names[other]!) || one - other)
  return { scene, areas }
}

function byName(one: string, other: string): number {
  const [a, b] = [one.toLowerCase(), other.toLowerCase()]
  return a < b ? -1 : a > b ? 1 : 0
}

/** What is unfolded at first: everything in a small diagram, else the area of the focused card. */
export function firstUnfolded({ scene, areas }: Outline, focused: number | null): Set<string> {
  if (scene.count <= mostUnfolded) return new Set(areas.map((_, area) => areaId(area)))
  return new Set(focused === null ? [] : [areaId(scene.areas[focused]!)])
}

export function areaId(area: number): string {
  return `area:${area}`
}

/** The same after cards were added. */
export function cardId({ uids }: Pick<Scene, 'uids'>, card: number): string {
  return `card:${uids[card]}`
}

/** The visible rows, in order. */
export function listRows({ scene, areas }: Outline, unfolded: ReadonlySet<string>): ListRow[] {
  const present = areas.flatMap((cards, area) => (cards.length > 0 ? [area] : []))
  return present.flatMap((area, at): ListRow[] => {
    const id = areaId(area)
    const expanded = unfolded.has(id)
    const row: ListRow = { kind: 'area', id, area, level: 1, expanded, posInSet: at + 1, setSize: present.length }
    return expanded ? [row, ...cardRows(scene, areas[area]!, unfolded)] : [row]
  })
}

function cardRows(scene: Scene, cards: readonly number[], unfolded: ReadonlySet<string>): ListRow[] {
  return cards.flatMap((card, at): ListRow[] => {
    const id = cardId(scene, card)
    const links = linksInOrder(scene, card)
    const expanded = links.length === 0 ? null : unfolded.has(id)
    const row: ListRow = { kind: 'card', id, card, level: 2, expanded, posInSet: at + 1, setSize: cards.length }
    return expanded ? [row, ...linkRows(scene, card, links)] : [row]
  })
}

function linkRows(scene: Scene, card: number, links: readonly number[]): ListRow[] {
  const { from, to, uids } = scene.links
  return links.map((link, at) => {
    const isReferredTo = from[link] === card
    const other = (isReferredTo ? to : from)[link]!
    const place = { level: 3, posInSet: at + 1, setSize: links.length } as const
    return {
      kind: 'link',
      id: `link:${uids[link]}:${other}@${cardId(scene, card)}`,
      link,
      card,
      other,
      isReferredTo,
      ...place,
    }
  })
}

/** The cards on which the commands of a row act. */
export function cardsOfRow({ areas }: Outline, row: ListRow): readonly number[] {
  return row.kind === 'area' ? (areas[row.area] ?? []) : [row.card]
}

export function hiddenIn(cards: readonly number[], hidden: Hidden): number {
  return hidden.size === 0 ? 0 : cards.reduce((sum, card) => sum + (hidden.has(card) ? 1 : 0), 0)
}
