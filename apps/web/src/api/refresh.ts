import { refreshSession } from '@cadmus/model/contract/sso'
import { signInHeader } from '@cadmus/model/contract/shared'
import { sessionStore } from './session-store.ts'

let running: Promise<boolean> | null = null

/** Renews the session; calls that come meanwhile wait for the same one. False: the session is over. */
export function renewed(quietly: boolean): Promise<boolean> {
  running ??= renew().finally(() => {
    running = null
  })
  return running.then(ok => {
    if (!ok) sessionStore.getState().ended({ expired: !quietly && !onSignInPage() })
    return ok
  })
}

async function renew(): Promise<boolean> {
  try {
    const response = await fetch(refreshSession.path, {
      method: refreshSession.method,
      headers: { [signInHeader]: '1' },
      credentials: 'same-origin',
    })
    return response.ok
  } catch {
    return false
  }
}

function onSignInPage(): boolean {
  return typeof location !== 'undefined' && location.pathname.startsWith('/sso/')
}
