/** The first and the longest pause, in milliseconds. */
const pauses = { first: 3000, max: 300_000 }

/** Schedules retries: each failure doubles the pause. */
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
    this.#pause = Math.min(Math.max(pauses.first, 2 * this.#pause), pauses.max)
    this.#due = this.#now() + this.#pause
  }

  reset(): void {
    this.#pause = 0
    this.#due = 0
  }
}
