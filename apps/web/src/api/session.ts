import type { SessionAnswer } from '@cadmus/model/contract/sso'
import { useStore } from 'zustand'
import { ApiError } from './error.ts'
import { callFirst, firstCalls } from './first-calls.ts'
import { queryClient } from './query-client.ts'
import { hasSessionCookie, type Permission, sessionStore, type SessionState } from './session-store.ts'
import { storage } from './storage.ts'

export function useSession<T>(pick: (session: SessionState) => T): T {
  return useStore(sessionStore, pick)
}

/** Whether somebody is signed in, asking the server once. Rejects when the server cannot be reached. */
export async function ensureSession(): Promise<boolean> {
  const session = sessionStore.getState()
  if (session.state === 'authenticated' || session.expired) return true
  if (!hasSessionCookie()) {
    session.ended({ expired: false })
    return false
  }
  try {
    start(await callFirst(firstCalls.getSession, {}))
    return true
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error
    sessionStore.getState().ended({ expired: false })
    return false
  }
}

/** A user known here whose sync flag is gone must pass the provider once more, even with cookies. */
export function mustSync(): boolean {
  return hasSessionCookie() && storage.readJson('login') !== null && storage.read('sync') === null
}

/** Leaves for the provider's page; the state is kept for the way back. */
export async function startSignIn(): Promise<void> {
  const { url, state } = await callFirst(firstCalls.authorize, {})
  storage.write('signInState', state)
  location.assign(url)
}

/** The way back: the state has been checked by the caller. */
export async function finishSignIn(code: string, state: string): Promise<void> {
  const answer = await callFirst(firstCalls.signIn, { query: { code, state } })
  storage.remove('signInState')
  storage.write('sync', '1')
  queryClient.clear()
  start(answer)
}

/** Goes on in that organisation. */
export function chooseOrganisation(organisation: Permission): void {
  sessionStore.getState().choose(organisation)
  void learnLicence()
}

function start(answer: SessionAnswer): void {
  sessionStore.getState().started(answer.eccUser, answer.demo)
  keepLicence(answer)
  void learnLicence()
}

/** Asks for the licence of the organisation at hand where it is not known. Without it the pickers offer everything, and the server refuses. */
async function learnLicence(): Promise<void> {
  const { organisation, licence } = sessionStore.getState()
  if (organisation === null || licence?.code === organisation.oc) return
  const answer = await callFirst(firstCalls.getSession, {}).catch(() => null)
  if (answer !== null) keepLicence(answer)
}

function keepLicence({ organisation }: SessionAnswer): void {
  sessionStore.getState().licensed(
    organisation && {
      code: organisation.code,
      serviceOptions: organisation.serviceOptions,
      ...organisation.licence,
    },
  )
}

/** After the session expired: what is left of it ends, what the person had open stays. */
export async function leaveSession(): Promise<void> {
  storage.remove('sync')
  if (hasSessionCookie()) await callFirst(firstCalls.signOut, {}).catch(() => undefined)
}

/**
 * Ends the session here and at the server; answers the provider's logout address, null where nobody was signed in, unless it is asked
 * for anyway.
 */
export async function signOut({ anyway = false } = {}): Promise<string | null> {
  storage.remove('selectedNode')
  storage.remove('lastVisit')
  storage.remove('desk')
  storage.remove('sync')
  const known = anyway || hasSessionCookie()
  const url = known
    ? await callFirst(firstCalls.signOut, {}).then(
        answer => answer.url,
        () => null,
      )
    : null
  sessionStore.getState().ended({ expired: false })
  queryClient.clear()
  return url
}
