import { foldName } from './paths.ts'

export type FreeNamesOptions = {
  /** Names that are the same by this are one name; without it upper and lower case are. */
  fold?: (name: string) => string
  /** Names that are somebody's already. */
  taken?: Iterable<string>
  /** What stands between a name and its number. */
  join?: string
}

/** Hands out names that nobody has: those that are asked for, or with the first number behind them, from 2, that is free. */
export class FreeNames {
  readonly #taken: Set<string>
  readonly #fold: (name: string) => string
  readonly #join: string
  /** Up to which number a name is taken: where thousands ask for one, each begins behind the one before. */
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
