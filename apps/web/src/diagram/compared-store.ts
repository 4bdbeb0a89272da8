import type { Row } from '@cadmus/diagram/scene'
import type { ComparedRows } from '@cadmus/model/contract/comparison'
import type { Placements } from '@cadmus/model/diagram/view'
import { comparedDiagramTexts as texts } from '@cadmus/model/messages/compared-diagram'
import { handTexts } from '@cadmus/model/messages/diagram-hands'
import { DiagramStore } from './diagram-store.ts'
import { differenceFrom, differencesView, views, wholeView } from './differences.ts'
import { layout } from './layout.ts'
import { mostUnfolded } from './list-rows.ts'
import type { Cards, DiagramData } from './scene-of.ts'

/** Shows what differs now and did not before. */
export function receive(store: DiagramStore, data: DiagramData): void {
  const uidsOf = ({ scene, differences }: Cards) =>
    new Set(Array.from(differences.cards.keys(), card => scene.uids[card]))
  const before = uidsOf(store.get().cards)
  store.setData(data)
  const { cards, picture } = store.get()
  const isNew = (card: number) => picture.hidden.has(card) && !before.has(cards.scene.uids[card])
  store.setHidden([...cards.differences.cards.keys()].filter(isNew), false)
}

type Calls = {
  open: (uid: string) => void
  readRows: (uids: readonly string[]) => Promise<ReadonlyMap<string, readonly AnsweredRow[]>>
}

/** The diagram of a comparison, in which nothing is stored. */
export function comparedStore(data: DiagramData, placements: Placements, { open, readRows }: Calls): DiagramStore {
  const store: DiagramStore = new DiagramStore({
    data,
    isLocal: true,
    open,
    send: () => Promise.reject(new Error(texts.locked)),
    async readRows(ids) {
      const { byId, scene } = store.get().cards
      const uids = new Map(ids.map(id => [scene.uids[byId.get(id) ?? -1] ?? '', id]))
      const rows = await readRows([...uids.keys()].filter(uid => uid !== ''))
      return new Map(Array.from(rows, ([uid, own]) => [uids.get(uid) ?? -1, own.map(withMark)]))
    },
    layout,
    storeFirst: undefined,
    relate: () => Promise.resolve(null),
    addEntity: () => undefined,
  })
  const { scene, differences } = store.get().cards
  store.receive(wholeView(scene, placements), { sends: false })
  store.receive(differencesView(store.get()), { sends: false })
  const isLarge = scene.count > mostUnfolded && differences.cards.size > 0
  store.show(isLarge ? views.differences : views.whole)
  return store
}

type AnsweredRow = ComparedRows['entities'][number]['rows'][number]

function withMark({ mark, ...row }: AnsweredRow): Row {
  return mark === 'same' ? row : { ...row, mark }
}

/** Goes to an entity; false if it is not in the diagram. */
export function showCard(store: DiagramStore, uid: string): boolean {
  const { cards, picture } = store.get()
  const card = cards.scene.uids.indexOf(uid)
  if (card < 0) return false
  if (picture.hidden.has(card)) store.setHidden([card], false)
  store.lookAt([card])
  return true
}

/** Goes to another difference; `text`: for screen readers. */
export function goTo(store: DiagramStore, by: 1 | -1): { uid: string; text: string } | undefined {
  const state = store.get()
  const next = differenceFrom(state, by)
  if (!next) return undefined
  const { card } = next
  const { scene, differences } = state.cards
  store.lookAt([card])
  const mark = handTexts.marks[differences.cards.get(card) ?? 'changed']
  return { uid: scene.uids[card] ?? '', text: texts.at(scene.names[card] ?? '', mark, next) }
}
