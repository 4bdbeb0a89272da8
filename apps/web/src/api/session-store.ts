import type { UserAnswer } from '@cadmus/model/contract/sso'
import { createStore } from 'zustand/vanilla'
import { storage } from './storage.ts'

export type Permission = UserAnswer['permissions'][number]
export type SessionState = {
  state: 'running' | 'authenticated' | 'not authenticated'
  user: UserAnswer | null
  /** Says on every page that the embedded development provider is in use. */
  demo: boolean
  organisation: Permission | null
  /** The session ended while somebody worked: the dialog is open. */
  expired: boolean
  started: (user: UserAnswer, demo: boolean) => void
  choose: (organisation: Permission) => void
  ended: (how: { expired: boolean }) => void
}

/** Who is signed in and in which organisation. The profile and the last organisation are kept locally, tokens never. */
export const sessionStore = createStore<SessionState>()(set => ({
  state: 'running',
  user: null,
  demo: false,
  organisation: null,
  expired: false,
  started: (user, demo) => {
    const last = storage.readJson('login')
    const lastCode = isLogin(last) && last.userId === user.userId ? last.organisationCode : null
    const organisation = organisationFor(user.permissions, lastCode)
    remember(user, organisation)
    set({ state: 'authenticated', user, demo, organisation, expired: false })
  },
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

/** The last one used by the same user if it has a subscription, else the only one that has; null: ask. */
export function organisationFor(permissions: readonly Permission[], lastCode: string | null): Permission | null {
  const usable = permissions.filter(permission => permission.ng > 0)
  const last = usable.find(permission => permission.oc === lastCode)
  if (last) return last
  return usable.length === 1 ? (usable[0] ?? null) : null
}

export function currentOrganisation(): string {
  return sessionStore.getState().organisation?.oc ?? ''
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
