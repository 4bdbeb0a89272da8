import type { LicenceAnswer, UserAnswer } from '@cadmus/model/contract/sso'
import { chosenOrganisation, sortedPermissions } from '@cadmus/model/organisation'
import { createStore } from 'zustand/vanilla'
import { storage } from './storage.ts'

export type Permission = UserAnswer['permissions'][number]
export type SessionState = {
  state: 'running' | 'authenticated' | 'not authenticated'
  user: UserAnswer | null
  /** Says on every page that the embedded development provider is in use. */
  demo: boolean
  organisation: Permission | null
  /** Of the organisation whose code it names; null until the server told. */
  licence: (LicenceAnswer & { code: string; serviceOptions: boolean }) | null
  /** The session ended while somebody worked: the dialog is open. */
  expired: boolean
  started: (user: UserAnswer, demo: boolean) => void
  licensed: (licence: SessionState['licence']) => void
  choose: (organisation: Permission) => void
  ended: (how: { expired: boolean }) => void
}

/** Who is signed in and in which organisation. The profile and the last organisation are kept locally, tokens never. */
export const sessionStore = createStore<SessionState>()(set => ({
  state: 'running',
  user: null,
  demo: false,
  organisation: null,
  licence: null,
  expired: false,
  started: (user, demo) => {
    const organisation = chosenOrganisation(user.permissions, lastOrganisation(user.userId))
    remember(user, organisation)
    set({ state: 'authenticated', user, demo, organisation, expired: false })
  },
  licensed: licence => set({ licence }),
  choose: organisation =>
    set(session => {
      if (session.user) remember(session.user, organisation)
      return { organisation }
    }),
  ended: ({ expired }) =>
    set(session =>
      expired && session.user
        ? { state: 'not authenticated', expired: true }
        : { state: 'not authenticated', user: null, organisation: null, expired: false },
    ),
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
  const last = storage.readJson('login')
  return isLogin(last) && last.userId === (userId ?? last.userId) ? last.organisationCode : null
}

/** A readable cookie tells that the two cookies of a session exist. */
export function hasSessionCookie(): boolean {
  return document.cookie.split('; ').some(cookie => cookie.startsWith('cadmus_signed_in='))
}

function remember(user: UserAnswer, organisation: Permission | null): void {
  storage.writeJson('login', {
    userId: user.userId,
    fullname: user.fullname,
    email: user.email,
    organisationCode: organisation?.oc ?? null,
  })
}

function isLogin(value: unknown): value is { userId: string; organisationCode: string | null } {
  return typeof value === 'object' && value !== null && 'userId' in value && 'organisationCode' in value
}
