import type { SessionAnswer } from '@cadmus/model/contract/sso'
import { isEqual } from '@cadmus/model/equal'
import { limits } from '@cadmus/model/limits'
import { useStore } from 'zustand'
import { ApiError, unreachable } from './error.ts'
import { callFirst, firstCalls } from './first-calls.ts'
import { isUnkept } from './kept-drafts.ts'
import { queryClient } from './query-client.ts'
import { hasSessionCookie, type Permission, sessionStore, type SessionState } from './session-store.ts'
import { storage } from './storage.ts'
import { forgetProfile, storedUser } from './stored-user.ts'

export function useSession<T>(pick: (session: SessionState) => T): T {
  return useStore(sessionStore, pick)
}

/**
 * Whether somebody is signed in, asking the server once: with both cookies of a session, so none is renewed for it. Rejects when the
 * server cannot be reached.
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

/** A user known here whose sync flag is gone must pass the provider once more, even with cookies. */
export function mustSync(): boolean {
  return hasSessionCookie() && storedUser() !== null && storage.read('sync') === null
}

/** Leaves for the provider's page; the state is kept for the way back. */
export async function startSignIn(): Promise<void> {
  sessionStore.getState().began()
  const { url, state } = await callFirst(firstCalls.authorize, {})
  storage.write('signInState', [...signInStates().slice(1 - limits.signInsAtOnce), state].join(' '))
  location.assign(url)
}

/** The states that pages of this browser left with: several may be opened together. */
export function signInStates(): string[] {
  return storage.read('signInState')?.split(' ') ?? []
}

/** The way back: the state has been checked by the caller. */
export async function finishSignIn(code: string, state: string): Promise<void> {
  const { began, ended } = sessionStore.getState()
  began()
  const answer = await callFirst(firstCalls.signIn, { query: { code, state } }).catch((error: unknown) => {
    ended({ expired: false })
    throw error
  })
  storage.remove('signInState')
  // Other pages are told of what changes only: one whose session expired goes on, wherever the person signed in again.
  storage.remove('sync')
  storage.write('sync', '1')
  queryClient.clear()
  if (storedUser()?.userId !== answer.eccUser.userId) forgetPlace()
  start(answer)
}

/** Goes on in that organisation. */
export function chooseOrganisation(organisation: Permission): void {
  sessionStore.getState().choose(organisation)
  void learnLicence()
}

/** Goes on in that organisation after another one: the page is loaded anew, and nothing of the other is left in it. */
export function switchOrganisation(organisation: Permission): void {
  sessionStore.getState().choose(organisation)
  storage.remove('selectedNode')
  storage.remove('desk')
  location.assign('/')
}

function start(answer: SessionAnswer): void {
  sessionStore.getState().started(answer.eccUser, answer.demo, answer.onboarded)
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

function keepLicence({ organisation, eccUser }: SessionAnswer): void {
  sessionStore.getState().licensed(
    organisation && {
      code: organisation.code,
      serviceOptions: organisation.serviceOptions,
      ...organisation.licence,
    },
    eccUser.negroniLicenseLimits,
  )
}

/** After the session expired: what is left of it ends, what the person had open stays. */
export async function leaveSession(): Promise<void> {
  // Somebody else may have signed in on another page of this browser: the session is theirs.
  const stored = storedUser()
  if (stored !== null && stored.userId !== sessionStore.getState().user?.userId) return
  storage.remove('sync')
  if (hasSessionCookie()) await callFirst(firstCalls.signOut, {}).catch(() => undefined)
}

/**
 * Ends the session here and at the server; answers the provider's logout address, null where there is none or nobody was signed in,
 * unless it is asked for anyway. Rejects while the server cannot end it.
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

/** A server that does not answer is not waited for without end: whoever wants to leave is told. */
async function ended() {
  const signal = AbortSignal.timeout(patience)
  return callFirst(firstCalls.signOut, {}, { signal }).catch((error: unknown) => {
    throw signal.aborted ? unreachable() : error
  })
}

/** How long a logout may take, in milliseconds: the server answers within 5 seconds, also where its database is away. */
const patience = 8000

/** Where the person was; the next one begins at the beginning. */
function forgetPlace(): void {
  for (const key of ['selectedNode', 'lastVisit', 'workSection', 'desk', 'adminOrganisation', 'tours'] as const)
    storage.remove(key)
}

/**
 * Follows what other pages of this browser do to the session: where one signs out, or somebody else signs in, this page's is over; where
 * the same person signs in again, it goes on. A page that the browser kept in memory and shows again heard of nothing meanwhile.
 */
export function followOtherPages(): void {
  storage.watch('login', () => {
    const stored = strangerOrNobody()
    // After a logout elsewhere somebody may still want to see what is unsaved here and kept no longer: the next call ends it.
    if (stored !== null && (stored.signedIn || !isUnkept())) sessionStore.getState().ended({ expired: true })
  })
  storage.watch('sync', () => {
    const { user, expired, resumed } = sessionStore.getState()
    if (storage.read('sync') === null || storedUser()?.userId !== user?.userId) return
    resumed()
    if (expired) readWhatFailed()
  })
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted && strangerOrNobody() !== null) location.reload()
  })
}

/** What could not be read in the meantime can be now. */
function readWhatFailed(): void {
  void queryClient.invalidateQueries()
}

/** Whom the browser knows instead of this page's user: somebody else, or them after a logout. */
function strangerOrNobody(): ReturnType<typeof storedUser> {
  const { state, user } = sessionStore.getState()
  const stored = storedUser()
  if (state !== 'authenticated' || user === null || stored === null) return null
  return stored.userId === user.userId && stored.signedIn ? null : stored
}

/** Milliseconds between two looks that nobody asked for. */
const calm = 5000
let looking: Promise<void> | null = null

/** Asks again what an administrator may have changed meanwhile: where this user may work, and what the licence there allows. */
export function lookAgain(): Promise<void> {
  looking ??= look().finally(() => {
    looking = null
  })
  return looking
}

async function look(): Promise<void> {
  const { state, user, access: before } = sessionStore.getState()
  if (state !== 'authenticated') return
  const answer = await callFirst(firstCalls.getSession, {}).catch(() => null)
  // Somebody else may have signed in on another page of this browser.
  if (answer === null || answer.eccUser.userId !== user?.userId) return
  sessionStore.getState().known(answer.eccUser)
  const { access, organisation, licence } = sessionStore.getState()
  if (before !== 'given' && access === 'given') readWhatFailed()
  if (access !== 'given' || organisation === null || answer.organisation === null) return
  const { code, serviceOptions, licence: allowed } = answer.organisation
  if (!isEqual(licence, { code, serviceOptions, ...allowed })) keepLicence(answer)
}

/** Looks again whenever the person comes back to the page. */
export function followSession(): () => void {
  let last = Date.now()
  const back = () => {
    if (document.hidden || Date.now() - last < calm) return
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
