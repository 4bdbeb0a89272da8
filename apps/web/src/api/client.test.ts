import { holds } from '@cadmus/testing/holds'
import { getEntity, listEntities, updateEntity } from '@cadmus/model/contract/entity'
import { listInstancePackages } from '@cadmus/model/contract/instance'
import { downloadImportReport, getImportProgress } from '@cadmus/model/contract/manifest-transfer'
import { getNavigatorVersion } from '@cadmus/model/contract/navigator'
import { deletePackage } from '@cadmus/model/contract/package'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { callApi, callForFile } from './client.ts'
import { ApiError } from './error.ts'
import { addressOf } from './send.ts'
import { sessionStore } from './session-store.ts'

const permission = (oc: string, ng: number) => ({ oc, on: oc, ng })
const user = {
  userId: 'u1',
  username: 'dan',
  fullname: 'Dan',
  email: 'dan@example.com',
  avatar: null,
  memberId: 'm1',
  organisationCode: null,
  organisationName: null,
  negroniPermission: '',
  negroniLicenseLimits: '',
  isAdmin: false,
  permissions: [permission('ACME', 1)],
}

type Answer = { status: number; body?: unknown }
let requests: { url: string; init: RequestInit; headers: Headers }[] = []
let answers: (url: string) => Answer

beforeEach(() => {
  requests = []
  answers = () => ({ status: 200, body: { buildVersion: '1' } })
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    requests.push({ url, init, headers: new Headers(init.headers) })
    // Asynchronous, as from a network.
    await new Promise(resolve => setTimeout(resolve, 1))
    const { status, body } = answers(url)
    return new Response(JSON.stringify(body ?? {}), { status })
  })
  sessionStore.getState().started(user, false, true)
})
afterEach(() => vi.unstubAllGlobals())

const version = () => callApi(getNavigatorVersion, {})
const refreshes = () => requests.filter(({ url }) => url.includes('/sso/refresh')).length

describe('API calls', () => {
  it('a call fills in the path, omits empty parameters and states the organisation', async () => {
    expect(
      addressOf('/1.0/cdm/entity/folders/{folder}', { folder: 'a/b c' }, { page: 0, search: '', after: undefined }),
    ).toBe('/1.0/cdm/entity/folders/a%2Fb%20c?page=0')
    await version()
    expect(requests[0]?.headers.get('x-organisation-code')).toBe('ACME')
    expect(requests[0]?.headers.has('x-cadmus')).toBe(false)
  })

  it('a call that the server does not admit for the moment is sent again, unless it has to wait long', async () => {
    const stub = (seconds: string) => {
      requests = []
      const busy = () =>
        Response.json({ message: 'Busy', code: 'rate_limited' }, { status: 429, headers: { 'retry-after': seconds } })
      vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
        requests.push({ url, init, headers: new Headers(init.headers) })
        return requests.length < 3 ? busy() : Response.json({ buildVersion: '7' })
      })
    }
    stub('0.01')
    expect(await version()).toMatchObject({ buildVersion: '7' })
    expect(requests.length).toBe(3)
    stub('30')
    await expect(version()).rejects.toMatchObject({ status: 429 })
    expect(requests.length).toBe(1)
  })

  it('a save sends If-Match and the user, a read sends neither', async () => {
    answers = () => ({
      status: 409,
      body: {
        message: 'Someone else changed the same field.',
        code: 'conflict',
        conflicts: [{ path: 'x', field: 'name', base: 'a', mine: 'b', theirs: 'c', who: 'Ann', when: 'now' }],
      },
    })
    const saved = callApi(updateEntity, { params: { id: 7 }, body: { entity: { name: 'x' } } }, { ifMatch: '"tag"' })
    await expect(saved).rejects.toMatchObject({ status: 409, conflicts: [{ field: 'name', theirs: 'c', who: 'Ann' }] })
    expect(requests[0]?.url).toBe('/1.0/cdm/entity/7?userId=u1')
    expect(requests[0]?.headers.get('if-match')).toBe('"tag"')
    await callApi(getEntity, { params: { id: 7 } }).catch(() => null)
    expect(requests[1]?.url).toBe('/1.0/cdm/entity/7')
    expect(requests[1]?.headers.has('if-match')).toBe(false)
  })

  it("a failed call has the server's message, or 'Request failed with status {n}'", async () => {
    answers = () => ({ status: 400, body: { message: 'Too long.', code: 'invalid', id: 'abc' } })
    await expect(version()).rejects.toMatchObject({ message: 'Too long.', id: 'abc', status: 400 })
    answers = () => ({ status: 502 })
    await expect(version()).rejects.toThrow('Request failed with status 502')
  })

  it('a response that violates the contract is an error at once', async () => {
    answers = () => ({ status: 200, body: { buildVersion: 7 } })
    await expect(version()).rejects.toBeInstanceOf(ApiError)
  })

  it('a cancelled call is not reported as a server error', async () => {
    const cancelled = new AbortController()
    vi.stubGlobal('fetch', () => Promise.reject(new DOMException('gone', 'AbortError')))
    cancelled.abort()
    const call = callApi(getImportProgress, { params: { key: 'k' } }, { signal: cancelled.signal })
    await expect(call).rejects.not.toBeInstanceOf(ApiError)
  })

  it('an unreachable server is reported with a readable message', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
    await expect(version()).rejects.toMatchObject({ status: 0, message: 'The server cannot be reached.' })
  })
})

