import type { ImportProgress } from '../commands/manifest/import-messages.ts'

type Running = { organisationId: number; progress: ImportProgress; controller: AbortController; endedAt: number | null }

const keptAfterEnd = 60_000

/** How far the imports of this server are, by the key that their callers chose. */
export class Imports {
  readonly #running = new Map<string, Running>()
  readonly #now: () => number

  constructor(now: () => number) {
    this.#now = now
  }

  /** Undefined where the key is in use. */
  begin(
    organisationId: number,
    key: string,
  ): { signal: AbortSignal; report: (progress: ImportProgress) => void } | undefined {
    this.#forget()
    if (this.#running.has(key)) return undefined
    const running: Running = {
      organisationId,
      progress: { state: 'reading', done: 0, total: 0, message: '' },
      controller: new AbortController(),
      endedAt: null,
    }
    this.#running.set(key, running)
    return {
      signal: running.controller.signal,
      report: progress => {
        running.progress = progress
        const isOver = ['done', 'failed', 'cancelled'].includes(progress.state)
        running.endedAt = isOver ? this.#now() : null
      },
    }
  }

  progress(organisationId: number, key: string): ImportProgress | undefined {
    const running = this.#running.get(key)
    return running?.organisationId === organisationId ? running.progress : undefined
  }

  /** False where nothing runs under the key. */
  cancel(organisationId: number, key: string): boolean {
    const running = this.#running.get(key)
    if (running?.organisationId !== organisationId || running.endedAt !== null) return false
    running.controller.abort()
    return true
  }

  #forget(): void {
    for (const [key, { endedAt }] of this.#running) {
      if (endedAt !== null && this.#now() - endedAt > keptAfterEnd) this.#running.delete(key)
    }
  }
}
