import { addLine, changedIn, hasAny, type ResolvedAttribute } from '@cadmus/model/inherit'
import type { ResolvedModel } from '@cadmus/model/resolved-model'
import type { EntityNode } from '@cadmus/model/entity'
import { hasSameItems } from '@cadmus/model/equal'
import { manifestPlaces, type ProblemStep } from '@cadmus/model/problem'
import { DraftCache, type Draft } from './drafts.ts'
import { tableEntities } from './name-conflicts.ts'
import { Referrers } from './referrers.ts'
import { isSameLink, Targets, type Link } from './targets.ts'
import type { Note, Table } from './tree.ts'

/** The complete input of a table: the same input makes the same table. */
export type TableInput = {
  readonly draft: Draft
  /** The path from the root manifest to the one that contains the entity. */
  readonly place: readonly ProblemStep[]
  /** Attributes of the entity that foreign keys refer to. */
  readonly referenced: ReadonlySet<ResolvedAttribute>
  /** The targets of its foreign keys, in the order of the draft. */
  readonly links: readonly Link[]
  /** Whether the database generates a primary key of one integer column. */
  readonly applyAutoIncrement: boolean
}

/** `table` is null for an entity without attributes. */
export type MadeTable = { readonly entityId: number; readonly table: Table | null; readonly notes: readonly Note[] }

/**
 * `line`: the ids of the entity and all that it extends. `needs`: also those on which its links depend. `isFollowed`:
 * another foreign key refers to one of its foreign keys, so that changes propagate.
 */
type Row = {
  readonly isFollowed: boolean
  readonly line: readonly number[]
  readonly needs: readonly number[]
  readonly input: TableInput
  readonly made: MadeTable
}

/** Longer chains of foreign keys invalidate all tables. */
const maxRounds = 8

/** The previous state of the model, for comparison. */
type State = {
  byId: ReadonlyMap<number, EntityNode>
  standsFor: ReadonlyMap<number, EntityNode>
  rows: Map<number, Row>
}

/**
 * Makes tables for successive states of a manifest. A table whose input did not change is the same object; after an
 * edit only affected tables are examined.
 */
export class TableCache {
  readonly #make: (input: TableInput) => Omit<MadeTable, 'entityId'>
  readonly #drafts = new DraftCache()
  readonly #referrers = new Referrers()
  #places = new Map<string, readonly ProblemStep[]>()
  #previous: State = { byId: new Map(), standsFor: new Map(), rows: new Map() }
  /** In a cycle of foreign keys, the resolved types depend on all of them. */
  #isCyclic = false

  constructor(make: (input: TableInput) => Omit<MadeTable, 'entityId'>) {
    this.#make = make
  }

  /** One table per concrete entity, in the resolved model's order. Throws NameConflictError. */
  at(resolvedModel: ResolvedModel, { applyAutoIncrement }: { applyAutoIncrement: boolean }): MadeTable[] {
    const { tables, standsFor } = tableEntities(resolvedModel)
    const before = this.#previous.rows
    const { changed, moved } = this.#changesTo(resolvedModel, standsFor)
    const draftOf = this.#drafts.at(resolvedModel)
    const drafts = tables.map(entity => {
      const row = before.get(entity.id)
      return row && !hasAny(row.line, changed) ? row.input.draft : draftOf(entity)
    })
    const touched = this.#referrers.update(drafts, standsFor, moved)
    for (const id of changed) touched.add(id)
    const places = this.#placesOf(resolvedModel)
    const ofTable = (entity: EntityNode) => this.#referrers.draftOf(entity.id) ?? draftOf(entity)
    const keysTo = (id: number) => this.#referrers.keysTo(id)
    const newTargets = () => new Targets(resolvedModel, standsFor, ofTable, keysTo)
    const rowsFor = (targets: Targets, isReusable: (row: Row) => boolean) =>
      drafts.map(draft => {
        const place = placeOf(draft.entity, resolvedModel, places)
        const row = before.get(draft.entity.id)
        const isUnchanged = row?.input.place === place && row.input.applyAutoIncrement === applyAutoIncrement
        if (isUnchanged && row.input.draft === draft && isReusable(row)) return row
        return this.#row({ draft, place, applyAutoIncrement }, targets, row)
      })
    let targets = newTargets()
    const isTouched = this.#isTouched(touched)
    let rows = rowsFor(targets, row => !isTouched(row))
    if (targets.isCyclic && !this.#isCyclic) {
      targets = newTargets()
      rows = rowsFor(targets, () => false)
    }
    this.#isCyclic = targets.isCyclic
    // Copied, as the resolved model may change its map.
    const rowsById = new Map(rows.map(row => [row.made.entityId, row]))
    this.#previous = { byId: new Map(resolvedModel.byId), standsFor, rows: rowsById }
    return rows.map(({ made }) => made)
  }

