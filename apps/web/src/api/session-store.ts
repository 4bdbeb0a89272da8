import type { LicenceAnswer, UserAnswer } from '@cadmus/model/contract/sso'
import { chosenOrganisation, hasSubscription, sortedPermissions } from '@cadmus/model/organisation'
import { createStore } from 'zustand/vanilla'
import { storedUser, storeUser } from './stored-user.ts'

export type Permission = UserAnswer['permissions'][number]
export type SessionState = {
  state: 'running' | 'authenticated' | 'not authenticated'
  user: UserAnswer | null
  /** Says on every page that the embedded development provider is in use. */
  demo: boolean
  /** Whether the user's onboarding tour has begun, here or elsewhere. */
  onboarded: boolean
  organisation: Permission | null
  /** Of the organisation whose code it names; null until the server told. */
  licence: (LicenceAnswer & { code: string; serviceOptions: boolean }) | null
  /** The session ended while somebody worked: the dialog is open. */
  expired: boolean
  /** The organisation was taken from this user meanwhile: 'told' while the dialog is open, 'stays' once the person closed it. */
  access: 'given' | 'told' | 'stays'
  /** A sign-in is on its way. */
  began: () => void
  started: (user: UserAnswer, demo: boolean, onboarded: boolean) => void
  /** `text`: the licence as the stored user has it. */
  licensed: (licence: SessionState['licence'], text: string) => void
  choose: (organisation: Permission) => void
  /** What the server says of the user by now. The organisation stays the one that is shown. */
  known: (user: UserAnswer) => void
  /** `byChange`: something could not be saved, which a person who stayed is told again. */
  lost: (how: { byChange: boolean }) => void
  stays: () => void
  /** On a page that needs no organisation. */
  left: () => void
  ended: (how: { expired: boolean }) => void
  /** The same person is signed in again, on another page. */
  resumed: () => void
}

/** Who is signed in and in which organisation. The profile and the last organisation are kept locally, tokens never. */
export const sessionStore = createStore<SessionState>()(set => ({
  state: 'running',
  user: null,
  demo: false,
  onboarded: true,
  organisation: null,
  licence: null,
  expired: false,
  access: 'given',
  began: () => set({ state: 'running', user: null, organisation: null, expired: false }),
  started: (known, demo, onboarded) => {
    const organisation = chosenOrganisation(known.permissions, lastOrganisation(known.userId))
    const user = workingIn(known, organisation)
    set({ state: 'authenticated', user, demo, onboarded, organisation, expired: false, access: 'given' })
  },
  licensed: (licence, text) =>
    set(({ user, organisation }) => {
      const isHere = user !== null && organisation !== null && licence?.code === organisation.oc
      return { licence, ...(isHere ? { user: stored({ ...user, negroniLicenseLimits: text }) } : {}) }
    }),
  choose: organisation =>
    set(({ user }) => ({ organisation, ...(user === null ? {} : { user: workingIn(user, organisation) }) })),
  known: user => set(session => looked(session, user)),
  lost: ({ byChange }) => set(({ access }) => ({ access: access === 'stays' && !byChange ? 'stays' : 'told' })),
  stays: () => set({ access: 'stays' }),
  left: () =>
    set(({ user }) => ({ user: user && workingIn(user, null), organisation: null, licence: null, access: 'given' })),
  ended: ({ expired }) =>
    set(session =>
      expired && session.user
        ? { state: 'not authenticated', expired: true }
        : { state: 'not authenticated', user: null, organisation: null, expired: false },
    ),
  resumed: () => set(({ expired }) => (expired ? { state: 'authenticated', expired: false } : {})),
}))

/** As they are offered to choose from: the largest subscription first. */
export function organisationsOf(permissions: readonly Permission[]) {
  return sortedPermissions(permissions).map(({ oc, on, ng }) => ({ code: oc, name: on, subscription: ng }))
}

export function currentOrganisation(): string {
  return sessionStore.getState().organisation?.oc ?? ''
}

/** The one that was worked in last in this browser, by that user where one is given. */
export function lastOrganisation(userId?: string): string | null {
  const last = storedUser()
  return last !== null && last.userId === (userId ?? last.userId) ? last.organisationCode : null
}

/** A readable cookie tells that the two cookies of a session exist. */
export function hasSessionCookie(): boolean {
  return document.cookie.split('; ').some(cookie => cookie.startsWith('cadmus_signed_in='))
}

/** Only looked at: what the browser remembers is what somebody chose. */
function looked({ organisation, access }: SessionState, known: UserAnswer): Pick<SessionState, 'user' | 'access'> {
  const user = placedIn(known, organisation)
  if (organisation === null || hasAccess(known, organisation)) return { user, access: 'given' }
  return { user, access: access === 'stays' ? 'stays' : 'told' }
}

function hasAccess({ permissions }: UserAnswer, { oc }: Permission): boolean {
  return permissions.some(permission => permission.oc === oc && hasSubscription(permission))
}

/** The user as they are in that organisation. Its licence is known where the server was asked for it. */
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
