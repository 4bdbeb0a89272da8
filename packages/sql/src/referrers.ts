import type { EntityNode } from '@cadmus/model/entity'
import { hasAny } from '@cadmus/model/changed'
import type { Draft } from './drafts.ts'

/** What a draft's foreign keys refer to: the entities as they are named, those that stand for them, and all of it as text. */
type Pointing = { draft: Draft; named: readonly number[]; targets: ReadonlySet<number>; text: string }

/** Which tables refer to an entity, in one state of a model after the other. */
export class Referrers {
  #pointing = new Map<number, Pointing>()
  readonly #of = new Map<number, Set<number>>()

  /**
   * Knows these drafts from here on. Answers the ids of those that came, went or changed, and of those that others refer to
   * otherwise than before. `moved` are those for which another entity stands than before.
   */
  look(drafts: readonly Draft[], standsFor: ReadonlyMap<number, EntityNode>, moved: ReadonlySet<number>): Set<number> {
    const touched = new Set<number>()
    const before = this.#pointing
    this.#pointing = new Map()
    for (const draft of drafts) {
      const { id } = draft.entity
      const known = before.get(id)
      before.delete(id)
      const isSame = known?.draft === draft && !hasAny(known.named, moved)
      const now = isSame ? known : pointingOf(draft, standsFor)
      this.#pointing.set(id, now)
      if (isSame) continue
      touched.add(id)
      if (known?.text !== now.text) this.#replace(id, known, now, touched)
    }
    for (const [id, gone] of before) {
      touched.add(id)
      this.#replace(id, gone, undefined, touched)
    }
    return touched
  }

  /** Undefined for an entity that becomes no table. */
  draftOf(id: number): Draft | undefined {
    return this.#pointing.get(id)?.draft
  }

  /** The drafts of the tables with a foreign key that refers to the entity. */
  *of(id: number): Generator<Draft> {
    for (const referrer of this.#of.get(id) ?? []) {
      const pointing = this.#pointing.get(referrer)
      if (pointing) yield pointing.draft
    }
  }

  #replace(id: number, gone: Pointing | undefined, come: Pointing | undefined, touched: Set<number>): void {
    for (const target of gone?.targets ?? []) {
      touched.add(target)
      const referrers = this.#of.get(target)
      referrers?.delete(id)
      if (referrers?.size === 0) this.#of.delete(target)
    }
    for (const target of come?.targets ?? []) {
      touched.add(target)
      const referrers = this.#of.get(target)
      if (referrers) referrers.add(id)
      else this.#of.set(target, new Set([id]))
    }
  }
}

function pointingOf(draft: Draft, standsFor: ReadonlyMap<number, EntityNode>): Pointing {
  const named = draft.foreignKeys.map(({ relationship }) => relationship.associatedEntity.id)
  const targets = named.map(id => standsFor.get(id)?.id ?? id)
  const columns = draft.foreignKeys.map(({ relationship }) => relationship.associatedEntityTypeAttribute)
  return { draft, named, targets: new Set(targets), text: JSON.stringify([targets, columns]) }
}
