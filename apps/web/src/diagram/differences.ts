import { type Difference, differences, type Scene } from '@cadmus/diagram/scene'
import { neighbourhood } from '@cadmus/diagram/ways'
import type { DiagramView, Placements } from '@cadmus/model/diagram/view'
import { comparedDiagramTexts as texts } from '@cadmus/model/messages/compared-diagram'
import type { DiagramState } from './diagram-state.ts'
import type { DiagramStore } from './diagram-store.ts'
import { outlineOf } from './list-rows.ts'
import { onlyThese } from './sub-scene.ts'

/** Uids of the views of a comparison, which stay in the page. */
export const views = { whole: 'whole', differences: 'differences' } as const

type Marked = ReadonlyMap<number, Difference>

export function countsOf(marked: Marked): Record<Difference, number> {
  const counts = { added: 0, removed: 0, changed: 0 }
  for (const mark of marked.values()) counts[mark] += 1
  return counts
}

/** Such as '3 added', without those that there are none of. */
export function countTexts(marked: Marked): { mark: Difference; text: string }[] {
  const counts = countsOf(marked)
  return differences.filter(mark => counts[mark] > 0).map(mark => ({ mark, text: texts.counts[mark](counts[mark]) }))
}

/** Cards that differ in one of these ways, and what is linked with them. */
function differingCards(scene: Scene, marked: Marked, shown: ReadonlySet<Difference>): Set<number> {
  const cards = [...marked].filter(([, mark]) => shown.has(mark)).map(([card]) => card)
  const around = cards.flatMap(card => [...neighbourhood(scene, card, 1)])
  return new Set([...cards, ...around.filter(card => shown.has(marked.get(card) ?? 'changed'))])
}

/** The ways to differ of which cards are shown. */
export function shownDifferences({ cards, picture }: DiagramState): Set<Difference> {
  return new Set([...cards.differences.cards].filter(([card]) => !picture.hidden.has(card)).map(([, mark]) => mark))
}

/** The shown cards that differ, as the list has them: by area and name. */
export function differencesInOrder({ cards, picture }: DiagramState): number[] {
  const marked = cards.differences.cards
  return outlineOf(cards.scene).areas.flatMap(area =>
    area.filter(card => marked.has(card) && !picture.hidden.has(card)),
  )
}

/** The next difference after the card that keys act on, around the end. */
export function differenceFrom(state: DiagramState, by: 1 | -1): { card: number; at: number; of: number } | undefined {
  const order = differencesInOrder(state)
  const { focused } = state.picture
  const before = focused === null ? -1 : order.indexOf(focused)
  const at = before < 0 ? (by === 1 ? 0 : order.length - 1) : (before + by + order.length) % order.length
  const card = order[at]
  return card === undefined ? undefined : { card, at: at + 1, of: order.length }
}

/** All entities, where the manifest's own view has them. Without enough places there are none, so that all are laid out together. */
export function wholeView({ count, uids }: Scene, stored: Placements): DiagramView {
  const placements = uids.flatMap(uid => {
    const placement = Object.hasOwn(stored, uid) ? stored[uid] : undefined
    return placement && !placement.hidden ? [[uid, placement] as const] : []
  })
  return localView(views.whole, texts.whole, placements.length * 2 < count ? {} : Object.fromEntries(placements))
}

/** What differs, close together. */
export function differencesView({ cards, picture }: DiagramState): DiagramView {
  const shown = differingCards(cards.scene, cards.differences.cards, new Set(differences))
  return localView(views.differences, texts.onlyDifferences, onlyThese(cards.scene, picture.places, shown))
}

function localView(uid: string, name: string, placements: Placements): DiagramView {
  return { uid, name, shared: false, detail: 'all', revision: 0, placements }
}

/** Shows or hides the cards that differ in one way; among differences only, also what is linked with no other one. */
export function showKind(store: DiagramStore, mark: Difference, isShown: boolean): void {
  const state = store.get()
  const { scene, differences: marked } = state.cards
  const own = [...marked.cards].filter(([, other]) => other === mark).map(([card]) => card)
  if (state.session.stored.uid !== views.differences) return store.setHidden(own, !isShown)
  const kinds = shownDifferences(state)
  if (isShown) kinds.add(mark)
  else kinds.delete(mark)
  const cards = differingCards(scene, marked.cards, kinds)
  if (isShown) store.setHidden(cards, false)
  else store.setHidden(new Set(scene.uids.keys()).difference(cards), true)
}
