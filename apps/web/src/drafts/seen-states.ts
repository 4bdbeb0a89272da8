import type { DraftKey } from './draft-key.ts'

/** What somebody saw of the stored state when they began to type; what they save of it themselves since then is no surprise. */
export type Seen<C> = { content: C }

/** What is remembered for those who are typing, as long as a field holds it. */
export class SeenStates<C> {
  readonly #all = new Map<DraftKey, Set<WeakRef<Seen<C>>>>()

  of(key: DraftKey, content: C): Seen<C> {
    const seen = { content }
    const known = this.#all.get(key) ?? new Set()
    this.#all.set(key, known.add(new WeakRef(seen)))
    return seen
  }

  /** What one saved oneself. */
  follow(key: DraftKey, after: (seen: C) => C): void {
    const known = this.#all.get(key)
    for (const one of known ?? []) {
      const seen = one.deref()
      if (seen) seen.content = after(seen.content)
      else known?.delete(one)
    }
  }
}
