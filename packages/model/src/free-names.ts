import { foldName } from './paths.ts'

export type FreeNamesOptions = {
  /** Normal form for comparing names; by default case-insensitive. */
  fold?: (name: string) => string
  /** Names in use. */
  taken?: Iterable<string>
  /** Separator between name and number. */
  join?: string
}

/** Assigns unique names: the requested one, or with the first free number from 2. */
export class FreeNames {
  readonly #taken: Set<string>
  readonly #fold: (name: string) => string
  readonly #join: string
  /** Last used number by name, so that thousands of equal names need no repeated search. */
  readonly #numbers = new Map<string, number>()

  constructor({ fold = foldName, taken = [], join = '_' }: FreeNamesOptions = {}) {
    this.#fold = fold
    this.#taken = new Set([...taken].map(fold))
    this.#join = join
  }

  has(name: string): boolean {
    return this.#taken.has(this.#fold(name))
  }

  take(name: string): string {
    const folded = this.#fold(name)
    let number = this.#numbers.get(folded) ?? 1
    let free = number === 1 ? name : `${name}${this.#join}${number}`
    while (this.has(free)) free = `${name}${this.#join}${++number}`
    this.#numbers.set(folded, number)
    this.#taken.add(this.#fold(free))
    return free
  }
}
