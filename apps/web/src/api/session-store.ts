import type { LicenceAnswer, UserAnswer } from '@cadmus/model/contract/sso'
import { chooseOrganisation, hasSubscription, sortPermissions } from '@cadmus/model/organisation'
import { createStore } from 'zustand/vanilla'
import { storedUser, storeUser } from './stored-user.ts'

export type Permission = UserAnswer['permissions'][number]
export type SessionState = {
  state: 'running' | 'authenticated' | 'not authenticated'
  user: UserAnswer | null
  /** The embedded development provider is in use; shown on every page. */
  demo: boolean
  /** Whether the user's onboarding tour has been started, on this or another page. */
  onboarded: boolean
  organisation: Permission | null
  /** Licence of the organisation `code`; null until loaded. */
  licence: (LicenceAnswer & { code: string; serviceOptions: boolean }) | null
  /** The session ended during work: the dialog is open. */
  expired: boolean
  /** The user lost access to the organisation: 'lost' while the dialog is open, 'acknowledged' after it was closed. */
  access: 'granted' | 'lost' | 'acknowledged'
  beginSignIn: () => void
  started: (user: UserAnswer, demo: boolean, onboarded: boolean) => void
  /** `text`: the licence as stored with the user. */
  licensed: (licence: SessionState['licence'], text: string) => void
  choose: (organisation: Permission) => void
  /** Updates the user. The current organisation is unchanged. */
  setUser: (user: UserAnswer) => void
  /** `byChange`: a change could not be saved, which reopens the dialog. */
  loseAccess: (how: { byChange: boolean }) => void
  acknowledgeLoss: () => void
  /** Continues without an organisation, on a page that needs none. */
  leaveOrganisation: () => void
  ended: (how: { expired: boolean }) => void
  /** The same user signed in again on another page. */
  resumed: () => void
}

/** The signed-in user and the current organisation. Profile and last organisation are stored locally, tokens never. */
export const sessionStore = createStore<SessionState>()(set => ({
  state: 'running',
  user: null,
  demo: false,
  onboarded: true,
  organisation: null,
  licence: null,
  expired: false,
  access: 'granted',
  beginSignIn: () => set({ state: 'running', user: null, organisation: null, expired: false }),
  started: (profile, demo, onboarded) => {
    const organisation = chooseOrganisation(profile.permissions, lastOrganisation(profile.userId))
    const user = workingIn(profile, organisation)
    set({ state: 'authenticated', user, demo, onboarded, organisation, expired: false, access: 'granted' })
  },
  licensed: (licence, text) =>
    set(({ user, organisation }) => {
      const isHere = user !== null && organisation !== null && licence?.code === organisation.oc
      return { licence, ...(isHere ? { user: stored({ ...user, negroniLicenseLimits: text }) } : {}) }
    }),
  choose: organisation =>
    set(({ user }) => ({ organisation, ...(user === null ? {} : { user: workingIn(user, organisation) }) })),
  setUser: user => set(session => refreshedUser(session, user)),
  loseAccess: ({ byChange }) =>
    set(({ access }) => ({ access: access === 'acknowledged' && !byChange ? 'acknowledged' : 'lost' })),
  acknowledgeLoss: () => set({ access: 'acknowledged' }),
  leaveOrganisation: () =>
    set(({ user }) => ({ user: user && workingIn(user, null), organisation: null, licence: null, access: 'granted' })),
  ended: ({ expired }) =>
    set(session =>
      expired && session.user
        ? { state: 'not authenticated', expired: true }
        : { state: 'not authenticated', user: null, organisation: null, expired: false },
    ),
  resumed: () => set(({ expired }) => (expired ? { state: 'authenticated', expired: false } : {})),
}))

/** The organisations to choose from, largest subscription first. */
export function organisationsOf(permissions: readonly Permission[]) {
  return sortPermissions(permissions).map(({ oc, on, ng }) => ({ code: oc, name: on, subscription: ng }))
}

export function currentOrganisation(): string {
  return sessionStore.getState().organisation?.oc ?? ''
}

/** The organisation last used in this browser, by the given user if any. */
export function lastOrganisation(userId?: string): string | null {
  const last = storedUser()
  return last !== null && last.userId === (userId ?? last.userId) ? last.organisationCode : null
}

/** A readable cookie indicates that the two session cookies exist. */
export function hasSessionCookie(): boolean {
  return document.cookie.split('; ').some(cookie => cookie.startsWith('cadmus_signed_in='))
}

/** Read only: the stored organisation is the user's choice. */
function refreshedUser(
  { organisation, access }: SessionState,
  profile: UserAnswer,
): Pick<SessionState, 'user' | 'access'> {
  const user = placedIn(profile, organisation)
  if (organisation === null || hasAccess(profile, organisation)) return { user, access: 'granted' }
  return { user, access: access === 'acknowledged' ? 'acknowledged' : 'lost' }
}

function hasAccess({ permissions }: UserAnswer, { oc }: Permission): boolean {
  return permissions.some(permission => permission.oc === oc && hasSubscription(permission))
}

/** The user within an organisation. The licence is null for an organisation without a loaded licence. */
function placedIn(user: UserAnswer, organisation: Permission | null): UserAnswer {
  const isSame = organisation !== null && organisation.oc === user.organisationCode
  return {
    ...user,
    organisationCode: organisation?.oc ?? null,
    organisationName: organisation?.on ?? null,
    negroniPermission: String(organisation?.ng ?? 0),
    negroniLicenseLimits: isSame ? user.negroniLicenseLimits : '',
  }
}

function workingIn(user: UserAnswer, organisation: Permission | null): UserAnswer {
  return stored(placedIn(user, organisation))
}

function stored(user: UserAnswer): UserAnswer {
  storeUser(user)
  return user
}
