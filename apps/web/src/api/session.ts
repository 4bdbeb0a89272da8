import type { SessionAnswer } from '@cadmus/model/contract/sso'
import { isEqual } from '@cadmus/model/equal'
import { limits } from '@cadmus/model/limits'
import { chooseOrganisation as organisationFor } from '@cadmus/model/organisation'
import { useStore } from 'zustand'
import { ApiError, unreachable } from './error.ts'
import { callFirst, firstCalls } from './first-calls.ts'
import { hasUnstoredDrafts } from './stored-drafts.ts'
import { queryClient } from './query-client.ts'
import {
  hasSessionCookie,
  lastOrganisation,
  type Permission,
  sessionStore,
  type SessionState,
} from './session-store.ts'
import { storage } from './storage.ts'
import { forgetProfile, storedUser } from './stored-user.ts'

export function useSession<T>(pick: (session: SessionState) => T): T {
  return useStore(sessionStore, pick)
}

/**
 * Whether a user is signed in. Sends one request to the server, and only if both session cookies exist. Rejects if the
 * server is unreachable.
 */
export async function ensureSession(): Promise<boolean> {
  const session = sessionStore.getState()
  if (session.state === 'authenticated' || session.expired) return true
  if (!hasSessionCookie()) {
    session.ended({ expired: false })
    return false
  }
  try {
    start(await callFirst(firstCalls.getSession, {}, { renew: false }))
    return true
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error
    sessionStore.getState().ended({ expired: false })
    return false
  }
}

/** A known user whose sync flag is missing must sign in with the provider again, even with cookies. */
export function mustSync(): boolean {
  return hasSessionCookie() && storedUser() !== null && storage.read('sync') === null
}

/** Redirects to the provider; stores the state for the return. */
export async function startSignIn(): Promise<void> {
  sessionStore.getState().beginSignIn()
  const { url, state } = await callFirst(firstCalls.authorize, {})
  storage.write('signInState', [...signInStates().slice(1 - limits.signInsAtOnce), state].join(' '))
  location.assign(url)
}

/** States of pending sign-ins; several pages may sign in at once. */
export function signInStates(): string[] {
  return storage.read('signInState')?.split(' ') ?? []
}

/** Completes the sign-in. The caller has checked the state. */
export async function finishSignIn(code: string, state: string): Promise<void> {
  const { beginSignIn, ended } = sessionStore.getState()
  beginSignIn()
  const answer = await callFirst(firstCalls.signIn, { query: { code, state } }).catch((error: unknown) => {
    ended({ expired: false })
    throw error
  })
  storage.remove('signInState')
  // Other pages are only notified of changes: a page with an expired session continues wherever the user signed in
  // again.
  storage.remove('sync')
  storage.write('sync', '1')
  queryClient.clear()
  if (storedUser()?.userId !== answer.eccUser.userId) forgetPlace()
  start(answer)
}

export function chooseOrganisation(organisation: Permission): void {
  sessionStore.getState().choose(organisation)
  void loadLicence()
}

/** Chooses the organisation as after a sign-in, if there is none: access may have been granted since. */
export async function chooseAgain(): Promise<void> {
  await lookAgain()
  const { user, organisation } = sessionStore.getState()
  const own = user && organisation === null && organisationFor(user.permissions, lastOrganisation(user.userId))
  if (own) chooseOrganisation(own)
}

/** Switches to another organisation: reloads the page, so that no data of the previous organisation remains. */
export function switchOrganisation(organisation: Permission): void {
  sessionStore.getState().choose(organisation)
  storage.remove('selectedNode')
  storage.remove('desk')
  location.assign('/')
}

function start(answer: SessionAnswer): void {
  sessionStore.getState().started(answer.eccUser, answer.demo, answer.onboarded)
  storeLicence(answer)
  void loadLicence()
}

/**
 * Loads the licence of the current organisation if it is not loaded. Without a licence, pickers offer all options and
 * the server refuses unlicensed ones.
 */
async function loadLicence(): Promise<void> {
  const { organisation, licence } = sessionStore.getState()
  if (organisation === null || licence?.code === organisation.oc) return
  const answer = await callFirst(firstCalls.getSession, {}).catch(() => null)
  if (answer !== null) storeLicence(answer)
}

function storeLicence({ organisation, eccUser }: SessionAnswer): void {
  sessionStore.getState().licensed(
    organisation && {
      code: organisation.code,
      serviceOptions: organisation.serviceOptions,
      ...organisation.licence,
    },
    eccUser.negroniLicenseLimits,
  )
}

