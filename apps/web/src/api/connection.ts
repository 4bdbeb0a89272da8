import { createStore } from 'zustand/vanilla'
import { ApiError } from './error.ts'

/** Polling interval in milliseconds. */
const pollInterval = 2000
/** Maximum response time in milliseconds: the server responds within 5 seconds even without its database. */
const timeout = 8000

export const connectionStore = createStore<{ away: boolean }>()(() => ({ away: false }))

let timer: ReturnType<typeof setTimeout> | null = null

/** After a call failed because the server is unreachable, polls until it responds again. */
export function noteFailure(error: unknown): void {
  if (!isAway(error) || timer !== null) return
  connectionStore.setState({ away: true })
  timer = setTimeout(() => void poll(), pollInterval)
}

/** Any other response means that the server is reachable. */
export function isAway(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.code === 'store_away')
}

async function poll(): Promise<void> {
  // Requests on a dead connection never finish, so they need a timeout.
  const ready = await fetch('/ready', { signal: AbortSignal.timeout(timeout) }).then(
    answer => answer.ok,
    () => false,
  )
  timer = ready ? null : setTimeout(() => void poll(), pollInterval)
  if (ready) connectionStore.setState({ away: false })
}
