/** Who is being answered: what serves them ends when they are gone. */
export class Visits {
  readonly #present = new Set<symbol>()
  readonly #watching = new Set<() => void>()

  /** Answers how to leave; once is enough, and more does no harm. */
  enter(): () => void {
    const visit = Symbol('visit')
    this.#present.add(visit)
    return () => {
      if (this.#present.delete(visit)) for (const look of this.#watching) look()
    }
  }

  /** When all who are here now have left, or after `patience` milliseconds. Who comes later is not waited for. */
  async gone(patience: number): Promise<void> {
    const awaited = new Set(this.#present)
    if (awaited.size === 0) return
    const { promise, resolve } = Promise.withResolvers<void>()
    const look = () => {
      for (const visit of awaited) if (!this.#present.has(visit)) awaited.delete(visit)
      if (awaited.size === 0) resolve()
    }
    this.#watching.add(look)
    const timer = setTimeout(resolve, patience)
    await promise
    clearTimeout(timer)
    this.#watching.delete(look)
  }
}
