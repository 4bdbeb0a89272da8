/** Milliseconds to the first try, and at most to any later one. */
const pauses = { first: 3000, most: 300_000 }

/** When what failed is tried again: after each failure it takes twice as long. */
export class Backoff {
  readonly #now: () => number
  #pause = 0
  #due = 0

  constructor(now: () => number) {
    this.#now = now
  }

  get isDue(): boolean {
    return this.#now() >= this.#due
  }

  failed(): void {
    this.#pause = Math.min(Math.max(pauses.first, 2 * this.#pause), pauses.most)
    this.#due = this.#now() + this.#pause
  }

  reset(): void {
    this.#pause = 0
    this.#due = 0
  }
}
