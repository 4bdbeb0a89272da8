import { createStore } from 'zustand/vanilla'
import { ApiError } from './error.ts'

/** Polling interval in milliseconds. */
const calm = 2000
/** Maximum response time in milliseconds: the server responds within 5 seconds even without its database. */
const patience = 8000

/** Whether the server or its database is unreachable. */
export const connectionStore = createStore<{ away: boolean }>()(() => ({ away: false }))

let timer: ReturnType<typeof setTimeout> | null = null

/** If a call failed because the server is unreachable, polls until it responds again. */
export function noteFailure(error: unknown): void {
  if (!isAway(error) || timer !== null) return
  connectionStore.setState({ away: true })
  timer = setTimeout(() => void look(), calm)
}

/** Any other response means that the server is reachable. */
export function isAway(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.code === 'store_away')
}

async function look(): Promise<void> {
  // Requests on a dead connection never finish, so they need a timeout.
  const ready = await fetch('/ready', { signal: AbortSignal.timeout(patience) }).then(
    answer => answer.ok,
    () => false,
  )
  timer = ready ? null : setTimeout(() => void look(), calm)
  if (ready) connectionStore.setState({ away: false })
}
