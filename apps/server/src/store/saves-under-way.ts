/** Tracks this server's running saves by operation id, so that queries about their outcome can wait. */
export class SavesUnderWay {
  readonly #all = new Map<string, Promise<unknown>>()

  async run<T>(organisationId: number, saveId: string | undefined, save: () => Promise<T>): Promise<T> {
    if (saveId === undefined) return save()
    const key = keyOf(organisationId, saveId)
    const saving = save()
    // The same save may have been sent twice.
    const over = Promise.allSettled([this.#all.get(key), saving])
    this.#all.set(key, over)
    try {
      return await saving
    } finally {
      if (this.#all.get(key) === over) this.#all.delete(key)
    }
  }

  /** Resolves when the save has ended; at once if it is not running. */
  async over(organisationId: number, saveId: string): Promise<void> {
    await this.#all.get(keyOf(organisationId, saveId))
  }
}

function keyOf(organisationId: number, saveId: string): string {
  return `${organisationId} ${saveId}`
}
