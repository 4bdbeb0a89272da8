import { setImmediate as nextTurn } from 'node:timers/promises'

/** Milliseconds in a row after which others get their turn. */
const longest = 10

let began: number | null = null

/** From here on it is counted how long this thread works in a row. */
export function beginTurn(): void {
  if (began !== null) return
  began = performance.now()
  setImmediate(() => (began = null))
}

/**
 * Lets others have their turn where this one has lasted. For between the steps of what may be long: statements of the embedded
 * store and work on large contents are synchronous.
 */
export async function othersTurn(): Promise<void> {
  if (began === null) return beginTurn()
  if (performance.now() - began > longest) await nextTurn()
}
