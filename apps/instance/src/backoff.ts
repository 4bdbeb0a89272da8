/** The first and the longest pause, in milliseconds. */
const pauses = { first: 3000, max: 300_000 }

/** Schedules retries: each failure doubles the pause, unless the last pause ended long ago. */
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
    if (this.#now() - this.#due > pauses.max) this.#pause = 0
    this.#pause = Math.min(Math.max(pauses.first, 2 * this.#pause), pauses.max)
    this.#due = this.#now() + this.#pause
  }

  reset(): void {
    this.#pause = 0
    this.#due = 0
  }
}
