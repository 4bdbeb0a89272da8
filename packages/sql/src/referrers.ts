import type { EntityNode } from '@cadmus/model/entity'
import { hasSameItems } from '@cadmus/model/equal'
import { hasAny } from '@cadmus/model/inherit'
import type { Draft, ForeignKeyAttribute } from './drafts.ts'

/** The references of a draft: the entities and attributes named, and the entities representing them. */
type References = {
  draft: Draft
  named: readonly number[]
  columns: readonly string[]
  targets: readonly number[]
}

/** Indexes which tables refer to an entity, over successive states of a model. */
export class Referrers {
  #references = new Map<number, References>()
  readonly #referrers = new Map<number, Set<number>>()

  /**
   * Replaces the drafts. Returns the ids of drafts that were added, removed or changed, and of entities whose referrers
   * changed. `moved`: entities represented by a different entity than before.
   */
  update(
    drafts: readonly Draft[],
    standsFor: ReadonlyMap<number, EntityNode>,
    moved: ReadonlySet<number>,
  ): Set<number> {
    const touched = new Set<number>()
    const before = this.#references
    this.#references = new Map()
    for (const draft of drafts) {
      const { id } = draft.entity
      const previous = before.get(id)
      before.delete(id)
      const isSame = previous?.draft === draft && !hasAny(previous.named, moved)
      const now = isSame ? previous : referencesOf(draft, standsFor)
      this.#references.set(id, now)
      if (isSame) continue
      touched.add(id)
      if (!previous || !isSameReferences(previous, now)) this.#replace(id, previous, now, touched)
    }
    for (const [id, removed] of before) {
      touched.add(id)
      this.#replace(id, removed, undefined, touched)
    }
    return touched
  }

  /** Undefined for an entity that does not become a table. */
  draftOf(id: number): Draft | undefined {
    return this.#references.get(id)?.draft
  }

  /** The foreign keys to the entity. */
  *keysTo(id: number): Generator<ForeignKeyAttribute> {
    for (const referrer of this.#referrers.get(id) ?? []) {
      const references = this.#references.get(referrer)
      if (references) yield* references.draft.foreignKeys.filter((_, index) => references.targets[index] === id)
    }
  }

  #replace(id: number, removed: References | undefined, added: References | undefined, touched: Set<number>): void {
    for (const target of removed?.targets ?? []) {
      touched.add(target)
      const referrers = this.#referrers.get(target)
      referrers?.delete(id)
      if (referrers?.size === 0) this.#referrers.delete(target)
    }
    for (const target of added?.targets ?? []) {
      touched.add(target)
      const referrers = this.#referrers.get(target)
      if (referrers) referrers.add(id)
      else this.#referrers.set(target, new Set([id]))
    }
  }
}

function isSameReferences(a: References, b: References): boolean {
  return hasSameItems(a.targets, b.targets) && hasSameItems(a.columns, b.columns)
}

function referencesOf(draft: Draft, standsFor: ReadonlyMap<number, EntityNode>): References {
  const named = draft.foreignKeys.map(({ relationship }) => relationship.associatedEntity.id)
  const columns = draft.foreignKeys.flatMap(({ relationship }) => [
    relationship.associatedEntityTypeAttribute,
    ...relationship.alsoBy.map(({ target }) => target),
  ])
  return { draft, named, columns, targets: draft.foreignKeys.map(key => targetId(key, standsFor)) }
}

/** The id of the entity whose table a foreign key refers to. */
export function targetId({ relationship }: ForeignKeyAttribute, standsFor: ReadonlyMap<number, EntityNode>): number {
  const { id } = relationship.associatedEntity
  return standsFor.get(id)?.id ?? id
}
