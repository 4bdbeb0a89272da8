/** Work that is done one after the other; `failed` hears of what failed, and the next goes on. */
export class Turns {
  readonly #failed: (error: unknown) => void
  #last: Promise<void> = Promise.resolve()

  constructor(failed: (error: unknown) => void) {
    this.#failed = failed
  }

  /** When all that was taken so far is done. */
  get last(): Promise<void> {
    return this.#last
  }

  /** Answers how that went, for whoever wants to know. */
  take(work: () => Promise<void>): Promise<void> {
    const done = this.#last.then(work)
    this.#last = done.catch(this.#failed)
    return done
  }
}
