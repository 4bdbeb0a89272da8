import { setImmediate as nextTurn } from 'node:timers/promises'

/** Milliseconds of uninterrupted work before the event loop gets a turn. */
const longest = 10

let began: number | null = null

/** Starts measuring how long this thread works without a break. */
export function beginTurn(): void {
  if (began !== null) return
  began = performance.now()
  setImmediate(() => (began = null))
}

/**
 * Yields to the event loop if this thread has worked too long. Call it between the steps of long work: statements of
 * the embedded store and operations on large contents are synchronous.
 */
export async function othersTurn(): Promise<void> {
  if (began === null) return beginTurn()
  if (performance.now() - began > longest) await nextTurn()
}
