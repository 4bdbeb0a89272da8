import type { DraftKey } from './draft-key.ts'

/** The stored state that a user saw when they began to edit a field, updated by the user's own saves. */
export type Seen<C> = { content: C }

/** States seen, kept while a field refers to them. */
export class SeenStates<C> {
  readonly #all = new Map<DraftKey, Set<WeakRef<Seen<C>>>>()

  of(key: DraftKey, content: C): Seen<C> {
    const seen = { content }
    const states = this.#all.get(key) ?? new Set()
    this.#all.set(key, states.add(new WeakRef(seen)))
    return seen
  }

  /** Applies the user's own save. */
  follow(key: DraftKey, after: (seen: C) => C): void {
    const states = this.#all.get(key)
    for (const one of states ?? []) {
      const seen = one.deref()
      if (seen) seen.content = after(seen.content)
      else states?.delete(one)
    }
  }
}