describe('lost access to the organisation', () => {
  const access = () => sessionStore.getState().access
  beforeEach(() => {
    answers = () => ({ status: 403, body: { code: 'no_subscription', message: 'No subscription.' } })
    sessionStore.getState().acknowledgeLoss()
  })

  it('is not announced again by a read in the background, whatever its method', async () => {
    await expect(version()).rejects.toThrow()
    const body = { instanceUrl: 'https://instance.example.com' }
    await expect(callApi(listInstancePackages, { body })).rejects.toThrow()
    expect(access()).toBe('acknowledged')
  })

  it('is announced again by a change', async () => {
    await expect(callApi(deletePackage, { params: { id: 1 }, query: { version: '1.0.0' } })).rejects.toThrow()
    expect(access()).toBe('lost')
  })
})

describe('downloading a file', () => {
  const named = async (disposition: string) => {
    vi.stubGlobal('fetch', async () => new Response('bytes', { headers: { 'content-disposition': disposition } }))
    return (await callForFile(downloadImportReport, { params: { key: 'k' } })).fileName
  }

  it('a downloaded file keeps its full name with any characters', async () => {
    const full = `filename*=UTF-8''Gr%C3%B6%C3%9Fe%20100%25-mysql.zip`
    expect(await named(`attachment; filename="Gr__e_100_-mysql.zip"; ${full}`)).toBe('Größe 100%-mysql.zip')
    expect(await named('attachment; filename="100%-mysql.zip"')).toBe('100%-mysql.zip')
    expect(await named('attachment')).toBe('download')
  })
})

describe('an expired session', () => {
  it('five calls with a 401 share one refresh and all succeed', holds('M4.56', 'M4.58'), async () => {
    let fresh = false
    answers = url => {
      if (url.includes('/sso/refresh')) fresh = true
      return fresh ? { status: 200, body: { buildVersion: '1' } } : { status: 401 }
    }
    const all = await Promise.all(Array.from({ length: 5 }, version))
    expect(all).toHaveLength(5)
    expect(refreshes()).toBe(1)
    expect(sessionStore.getState().expired).toBe(false)
  })

  it(
    'a call sent before the refresh finished does not trigger another one, even if start.js sent it',
    holds('M4.58'),
    async () => {
      let fresh = false
      const late = Promise.withResolvers<undefined>()
      const refreshed = vi.fn()
      vi.stubGlobal('fetch', async (input: string) => {
        if (input.includes('/sso/refresh')) {
          refreshed()
          fresh = true
          return new Response('{}')
        }
        const isKnown = fresh
        if (input.includes('/entity/')) await late.promise
        return isKnown ? Response.json({ buildVersion: '1' }) : new Response('{}', { status: 401 })
      })
      const slow = callApi(getEntity, { params: { id: 7 } }).catch(error => String(error))
      const ahead = new Map([['/1.0/cdm/navigator/version', Promise.resolve(new Response('{}', { status: 401 }))]])
      await version()
      expect(refreshed).toHaveBeenCalledTimes(1)
      vi.stubGlobal('cadmusAhead', { organisation: 'ACME', answers: ahead })
      late.resolve(undefined)
      expect(await Promise.all([slow, version()])).toMatchObject(['ApiError: Unexpected error', { buildVersion: '1' }])
      expect(refreshed).toHaveBeenCalledTimes(1)
    },
  )

  it('a call that always gets a 401 is sent twice', holds('M4.57'), async () => {
    answers = url =>
      url.includes('/sso/refresh') ? { status: 200, body: {} } : { status: 401, body: { message: 'no', code: 'x' } }
    await expect(version()).rejects.toMatchObject({ status: 401 })
    expect(requests.filter(({ url }) => url.includes('navigator'))).toHaveLength(2)
  })

  it('a failed refresh ends the session and opens the dialog', holds('M4.59', 'M4.60'), async () => {
    answers = () => ({ status: 401 })
    await expect(callApi(listEntities, {})).rejects.toMatchObject({ status: 401 })
    expect(sessionStore.getState()).toMatchObject({ state: 'not authenticated', expired: true })
  })

  it('a failed refresh opens no dialog on the login page', holds('M4.60'), async () => {
    vi.stubGlobal('location', { pathname: '/sso/login' })
    answers = () => ({ status: 401 })
    await version().catch(() => null)
    expect(sessionStore.getState()).toMatchObject({ state: 'not authenticated', expired: false, user: null })
  })
})

describe('the organisation after sign-in', () => {
  const permissions = [permission('CADMUS', 2), permission('ACME', 1), permission('GLOBEX', 0)]
  const signedIn = (userId: string) => {
    sessionStore.getState().started({ ...user, userId, permissions }, false, true)
    return sessionStore.getState().organisation?.oc
  }
  it('the last organisation of the same user is used, another user has to choose', holds('M4.52', 'M4.53'), () => {
    const stored = new Map<string, string>()
    const getItem = (key: string) => stored.get(key) ?? null
    vi.stubGlobal('localStorage', { getItem, setItem: (key: string, value: string) => stored.set(key, value) })
    expect(signedIn('u1')).toBeUndefined()
    sessionStore.getState().choose(permission('ACME', 1))
    expect(signedIn('u1')).toBe('ACME')
    expect(signedIn('u2')).toBeUndefined()
  })
})
