import type { InheritFilter } from './member.ts'
import { describeMissing } from './missing-names.ts'
import type { Place } from './report.ts'

/** Applies an attribute filter and records the names that were present. */
export class AttributeFilter {
  readonly #filter: InheritFilter | undefined
  readonly #seen = new Set<string>()

  constructor(filter: InheritFilter | undefined) {
    this.#filter = filter
  }

  /** The filter may name a renamed attribute by its old or new name. */
  has(name: string, renamedTo = name): boolean {
    const filter = this.#filter
    // Fast path: long inheritance chains call this millions of times, nearly always without a filter.
    if (!filter) return true
    if (filter.take) this.#seen.add(name).add(renamedTo)
    if (filter.avoid.has(name) || filter.avoid.has(renamedTo)) return false
    return filter.take === undefined || filter.take.has(name) || filter.take.has(renamedTo)
  }

  report(place: Place): void {
    const missing = [...(this.#filter?.take ?? [])].filter(name => !this.#seen.has(name))
    const message = describeMissing('selectsSomeTakeNames', missing)
    if (message !== undefined) place.warning(message)
  }
}
