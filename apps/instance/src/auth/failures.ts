import { HttpError } from '../http-error.ts'

const span = 60_000
const most = 10
/** So many pairs are remembered before those without a recent failure are forgotten. */
const remembered = 10_000

/** Counts what went wrong in the last minute, by whatever names the pair of who and from where. */
export class Failures {
  readonly #now: () => number
  readonly #times = new Map<string, number[]>()

  constructor(now: () => number) {
    this.#now = now
  }

  /**
   * Throws 429 after ten failures. An attempt counts as one from its beginning, so that many at once are no way around it; the answer
   * takes that back, for one that succeeded.
   */
  begin(who: string): () => void {
    const now = this.#now()
    const recent = (this.#times.get(who) ?? []).filter(time => time > now - span)
    const [first = now] = recent
    if (recent.length >= most) {
      const seconds = Math.max(1, Math.ceil((first + span - now) / 1000))
      throw new HttpError(429, 'Too many attempts with a wrong password. Try again in a minute.', {
        'retry-after': String(seconds),
      })
    }
    if (this.#times.size >= remembered) this.#forget(now)
    this.#times.set(who, [...recent, now])
    return () => {
      const times = this.#times.get(who) ?? []
      const at = times.indexOf(now)
      if (at >= 0) this.#times.set(who, times.toSpliced(at, 1))
    }
  }

  #forget(now: number): void {
    for (const [who, times] of this.#times) {
      if ((times.at(-1) ?? 0) <= now - span) this.#times.delete(who)
    }
  }
}
