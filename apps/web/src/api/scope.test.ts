import { holds } from '@cadmus/testing/holds'
import { listTokens } from '@cadmus/model/contract/token'
import { getNavigatorVersion } from '@cadmus/model/contract/navigator'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { callApi } from './client.ts'
import { currentLicence } from './licence.ts'
import { manifestPage } from './lists.ts'
import { invalidate, keyIn, keys, putNewest, queryClient, scoped } from './query-client.ts'
import { administratorOf, currentScope, scopeStore } from './scope.ts'

const header = 'X-Admin-Organisation'
let headers: Headers[] = []

const administer = (administered: string | null) => scopeStore.setState({ administered })

beforeEach(() => {
  headers = []
  vi.stubGlobal('fetch', async (_: string, init: RequestInit) => {
    headers.push(new Headers(init.headers))
    return new Response(JSON.stringify({ buildVersion: '1', tokens: [] }))
  })
})
afterEach(() => {
  administer(null)
  queryClient.clear()
  vi.unstubAllGlobals()
})

describe('an administrator working in another organisation', () => {
  it('calls go to the chosen organisation, and to that of the user after leaving it', async () => {
    administer('GLOBEX')
    await callApi(getNavigatorVersion, {})
    await callApi(getNavigatorVersion, {}, { scope: administratorOf('ACME') })
    administer(null)
    await callApi(getNavigatorVersion, {})
    expect(headers.map(headers => headers.get(header))).toEqual(['GLOBEX', 'ACME', null])
  })

  it(
    'calls of an administrator without an organisation of their own name the administered one only',
    holds('M7.1'),
    async () => {
      administer('GLOBEX')
      await callApi(getNavigatorVersion, {})
      const [sent] = headers
      expect(['x-cadmus', 'x-organisation-code', header].map(name => sent?.get(name) ?? null)).toEqual([
        '1',
        null,
        'GLOBEX',
      ])
    },
  )

  it("calls for access tokens use the administrator's own organisation", async () => {
    administer('GLOBEX')
    await callApi(listTokens, {}).catch(() => null)
    expect(headers[0]?.has(header)).toBe(false)
  })

  it('a call repeated after a session renewal is sent to its original organisation', async () => {
    let fresh = false
    vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
      if (url.includes('/sso/refresh')) {
        fresh = true
        administer('GLOBEX')
        return new Response('{}')
      }
      headers.push(new Headers(init.headers))
      return new Response(JSON.stringify({ buildVersion: '1' }), { status: fresh ? 200 : 401 })
    })
    administer('ACME')
    await callApi(getNavigatorVersion, {})
    expect(headers.map(headers => headers.get(header))).toEqual(['ACME', 'ACME'])
  })

  it('a query that runs after the administrator has switched reads the organisation of its key', async () => {
    administer('ACME')
    const query = scoped(keys.manifests, options => manifestPage({}, options))
    administer('GLOBEX')
    await queryClient.fetchQuery({ ...query, retry: false }).catch(() => null)
    expect(headers.map(headers => headers.get(header))).toEqual(['ACME'])
  })

  it('the response of a save is shown in its organisation, even if the administrator has switched to another one', async () => {
    administer('ACME')
    const own = keyIn(keys.manifest(7))
    administer('GLOBEX')
    await putNewest(own, 'of ACME')
    expect(queryClient.getQueryData(keyIn(keys.manifest(7)))).toBeUndefined()
    administer('ACME')
    expect(queryClient.getQueryData(keyIn(keys.manifest(7)))).toBe('of ACME')
  })

  it('cached data of another organisation or role is not shown', () => {
    const all = [null, '', 'ACME', 'GLOBEX'].map(administered => {
      administer(administered)
      return JSON.stringify(keyIn(keys.entity(7)))
    })
    expect(new Set(all).size).toBe(all.length)
  })

  it('a change invalidates the data in every role and organisation', async () => {
    const own = currentScope()
    const all = [keyIn(keys.entity(7), own), keyIn(keys.entity(7), administratorOf('ACME'))]
    for (const key of [...all, keyIn(keys.manifest(7), own)]) queryClient.setQueryData(key, 'read')
    await invalidate(keys.entities)
    const isStale = (key: (typeof all)[number]) => queryClient.getQueryState(key)?.isInvalidated
    expect([...all, keyIn(keys.manifest(7), own)].map(isStale)).toEqual([true, true, false])
  })

  it('the licence of the chosen organisation applies once loaded and until the organisation is closed', () => {
    administer('GLOBEX')
    expect(currentLicence()).toBeNull()
    const licence = { manifestLimit: 3, rest: true, graphql: false, databaseTypes: ['mysql' as const] }
    for (const code of ['ACME', 'GLOBEX'])
      queryClient.setQueryData(keys.organisation(code), {
        organisation: { code, serviceOptions: false, licence: { ...licence, rest: code === 'ACME' } },
      })
    expect(currentLicence()).toMatchObject({ code: 'GLOBEX', rest: false })
    administer('ACME')
    expect(currentLicence()).toMatchObject({ code: 'ACME', rest: true })
    administer(null)
    expect(currentLicence()).toBeNull()
  })
})
