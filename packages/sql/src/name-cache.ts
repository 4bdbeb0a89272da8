import { hasSameItems } from '@cadmus/model/equal'
import { legalName, newNameGiver, type NameRules } from './names.ts'

/** The table names of successive states of a schema, equal to the names from a new name generator for each state. */
export class NameCache {
  readonly #rules: NameRules
  #requested: readonly string[] = []
  #names: readonly string[] = []
  /** Folded names, as long as all are distinct, so that no name depends on those before it. */
  #folded: Set<string> | undefined = new Set()

  constructor(rules: NameRules) {
    this.#rules = rules
  }

  give(requested: readonly string[]): readonly string[] {
    if (hasSameItems(requested, this.#requested)) return this.#names
    this.#names = this.#updateNames(requested) ?? this.#giveAll(requested)
    this.#requested = requested
    return this.#names
  }

  /** Undefined if names conflict. */
  #updateNames(requested: readonly string[]): readonly string[] | undefined {
    const folded = this.#folded
    if (!folded) return undefined
    const [before, rules] = [this.#names, this.#rules]
    const isUnchanged = (index: number) => index < before.length && requested[index] === this.#requested[index]
    before.forEach((legal, index) => isUnchanged(index) || folded.delete(rules.fold(legal)))
    const names = requested.map(
      (name, index) => (isUnchanged(index) ? before[index] : undefined) ?? this.#addName(name, folded),
    )
    if (folded.size === names.length) return names
    this.#folded = undefined
    return undefined
  }

  #addName(name: string, folded: Set<string>): string {
    const legal = legalName(name, this.#rules, 'table')
    folded.add(this.#rules.fold(legal))
    return legal
  }

  /** Caches the folded names if they are distinct. */
  #giveAll(requested: readonly string[]): readonly string[] {
    const names = newNameGiver(this.#rules)
    const legal = requested.map(name => names.give(name, 'table'))
    const folded = new Set<string>()
    for (const name of requested) this.#addName(name, folded)
    this.#folded = folded.size === requested.length ? folded : undefined
    return legal
  }
}
