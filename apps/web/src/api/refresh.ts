import { firstRoutes, signInHeader } from '@cadmus/model/contract/routes'
import { errorOf, unreachable } from './error.ts'
import { sessionStore } from './session-store.ts'

let running: Promise<boolean> | null = null

/** Renews the session; calls that come meanwhile wait for the same one. False: the session is over. Rejects when nobody can say. */
export function renewed(quietly: boolean): Promise<boolean> {
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
  if (response.ok) return true
  if (response.status === 401) return false
  throw await errorOf(response)
}

function onSignInPage(): boolean {
  return typeof location !== 'undefined' && location.pathname.startsWith('/sso/')
}
