import type { InheritFilter } from './member.ts'
import { notThere } from './not-there.ts'
import type { Place } from './report.ts'

/** A choice of attributes as it is applied: it knows which of the names that it asks for were there. */
export class Taken {
  readonly #filter: InheritFilter | undefined
  readonly #seen = new Set<string>()

  constructor(filter: InheritFilter | undefined) {
    this.#filter = filter
  }

  /** Of an attribute that gets another name on its way: the choice may name it as it is or as it becomes. */
  has(name: string, renamedTo = name): boolean {
    const filter = this.#filter
    // Without a choice, which is nearly always, nothing is remembered: long chains come by here millions of times.
    if (!filter) return true
    if (filter.take) this.#seen.add(name).add(renamedTo)
    if (filter.avoid.has(name) || filter.avoid.has(renamedTo)) return false
    return filter.take === undefined || filter.take.has(name) || filter.take.has(renamedTo)
  }

  report(place: Place): void {
    const missing = [...(this.#filter?.take ?? [])].filter(name => !this.#seen.has(name))
    const message = notThere('selectsSomeTakeNames', missing)
    if (message !== undefined) place.warning(message)
  }
}
