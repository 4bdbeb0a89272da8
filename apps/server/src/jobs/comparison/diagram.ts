import { ComparedSide } from '@cadmus/model/comparison/compared-side'
import type { ComparedDiagram, ComparedMark, ComparedRows } from '@cadmus/model/contract/comparison'
import { areasOf, type Card, type CardReference } from '../../store/diagram.ts'
import { columnsOf, frozenCard } from '../diagram.ts'
import {
  type ComparedCard,
  comparedCard,
  type ComparedRow,
  type ComparedSides,
  linksOf,
  type SideLink,
} from './compared-cards.ts'
import type { Sides } from './sides.ts'

/** The cards of both sides, matched by uid: those of `after`, then those that only `before` has, then what lies outside. */
export function comparedDiagram(compared: Sides): ComparedDiagram {
  const sides = sidesOf(compared)
  const [now, old] = [sides.after.model, sides.before.model]
  const present = new Set(now.manifests.map(({ uid }) => uid))
  const manifests = [...now.manifests, ...old.manifests.filter(({ uid }) => !present.has(uid))]
  const areas = new Map(manifests.map(({ uid }, index) => [uid, index]))
  const areaOf = ({ manifest }: ComparedCard) => areas.get(manifest ?? '') ?? manifests.length

  const members = new Set([...now.entities, ...old.entities].map(({ uid }) => uid))
  const links = new LinkColumns()
  const cards = [...members].flatMap(uid => comparedCard(sides, uid) ?? [])
  for (const { entity, rows } of cards) links.add(entity.uid, rows, sides)
  const targets = [...links.targets].filter(uid => !members.has(uid))
  const all = [...cards, ...targets.flatMap(uid => comparedCard(sides, uid) ?? [])]
  const [outer = [], inner = []] = [true, false].map(isOuter =>
    all.filter(card => (areaOf(card) === manifests.length) === isOuter),
  )
  const columns = new CardColumns()
  for (const card of [...inner, ...outer]) columns.add(card, areaOf(card))
  const diagram = {
    areas: areasOf(manifests, now.root, outer.length > 0),
    cards: columns.list,
    references: links.between(columns.ids),
  }
  return {
    ...columnsOf(diagram, compared.after.shown.version, true),
    marks: { entities: columns.marks, links: links.marks },
  }
}

export function comparedRows(compared: Sides, uids: readonly string[]): ComparedRows {
  const sides = sidesOf(compared)
  const entities = [...new Set(uids)].flatMap(uid => {
    const card = comparedCard(sides, uid)
    return card ? { uid, rows: card.rows } : []
  })
  return { entities }
}

function sidesOf({ before, after }: Sides): ComparedSides {
  return { before: new ComparedSide(before.resolvedModel), after: new ComparedSide(after.resolvedModel) }
}

class CardColumns {
  readonly list: Card[] = []
  readonly marks: ComparedMark[] = []
  /** By uid. */
  readonly ids = new Map<string, number>()
  readonly #existing = new Set<number>()

  add({ entity, rows, mark }: ComparedCard, area: number): void {
    // -1 is the id of any entity that does not exist.
    const id = entity.id > 0 && !this.#existing.has(entity.id) ? entity.id : -2 - this.list.length
    this.#existing.add(id)
    this.ids.set(entity.uid, id)
    const keyRows = rows.filter(({ kind }) => kind === 'key' || kind === 'reference').length
    this.list.push({ ...frozenCard(entity, area), id, rows: rows.length, keyRows })
    this.marks.push(mark)
  }
}

type NewReference = Omit<CardReference, 'from' | 'to'> & { from: string; to: string; mark: ComparedMark }

class LinkColumns {
  readonly targets = new Set<string>()
  readonly #now: NewReference[] = []
  readonly #removed: NewReference[] = []

  /** The links of an entity: those of `after`, and the removed ones. */
  add(from: string, rows: readonly ComparedRow[], sides: ComparedSides): void {
    const { before, after } = linksOf(sides, from)
    if (before.length === 0 && after.length === 0) return
    const places = new Map(rows.map((row, index) => [row.uid, { row: index, mark: row.mark }]))
    const placeOf = (uid: string) => places.get(uid) ?? { row: rows.length - 1, mark: 'same' as const }
    const keyOf = ({ uid, to }: SideLink) => `${uid} ${to}`
    const [old, now] = [new Set(before.map(keyOf)), new Set(after.map(keyOf))]
    for (const link of after) {
      const { row, mark } = placeOf(link.uid)
      this.#add(this.#now, link, { from, row, mark: old.has(keyOf(link)) ? mark : 'added' })
    }
    for (const link of before) {
      const { row } = placeOf(link.uid)
      if (!now.has(keyOf(link))) this.#add(this.#removed, link, { from, row, mark: 'removed' })
    }
  }

  get #all(): NewReference[] {
    return [...this.#now, ...this.#removed]
  }

  get marks(): ComparedMark[] {
    return this.#all.map(({ mark }) => mark)
  }

  /** With the ids of cards, by uid; each end has a card. */
  between(ids: ReadonlyMap<string, number>): CardReference[] {
    const idOf = (uid: string) => ids.get(uid) ?? -1
    return this.#all.map(({ uid, from, to, row, ends }) => ({ uid, from: idOf(from), to: idOf(to), row, ends }))
  }

  #add(list: NewReference[], { uid, to, ends }: SideLink, rest: Pick<NewReference, 'from' | 'row' | 'mark'>): void {
    this.targets.add(to)
    list.push({ uid, to, ends, ...rest })
  }
}
