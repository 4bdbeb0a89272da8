import { ApiError } from '../errors/api-error.ts'

/** Forms are held in memory, up to 100 MB each: so many at once for one user. */
const formsAtOnce = 2

/** Counts the forms of each user that are being read or worked on. */
export class FormTurns {
  #held = new Map<string, number>()

  /** Takes a turn, or throws 429; the answer gives it back. */
  take(userId: string): () => void {
    const held = this.#held.get(userId) ?? 0
    if (held >= formsAtOnce) {
      throw new ApiError(429, 'rate_limited', 'Wait for your other uploads to end.', { retryAfter: 5 })
    }
    this.#held.set(userId, held + 1)
    return () => this.#giveBack(userId)
  }

  #giveBack(userId: string): void {
    const held = (this.#held.get(userId) ?? 1) - 1
    if (held === 0) this.#held.delete(userId)
    else this.#held.set(userId, held)
  }
}
