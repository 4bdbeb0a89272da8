import { firstRoutes, signInHeader } from '@cadmus/model/contract/routes'
import { errorOf, unreachable } from './error.ts'
import { sessionStore } from './session-store.ts'

let running: Promise<boolean> | null = null
let renewals = 0

/** How often this page has renewed the session: what is sent after more of them is sent with a newer one. */
export function renewalsSoFar(): number {
  return renewals
}

/**
 * Renews the session for a call that was sent after so many renewals; calls that come meanwhile wait for the same one, and one that
 * was sent before the last was over needs none. False: the session is over. Rejects when nobody can say.
 */
export function renewed(sentAfter: number, quietly: boolean): Promise<boolean> {
  if (sentAfter < renewals) return Promise.resolve(true)
  running ??= renew().finally(() => {
    running = null
  })
  return running.then(ok => {
    if (!ok) sessionStore.getState().ended({ expired: !quietly && !onSignInPage() })
    return ok
  })
}

/** Only the server's 401 ends a session: one that is away says nothing about it. */
async function renew(): Promise<boolean> {
  const response = await fetch(firstRoutes.refreshSession.path, {
    method: firstRoutes.refreshSession.method,
    headers: { [signInHeader]: '1' },
    credentials: 'same-origin',
  }).catch(() => {
    throw unreachable()
  })
  if (response.ok) {
    renewals += 1
    return true
  }
  if (response.status === 401) return false
  throw await errorOf(response)
}

function onSignInPage(): boolean {
  return typeof location !== 'undefined' && location.pathname.startsWith('/sso/')
}
