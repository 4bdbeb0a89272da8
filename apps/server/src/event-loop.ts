import { setImmediate as nextTurn } from 'node:timers/promises'

/** Milliseconds of uninterrupted work before the event loop gets a turn. */
const maxSlice = 10

let sliceStart: number | null = null

/** Starts measuring how long this thread works without a break. */
export function startSlice(): void {
  if (sliceStart !== null) return
  sliceStart = performance.now()
  setImmediate(() => (sliceStart = null))
}

/**
 * Yields to the event loop if this thread has worked too long. Call it between the steps of long work: statements of
 * the embedded store and operations on large contents are synchronous.
 */
export async function yieldToEventLoop(): Promise<void> {
  if (sliceStart === null) return startSlice()
  if (performance.now() - sliceStart > maxSlice) await nextTurn()
}

/** Runs a generator; may yield to the event loop after each of its steps. */
export async function inPieces<T>(work: Iterator<void, T>): Promise<T> {
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
    await yieldToEventLoop()
  }
}
