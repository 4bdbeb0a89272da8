import { createStore } from 'zustand/vanilla'
import { ApiError } from './error.ts'

/** How long until the server is asked again, in milliseconds. */
const calm = 2000
/** How long an answer may take: the server has one within 5 seconds, also where its database has none. */
const patience = 8000

/** Whether the server, or the database behind it, is away at the moment. */
export const connectionStore = createStore<{ away: boolean }>()(() => ({ away: false }))

let timer: ReturnType<typeof setTimeout> | null = null

/** Looks at a call that failed: when it did because the server is away, asks quietly until it is back. */
export function noteFailure(error: unknown): void {
  if (!isAway(error) || timer !== null) return
  connectionStore.setState({ away: true })
  timer = setTimeout(() => void look(), calm)
}

/** A server that answered anything else is there. */
export function isAway(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.code === 'store_away')
}

async function look(): Promise<void> {
  // What was asked on a line that is dead is never answered, and nobody would ask again.
  const ready = await fetch('/ready', { signal: AbortSignal.timeout(patience) }).then(
    answer => answer.ok,
    () => false,
  )
  timer = ready ? null : setTimeout(() => void look(), calm)
  if (ready) connectionStore.setState({ away: false })
}
