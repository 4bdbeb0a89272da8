import { hasSameItems } from '@cadmus/model/equal'
import { legalName, newNameGiver, type NameRules } from './names.ts'

/** What the tables of one state of a schema after the other are called: as by a new name giver each time. */
export class NameMemory {
  readonly #rules: NameRules
  #asked: readonly string[] = []
  #given: readonly string[] = []
  /** How the database compares them, as long as none is like another; then none depends on those before it. */
  #folded: Set<string> | undefined = new Set()

  constructor(rules: NameRules) {
    this.#rules = rules
  }

  give(asked: readonly string[]): readonly string[] {
    if (hasSameItems(asked, this.#asked)) return this.#given
    this.#given = this.#replaced(asked) ?? this.#anew(asked)
    this.#asked = asked
    return this.#given
  }

  /** Undefined where names have to be told apart. */
  #replaced(asked: readonly string[]): readonly string[] | undefined {
    const folded = this.#folded
    if (!folded) return undefined
    const [before, rules] = [this.#given, this.#rules]
    const isAsBefore = (index: number) => index < before.length && asked[index] === this.#asked[index]
    before.forEach((given, index) => isAsBefore(index) || folded.delete(rules.fold(given)))
    const names = asked.map(
      (name, index) => (isAsBefore(index) ? before[index] : undefined) ?? this.#added(name, folded),
    )
    if (folded.size === names.length) return names
    this.#folded = undefined
    return undefined
  }

  #added(name: string, folded: Set<string>): string {
    const given = legalName(name, this.#rules, 'table')
    folded.add(this.#rules.fold(given))
    return given
  }

  /** Names that are unlike each other by themselves are remembered as such. */
  #anew(asked: readonly string[]): readonly string[] {
    const names = newNameGiver(this.#rules)
    const given = asked.map(name => names.give(name, 'table'))
    const folded = new Set<string>()
    for (const name of asked) this.#added(name, folded)
    this.#folded = folded.size === asked.length ? folded : undefined
    return given
  }
}
