/** Runs tasks in sequence; a failed one is passed to `failed`. */
export class TaskQueue {
  readonly #failed: (error: unknown) => void
  #last: Promise<void> = Promise.resolve()

  constructor(failed: (error: unknown) => void) {
    this.#failed = failed
  }

  /** Resolves when all queued tasks are done. */
  get last(): Promise<void> {
    return this.#last
  }

  /** Returns the result of the task. */
  add(work: () => Promise<void>): Promise<void> {
    const done = this.#last.then(work)
    this.#last = done.catch(this.#failed)
    return done
  }
}
