import { compareEntities } from '@cadmus/model/compare'
import type { ComparedSide } from '@cadmus/model/comparison/compared-side'
import type { ComparedMark } from '@cadmus/model/contract/comparison'
import { allCardRows, cardLinks, type CardLink, type CardRow, moreRows } from '@cadmus/model/diagram/card-rows'
import { diagramLimits } from '@cadmus/model/diagram/view'
import type { EntityNode } from '@cadmus/model/entity'

export type ComparedSides = { before: ComparedSide; after: ComparedSide }

export type ComparedRow = CardRow & { readonly mark: ComparedMark }

export type ComparedCard = {
  entity: EntityNode
  /** Uid of the manifest that lists it; undefined: it lies outside. */
  manifest: string | undefined
  mark: ComparedMark
  /** Those of `after`, with the removed ones at their former place. Where there are too many, unchanged ones are left out first. */
  rows: ComparedRow[]
}

/** What a card shows of an entity; undefined if neither side has it. */
export function comparedCard({ before, after }: ComparedSides, uid: string): ComparedCard | undefined {
  const [was, is] = [before.entities.get(uid), after.entities.get(uid)]
  const manifests = [was && before.manifestOf(was)?.uid, is && after.manifestOf(is)?.uid] as const
  const entity = is ?? was
  if (!entity) return undefined
  const manifest = is ? manifests[1] : manifests[0]
  if (!was || !is) {
    const mark = was ? 'removed' : 'added'
    return { entity, manifest, mark, rows: limited(allCardRows(entity).map(row => ({ ...row, mark }))) }
  }
  const isMoved = manifests[0] !== manifests[1]
  if (was === is) {
    const rows = limited(allCardRows(entity).map(row => ({ ...row, mark: 'same' })))
    return { entity, manifest, mark: isMoved ? 'changed' : 'same', rows }
  }
  const changes = compareEntities(before.contentOf(was), after.contentOf(is))
  const changed = new Set(changes.map(({ step }) => step?.uid))
  const isSame = changes.length === 0 && !isMoved
  const rows = limited(unionOf(allCardRows(was), allCardRows(is), changed))
  return { entity, manifest, mark: isSame ? 'same' : 'changed', rows }
}

export type SideLink = CardLink & { to: string }

/** The links of an entity to existing ones on both sides, each with the uid of its target; none if no manifest lists it. */
export function linksOf({ before, after }: ComparedSides, uid: string): Record<keyof ComparedSides, SideLink[]> {
  const [was, is] = [before.entities.get(uid), after.entities.get(uid)]
  const now = is ? cardLinks(is) : []
  const old = was === is ? now : was ? cardLinks(was) : []
  return { before: existingOn(before, was, old), after: existingOn(after, is, now) }
}

function existingOn(side: ComparedSide, entity: EntityNode | undefined, links: readonly CardLink[]): SideLink[] {
  if (!entity || !side.manifestOf(entity)) return []
  return links.flatMap(link => {
    const target = side.model.byId.get(link.target.id)
    return target ? { ...link, to: target.uid } : []
  })
}

/** The order in which cards have their rows. */
const kinds = ['key', 'reference', 'attribute'] as const

function unionOf(before: readonly CardRow[], after: readonly CardRow[], changed: ReadonlySet<unknown>): ComparedRow[] {
  const old = new Set(before.map(({ uid }) => uid))
  const now = new Set(after.map(({ uid }) => uid))
  const marked = (row: CardRow): ComparedRow => {
    return { ...row, mark: !old.has(row.uid) ? 'added' : changed.has(row.uid) ? 'changed' : 'same' }
  }
  return kinds.flatMap(kind => {
    const rows = after.filter(row => row.kind === kind)
    const removed = removedAfter(
      before.filter(row => row.kind === kind),
      { now, rows: new Set(rows.map(({ uid }) => uid)) },
    )
    return [...(removed.get(null) ?? []), ...rows.flatMap(row => [marked(row), ...(removed.get(row.uid) ?? [])])]
  })
}

/** Removed rows by the uid of the row that they followed and that is still among `rows`; null: they came before all of them. */
function removedAfter(
  before: readonly CardRow[],
  { now, rows }: { now: ReadonlySet<string>; rows: ReadonlySet<string> },
): Map<string | null, ComparedRow[]> {
  let last: string | null = null
  const followed = before.map(row => {
    if (rows.has(row.uid)) last = row.uid
    return { row, last }
  })
  const removed = followed.filter(({ row }) => !now.has(row.uid))
  const groups = Map.groupBy(removed, one => one.last)
  return new Map(Array.from(groups, ([uid, group]) => [uid, group.map(({ row }) => ({ ...row, mark: 'removed' }))]))
}

function limited(rows: ComparedRow[]): ComparedRow[] {
  const { rowsOfCard } = diagramLimits
  if (rows.length <= rowsOfCard) return rows
  const differing = rows.filter(({ mark }) => mark !== 'same')
  const rest = rows.filter(({ mark }) => mark === 'same')
  const shown = new Set([...differing, ...rest].slice(0, rowsOfCard - 1))
  const mark = differing.length >= rowsOfCard ? 'changed' : 'same'
  return [...rows.filter(row => shown.has(row)), { ...moreRows(rows.length - shown.size), mark }]
}
