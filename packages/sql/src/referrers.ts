import type { EntityNode } from '@cadmus/model/entity'
import { hasAny } from '@cadmus/model/inherit'
import type { Draft } from './drafts.ts'

/** The references of a draft: the entities named, those representing them, and everything as text for comparison. */
type References = { draft: Draft; named: readonly number[]; targets: ReadonlySet<number>; text: string }

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
      if (previous?.text !== now.text) this.#replace(id, previous, now, touched)
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

  /** The drafts with a foreign key to the entity. */
  *of(id: number): Generator<Draft> {
    for (const referrer of this.#referrers.get(id) ?? []) {
      const references = this.#references.get(referrer)
      if (references) yield references.draft
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

function referencesOf(draft: Draft, standsFor: ReadonlyMap<number, EntityNode>): References {
  const named = draft.foreignKeys.map(({ relationship }) => relationship.associatedEntity.id)
  const targets = named.map(id => standsFor.get(id)?.id ?? id)
  const columns = draft.foreignKeys.map(({ relationship }) => relationship.associatedEntityTypeAttribute)
  return { draft, named, targets: new Set(targets), text: JSON.stringify([targets, columns]) }
}
