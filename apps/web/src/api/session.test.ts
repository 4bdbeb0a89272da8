import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { finishSignIn, followOtherPages, signOut } from './session.ts'
import { sessionStore } from './session-store.ts'
import { forgetProfile, storedUser, storeUser } from './stored-user.ts'

const user = {
  userId: 'u1',
  username: 'dan',
  fullname: 'Dan',
  email: 'dan@example.com',
  avatar: null,
  memberId: 'u1',
  organisationCode: 'ACME',
  organisationName: 'Acme',
  negroniPermission: '1',
  negroniLicenseLimits: 'mc=7',
  isAdmin: false,
  permissions: [
    { oc: 'ACME', on: 'Acme', ng: 1 },
    { oc: 'CADMUS', on: 'Cadmus', ng: 3 },
  ],
}
const licence = {
  code: 'CADMUS',
  manifestLimit: 9,
  rest: true,
  graphql: true,
  databaseTypes: [],
  serviceOptions: true,
}
const handlers: [kind: string, handle: (event: object) => void][] = []
const happened = (kind: string, event: object) =>
  handlers.filter(([of]) => of === kind).forEach(([, handle]) => handle(event))
const reload = vi.fn()

beforeEach(() => {
  const stored = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  })
  vi.stubGlobal('addEventListener', (kind: string, handle: (event: object) => void) => handlers.push([kind, handle]))
  vi.stubGlobal('location', { reload, pathname: '/' })
  reload.mockClear()
  handlers.length = 0
  storeUser(user)
  sessionStore.getState().started(user, false, true)
})
afterEach(() => vi.unstubAllGlobals())

describe('the stored user', () => {
  it('the stored user includes the current organisation and, once known, its licence', () => {
    expect(JSON.parse(localStorage.getItem('cadmus.login') ?? '')).toEqual(user)
    const [, cadmus] = user.permissions
    if (cadmus) sessionStore.getState().choose(cadmus)
    const inCadmus = {
      ...user,
      organisationCode: 'CADMUS',
      organisationName: 'Cadmus',
      negroniPermission: '3',
      negroniLicenseLimits: '',
    }
    expect(JSON.parse(localStorage.getItem('cadmus.login') ?? '')).toEqual(inCadmus)
    sessionStore.getState().licensed({ ...licence, code: 'ACME' }, 'mc=7')
    expect(sessionStore.getState().user?.negroniLicenseLimits).toBe('')
    sessionStore.getState().licensed(licence, 'mc=9')
    expect(JSON.parse(localStorage.getItem('cadmus.login') ?? '')).toEqual({
      ...inCadmus,
      negroniLicenseLimits: 'mc=9',
    })
  })

  it('only the user id and the organisation are stored after a logout', () => {
    forgetProfile()
    expect(localStorage.getItem('cadmus.login')).toBe('{"userId":"u1","organisationCode":"ACME"}')
    expect(storedUser()).toEqual({ userId: 'u1', organisationCode: 'ACME', signedIn: false })
  })
})

describe('session changes on other pages', () => {
  const changed = (key: string) => happened('storage', { key })

  it('a logout or the sign-in of another user ends the session here, a change of organisation does not', () => {
    followOtherPages()
    storeUser({ ...user, organisationCode: 'CADMUS' })
    changed('cadmus.login')
    expect(sessionStore.getState()).toMatchObject({ state: 'authenticated', expired: false })
    storeUser({ ...user, userId: 'u2' })
    changed('cadmus.theme')
    expect(sessionStore.getState().expired).toBe(false)
    changed('cadmus.login')
    expect(sessionStore.getState()).toMatchObject({ state: 'not authenticated', expired: true })
    sessionStore.getState().started(user, false, true)
    forgetProfile()
    changed('cadmus.login')
    expect(sessionStore.getState()).toMatchObject({ state: 'not authenticated', expired: true })
  })

  it('a sign-in of the same user resumes the session, that of another user does not', () => {
    followOtherPages()
    for (const [userId, expired] of [
      ['u1', false],
      ['u2', true],
    ] as const) {
      sessionStore.getState().started(user, false, true)
      sessionStore.getState().ended({ expired: true })
      storeUser({ ...user, userId })
      changed('cadmus.sync')
      expect(sessionStore.getState().expired).toBe(true)
      localStorage.setItem('cadmus.sync', '1')
      changed('cadmus.sync')
      expect(sessionStore.getState()).toMatchObject({ expired, user: { userId: 'u1' } })
      localStorage.removeItem('cadmus.sync')
    }
  })

  it('a page restored by the browser is reloaded if the session ended in the meantime', () => {
    followOtherPages()
    const shownAgain = (event: { persisted: boolean }) => happened('pageshow', event)
    shownAgain({ persisted: true })
    expect(reload).not.toHaveBeenCalled()
    forgetProfile()
    shownAgain({ persisted: false })
    expect(reload).not.toHaveBeenCalled()
    shownAgain({ persisted: true })
    expect(reload).toHaveBeenCalledTimes(1)
  })
})

describe('signing in and out', () => {
  const signedIn = (userId: string) => ({
    eccUser: { ...user, userId },
    organisation: null,
    memberDetails: { avatar: null, fullname: 'Dan', memberId: userId },
    expiresAt: '2030-01-01T00:00:00Z',
    demo: false,
    onboarded: true,
  })

  it('the stored section and node of one user apply to the same user only', async () => {
    for (const [userId, kept] of [
      ['u1', 'manifest:7'],
      ['u2', null],
    ] as const) {
      localStorage.setItem('cadmus.selectedNode', 'manifest:7')
      vi.stubGlobal('fetch', async () => Response.json(signedIn(userId)))
      await finishSignIn('code', 'state')
      expect(localStorage.getItem('cadmus.selectedNode')).toBe(kept)
      expect(localStorage.getItem('cadmus.sync')).toBe('1')
    }
  })

  it('a logout is reported as failed if the server cannot be reached or does not answer in time', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
    await expect(signOut({ anyway: true })).rejects.toThrow('The server cannot be reached.')
    const inTime = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort())
    vi.stubGlobal('fetch', () => Promise.reject(new DOMException('late', 'TimeoutError')))
    await expect(signOut({ anyway: true })).rejects.toThrow('The server cannot be reached.')
    expect(inTime).toHaveBeenCalled()
    inTime.mockRestore()
  })
})
