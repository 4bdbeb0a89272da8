/** Tracks this server's running saves by operation id, so that queries about their outcome can wait. */
export class RunningSaves {
  readonly #all = new Map<string, Promise<unknown>>()

  async run<T>(organisationId: number, operationId: string | undefined, save: () => Promise<T>): Promise<T> {
    if (operationId === undefined) return save()
    const key = keyOf(organisationId, operationId)
    const running = save()
    // The same save may have been sent twice.
    const ended = Promise.allSettled([this.#all.get(key), running])
    this.#all.set(key, ended)
    try {
      return await running
    } finally {
      if (this.#all.get(key) === ended) this.#all.delete(key)
    }
  }

  /** Resolves when the save has ended; at once if it is not running. */
  async waitForEnd(organisationId: number, operationId: string): Promise<void> {
    await this.#all.get(keyOf(organisationId, operationId))
  }
}

function keyOf(organisationId: number, operationId: string): string {
  return `${organisationId} ${operationId}`
}
