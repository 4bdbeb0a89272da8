/**
 * What is there for a short while: to come and to go costs the same however many are there, and nothing is left to be tidied up. `seat`: of
 * who is not there -1.
 */
export class Seats<T extends { seat: number }> {
  readonly #taken: T[] = []

  get all(): readonly T[] {
    return this.#taken
  }

  take(one: T): void {
    one.seat = this.#taken.push(one) - 1
  }

  /** Answers whether it was there. */
  leave(one: T): boolean {
    const { seat } = one
    if (seat < 0) return false
    one.seat = -1
    const last = this.#taken.pop()
    if (last && last !== one) {
      this.#taken[seat] = last
      last.seat = seat
    }
    return true
  }
}
