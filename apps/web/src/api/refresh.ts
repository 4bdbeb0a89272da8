import { firstRoutes, signInHeader } from '@cadmus/model/contract/routes'
import { errorOf, unreachable } from './error.ts'
import { sessionStore } from './session-store.ts'

let running: Promise<boolean> | null = null
let renewals = 0

/** Number of session renewals by this page; shows whether a call was sent with the current session. */
export function renewalsSoFar(): number {
  return renewals
}

/**
 * Renews the session for a call sent after `sentAfter` renewals. Concurrent calls share one renewal, and a call sent
 * before the last renewal finished needs none. False: the session has ended. Rejects if the outcome is unknown.
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

/** Only a 401 of the server ends a session; an unreachable server does not. */
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
