import { ApiError } from '../errors/api-error.ts'

/** Forms of up to 100 MB are held in memory, so their number per user is limited. */
const maxForms = 2

/** Counts the forms per user that are being read or processed. */
export class FormSlots {
  #held = new Map<string, number>()

  /** Returns the function that releases the slot. Throws 429 without a free slot. */
  take(userId: string): () => void {
    const held = this.#held.get(userId) ?? 0
    if (held >= maxForms) {
      throw new ApiError(
        429,
        'rate_limited',
        'Too many of your uploads are in progress. Try again when one has finished.',
        { retryAfter: 5 },
      )
    }
    this.#held.set(userId, held + 1)
    return () => this.#release(userId)
  }

  #release(userId: string): void {
    const held = (this.#held.get(userId) ?? 1) - 1
    if (held === 0) this.#held.delete(userId)
    else this.#held.set(userId, held)
  }
}
