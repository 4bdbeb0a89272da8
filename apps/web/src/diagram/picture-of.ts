import type { Mark, Places, Row } from '@cadmus/diagram/scene'
import type { Placement, Placements } from '@cadmus/model/diagram/view'
import type { Moves } from './align.ts'
import type { DiagramActions, Picture } from './diagram.ts'
import type { Cards } from './scene-of.ts'

/** Where the cards of a view are, and which of them are not shown. Cards without a place are not shown either. */
export type Placed = { places: Places; hidden: ReadonlySet<number>; unplaced: readonly number[] }

export function placedOf({ scene: { count, uids } }: Cards, placements: Placements): Placed {
  const [x, y] = [new Float32Array(count), new Float32Array(count)]
  const hidden = new Set<number>()
  const unplaced: number[] = []
  for (let card = 0; card < count; card += 1) {
    const placement = placements[uids[card]!]
    if (!placement) unplaced.push(card)
    if (!placement || placement.hidden) hidden.add(card)
    x[card] = placement?.x ?? 0
    y[card] = placement?.y ?? 0
  }
  return { places: { x, y }, hidden, unplaced }
}

export type Choice = Pick<Picture, 'chosen' | 'focused' | 'way'>

export const noChoice: Choice = { chosen: new Set(), focused: null, way: new Set() }

export type ChoiceMode = Parameters<DiagramActions['choose']>[1]

export function chosenWith(before: ReadonlySet<number>, cards: Iterable<number>, mode: ChoiceMode): Set<number> {
  const chosen = new Set(mode === 'replace' ? [] : before)
  for (const card of cards) {
    if (mode === 'toggle' && chosen.has(card)) chosen.delete(card)
    else chosen.add(card)
  }
  return chosen
}

/** The same choice after the cards have changed: cards and links are found again by uid. */
export function choiceIn(cards: Cards, before: Cards, { chosen, focused, way }: Choice): Choice {
  const cardNow = (card: number) => cards.byUid.get(before.scene.uids[card] ?? '')
  const ways = new Set(Array.from(way, link => before.scene.links.uids[link]))
  const isOnWay = (link: number) => ways.has(cards.scene.links.uids[link])
  return {
    chosen: new Set([...chosen].flatMap(card => cardNow(card) ?? [])),
    focused: focused === null ? null : (cardNow(focused) ?? null),
    way: way.size === 0 ? way : new Set(Array.from(cards.scene.links.uids.keys()).filter(isOnWay)),
  }
}

/** Colours: entities with problems before those with unsaved edits. */
export function marksOf(cards: Cards, problems: ReadonlySet<number>): ReadonlyMap<number, Mark> {
  if (problems.size === 0 && cards.draftRows.size === 0) return cards.differences.cards
  const marks = new Map<number, Mark>(cards.differences.cards)
  for (const card of cards.draftRows.keys()) marks.set(card, 'unsaved')
  for (const id of problems) {
    const card = cards.byId.get(id)
    if (card !== undefined) marks.set(card, 'problem')
  }
  return marks
}

export function rowsOf(
  { draftRows, ids, scene: { rowCounts } }: Cards,
  loaded: (id: number) => readonly Row[] | undefined,
): Picture['rows'] {
  const cut = new Map<number, readonly Row[]>()
  return card => {
    const [rows, count] = [draftRows.get(card) ?? loaded(ids[card]!), rowCounts[card] ?? 0]
    if (!rows || rows.length <= count) return rows
    const shown = cut.get(card) ?? rows.slice(0, count)
    cut.set(card, shown)
    return shown
  }
}

type Corner = { x: number; y: number; hidden?: boolean }

export function placementAt({ scene }: Cards, card: number, { x, y, hidden = false }: Corner): [string, Placement] {
  return [scene.uids[card]!, { x: Math.round(x), y: Math.round(y), hidden }]
}

export function previewed({ x, y }: Places, moved: Moves): Places {
  const places = { x: x.slice(), y: y.slice() }
  for (const [card, to] of moved) {
    places.x[card] = to.x
    places.y[card] = to.y
  }
  return places
}

export function hasSameIndexes({ scene: one }: Cards, { scene: other }: Cards): boolean {
  return areEqual(one.uids, other.uids) && areEqual(one.links.uids, other.links.uids)
}

function areEqual(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((uid, index) => uid === other[index])
}

export function hasSame(a: ReadonlySet<number>, b: ReadonlySet<number>): boolean {
  return a.size === b.size && [...a].every(card => b.has(card))
}
