import type { Call } from '@cadmus/model/contract/call'
import { listEntities, listManifestEntities, listManifests, listSubManifests } from '@cadmus/model/contract/lists'
import { getNavigator, getNavigatorVersion } from '@cadmus/model/contract/navigator'
import { authorize, getSession, signIn, signOut } from '@cadmus/model/contract/sso'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ApiError } from './error.ts'
import { callFirst, firstCalls } from './first-calls.ts'

const licence = { manifestLimit: null, rest: true, graphql: false, databaseTypes: ['postgresql', 'mssql'] }
const session = {
  eccUser: {
    userId: 'u1',
    username: 'dan',
    fullname: 'Dan',
    email: 'dan@example.com',
    avatar: null,
    memberId: 'm1',
    organisationCode: null,
    organisationName: 'Acme',
    negroniPermission: '',
    negroniLicenseLimits: '',
    isAdmin: false,
    permissions: [{ oc: 'ACME', on: 'Acme', ng: 1 }],
  },
  organisation: { code: 'ACME', name: 'Acme', licence, serviceOptions: false },
  memberDetails: { avatar: 'a.png', fullname: 'Dan', memberId: 'm1' },
  expiresAt: '2026-11-22T10:00:00.000Z',
  demo: true,
  onboarded: false,
}
const scopes = {
  selectOperationScopes: ['a'],
  selectAllOperationScopes: [],
  deleteOperationScopes: [],
  insertOperationScopes: [],
  updateOperationScopes: [],
}
const place = { name: 'Shop', location: 'user-defined/Shop', folder: '' }
const entity = { id: 7, ...place, type: 'EXCLUSIVE', operationScopes: scopes }
const manifest = { id: 8, ...place, isDefault: false, latestVersion: '1.0.0', entityCount: 3, subManifestCount: 0 }
const page = { totalElements: 1, size: 20, page: 0, result: 'OK', message: '', next: null }
const node = { kind: 'folder', id: -1, name: 'crm', path: 'predefined/crm', parent: '' }
const entities = { entity: [entity], ...page }
const manifests = { manifests: [manifest], ...page, next: 'x' }

/** Every call of the first screen with its declaration in the contract and a sample response. */
const all: { [Name in keyof typeof firstCalls]: [Call, unknown] } = {
  authorize: [authorize, { url: 'https://id.example.com', state: 's' }],
  signIn: [signIn, session],
  getSession: [getSession, session],
  signOut: [signOut, { url: 'https://id.example.com' }],
  getNavigatorVersion: [getNavigatorVersion, { buildVersion: '1' }],
  getNavigator: [getNavigator, { coreSchema: { nodes: [node], buildVersion: '1' }, workspaces: [] }],
  listEntities: [listEntities, entities],
  listManifests: [listManifests, manifests],
  listManifestEntities: [listManifestEntities, entities],
  listSubManifests: [listSubManifests, manifests],
}
const names = Object.keys(firstCalls).filter((name): name is keyof typeof firstCalls => name in firstCalls)
const others = [undefined, null, 'x', '', 7, -1, 1.5, 1e300, true, [], ['x'], [null], {}]

/** Variants of the value: each part in turn omitted or replaced. */
function* changed(value: unknown): Generator<unknown> {
  yield* others
  if (typeof value !== 'object' || value === null) return
  for (const [name, part] of Object.entries(value)) {
    for (const other of changed(part)) {
      if (Array.isArray(value)) yield [...value, other]
      else yield { ...value, [name]: other }
    }
    if (!Array.isArray(value)) yield Object.fromEntries(Object.entries(value).filter(([key]) => key !== name))
  }
}

describe('the calls of the first screen', () => {
  it.each(names)('%s uses the route of the contract and accepts exactly the responses that it allows', name => {
    const [declared, answer] = all[name]
    const { isAnswer, ...route } = firstCalls[name]
    expect(declared).toMatchObject(route)
    if (declared.answer === 'binary') throw new Error('A first call answers JSON.')
    expect(isAnswer(answer)).toBe(true)
    let refused = 0
    for (const other of changed(answer)) {
      // The page ignores the workspaces in that response.
      const integer =
        name === 'getNavigator' && Reflect.has(Object(other), 'coreSchema')
          ? { ...Object(other), workspaces: [] }
          : other
      const allowed = declared.answer.safeParse(integer).success
      if (!allowed) refused++
      expect([isAnswer(integer), integer]).toEqual([allowed, integer])
    }
    expect(refused).toBeGreaterThan(10)
  })
})

describe('errors in the calls of the first screen', () => {
  let answer: { status: number; body: unknown }
  beforeEach(() =>
    vi.stubGlobal('fetch', async () => new Response(JSON.stringify(answer.body), { status: answer.status })),
  )
  afterEach(() => vi.unstubAllGlobals())
  const version = () => callFirst(firstCalls.getNavigatorVersion, {})

  it('a first-screen response that violates the contract is an error at once', async () => {
    answer = { status: 200, body: { buildVersion: 7 } }
    await expect(version()).rejects.toBeInstanceOf(ApiError)
    await expect(version()).rejects.toMatchObject({ code: 'answer' })
    answer = { status: 200, body: { buildVersion: '7' } }
    await expect(version()).resolves.toEqual({ buildVersion: '7' })
  })

  it("a first-screen error has the server's message, code and id, or 'Request failed with status {n}'", async () => {
    answer = { status: 503, body: { message: 'Away.', code: 'store_away', id: 'abc', conflicts: 'none' } }
    await expect(version()).rejects.toMatchObject({ message: 'Away.', code: 'store_away', id: 'abc', conflicts: [] })
    for (const body of [null, 'x', [], { message: 7 }]) {
      answer = { status: 502, body }
      await expect(version()).rejects.toThrow('Request failed with status 502')
    }
  })
})