/** After the session expired: signs out and keeps open documents. */
export async function leaveSession(): Promise<void> {
  // Another user may have signed in on another page; the session is theirs.
  const stored = storedUser()
  if (stored !== null && stored.userId !== sessionStore.getState().user?.userId) return
  storage.remove('sync')
  if (hasSessionCookie()) await callFirst(firstCalls.signOut, {}).catch(() => undefined)
}

/**
 * Ends the session here and on the server. Returns the provider's logout URL, or null if there is none or no user was
 * signed in (unless `anyway`). Rejects while the server cannot end the session.
 */
export async function signOut({ anyway = false } = {}): Promise<{ was: boolean; url: string | null }> {
  const was = anyway || hasSessionCookie()
  forgetPlace()
  storage.remove('wanted')
  storage.remove('sync')
  forgetProfile()
  sessionStore.getState().ended({ expired: false })
  queryClient.clear()
  const url = was ? (await ended()).url : null
  return { was, url }
}

/** Limits the wait, so that a user who signs out is informed. */
async function ended() {
  const signal = AbortSignal.timeout(logoutTimeout)
  return callFirst(firstCalls.signOut, {}, { signal }).catch((error: unknown) => {
    throw signal.aborted ? unreachable() : error
  })
}

/** Maximum duration of a logout in milliseconds: the server responds within 5 seconds even without its database. */
const logoutTimeout = 8000

/** Drops the stored location; the next user starts at the beginning. */
function forgetPlace(): void {
  for (const key of ['selectedNode', 'lastVisit', 'workSection', 'desk', 'adminOrganisation', 'tours'] as const)
    storage.remove(key)
}

/**
 * Follows session changes on other pages: a logout or another user's sign-in ends the session here, a sign-in of the
 * same user resumes it. A page restored from the back/forward cache missed such events and checks again.
 */
export function followOtherPages(): void {
  storage.watch('login', () => {
    const stored = otherStoredUser()
    // After a logout elsewhere, unsaved changes that are no longer stored remain visible until the next call.
    if (stored !== null && (stored.signedIn || !hasUnstoredDrafts())) sessionStore.getState().ended({ expired: true })
  })
  storage.watch('sync', () => {
    const { user, expired, resumed } = sessionStore.getState()
    if (storage.read('sync') === null || storedUser()?.userId !== user?.userId) return
    resumed()
    if (expired) refetchFailed()
  })
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted && otherStoredUser() !== null) location.reload()
  })
}

/** Reloads data whose earlier read failed. */
function refetchFailed(): void {
  void queryClient.invalidateQueries()
}

/** The stored user if different from the page's user: another user, or the same after a logout. */
function otherStoredUser(): ReturnType<typeof storedUser> {
  const { state, user } = sessionStore.getState()
  const stored = storedUser()
  if (state !== 'authenticated' || user === null || stored === null) return null
  return stored.userId === user.userId && stored.signedIn ? null : stored
}

/** Minimum interval in milliseconds between automatic checks. */
const minimumInterval = 5000
let checking: Promise<void> | null = null

/** Checks again the data that an administrator may have changed: the user's organisations and the licence. */
export function lookAgain(): Promise<void> {
  checking ??= check().finally(() => {
    checking = null
  })
  return checking
}

async function check(): Promise<void> {
  const { state, user, access: before } = sessionStore.getState()
  if (state !== 'authenticated') return
  const answer = await callFirst(firstCalls.getSession, {}).catch(() => null)
  // Another user may have signed in on another page.
  if (answer === null || answer.eccUser.userId !== user?.userId) return
  sessionStore.getState().setUser(answer.eccUser)
  const { access, organisation, licence } = sessionStore.getState()
  if (before !== 'granted' && access === 'granted') refetchFailed()
  if (access !== 'granted' || organisation === null || answer.organisation === null) return
  const { code, serviceOptions, licence: allowed } = answer.organisation
  if (!isEqual(licence, { code, serviceOptions, ...allowed })) storeLicence(answer)
}

/** Checks whenever the page becomes visible again. */
export function followSession(): () => void {
  let last = Date.now()
  const back = () => {
    if (document.hidden || Date.now() - last < minimumInterval) return
    last = Date.now()
    void lookAgain()
  }
  addEventListener('focus', back)
  addEventListener('visibilitychange', back)
  return () => {
    removeEventListener('focus', back)
    removeEventListener('visibilitychange', back)
  }
}
