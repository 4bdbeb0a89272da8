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
    return this.remaining === 0
  }

  /** Remaining milliseconds of the pause. */
  get remaining(): number {
    return Math.max(0, this.#due - this.#now())
  }

  /** Whether the last failure no longer has an effect. */
  get isOver(): boolean {
    return this.#now() - this.#due > pauses.max
  }

  failed(): void {
    if (this.isOver) this.#pause = 0
    this.#pause = Math.min(Math.max(pauses.first, 2 * this.#pause), pauses.max)
    this.#due = this.#now() + this.#pause
  }

  reset(): void {
    this.#pause = 0
    this.#due = 0
  }
}
