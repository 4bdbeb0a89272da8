/** The saves that have an id and are not over yet: who asks what became of one waits for it. Of this server only. */
export class SavesUnderWay {
  readonly #all = new Map<string, Promise<unknown>>()

  async run<T>(organisationId: number, saveId: string | undefined, save: () => Promise<T>): Promise<T> {
    if (saveId === undefined) return save()
    const key = keyOf(organisationId, saveId)
    const saving = save()
    // The same may have been sent twice.
    const over = Promise.allSettled([this.#all.get(key), saving])
    this.#all.set(key, over)
    try {
      return await saving
    } finally {
      if (this.#all.get(key) === over) this.#all.delete(key)
    }
  }

  /** Once that one is stored or refused; at once where it is not under way. */
  async over(organisationId: number, saveId: string): Promise<void> {
    await this.#all.get(keyOf(organisationId, saveId))
  }
}

function keyOf(organisationId: number, saveId: string): string {
  return `${organisationId} ${saveId}`
}