  #changesTo({ byId }: ResolvedModel, standsFor: State['standsFor']): { changed: Set<number>; moved: Set<number> } {
    const previous = this.#previous
    const changed = changedIn(previous.byId, byId)
    const moved = new Set<number>()
    for (const id of changedIn(previous.standsFor, standsFor)) {
      changed.add(id)
      if (previous.standsFor.get(id)?.id !== standsFor.get(id)?.id) moved.add(id)
    }
    return { changed, moved }
  }

  /** Whether a table may be affected by the touched entities. */
  #isTouched(touched: Set<number>): (row: Row) => boolean {
    if (this.#isCyclic) return () => true
    const followed = [...this.#previous.rows].filter(([, { isFollowed }]) => isFollowed)
    for (let round = 0; round < maxRounds; round += 1) {
      const more = followed.filter(([id, { needs }]) => !touched.has(id) && hasAny(needs, touched))
      if (more.length === 0) return ({ needs }) => hasAny(needs, touched)
      for (const [id] of more) touched.add(id)
    }
    return () => true
  }

  #row(
    whole: Pick<TableInput, 'draft' | 'place' | 'applyAutoIncrement'>,
    targets: Targets,
    before: Row | undefined,
  ): Row {
    const { draft } = whole
    const { id } = draft.entity
    const input = { ...whole, ...targets.linksOf(draft) }
    const line = new Set<number>()
    addLine(id, targets.lookup, line)
    const needs = new Set(line)
    for (const key of draft.foreignKeys) targets.addNeeds(key, needs)
    const isSame = before !== undefined && isSameInput(before.input, input)
    const base = isSame ? before : { input, made: { entityId: id, ...this.#make(input) } }
    const isFollowed = base.input.referenced.values().some(({ kind }) => kind === 'foreignKey')
    return { isFollowed, line: [...line], needs: [...needs], input: base.input, made: base.made }
  }

  /** The paths of the manifests; an unchanged path is the same object. */
  #placesOf(resolvedModel: ResolvedModel): ReadonlyMap<number, readonly ProblemStep[]> {
    const before = this.#places
    this.#places = new Map()
    const places = new Map<number, readonly ProblemStep[]>()
    for (const [id, steps] of manifestPlaces(resolvedModel)) {
      const key = JSON.stringify(steps)
      const place = before.get(key) ?? steps
      this.#places.set(key, place)
      places.set(id, place)
    }
    return places
  }
}

/** The path from the root manifest to the one that contains the entity. */
export function placeOf(
  { id }: EntityNode,
  { owner, root }: ResolvedModel,
  places: ReturnType<typeof manifestPlaces>,
): readonly ProblemStep[] {
  return places.get(owner.get(id) ?? root.id) ?? []
}

function isSameInput(a: TableInput, b: TableInput): boolean {
  if (a.draft !== b.draft || a.place !== b.place || a.applyAutoIncrement !== b.applyAutoIncrement) return false
  if (a.referenced.size !== b.referenced.size || !a.referenced.isSubsetOf(b.referenced)) return false
  return hasSameItems(a.links, b.links) || a.links.every((link, index) => isSameLink(link, b.links[index]))
}
