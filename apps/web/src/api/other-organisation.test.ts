import { listTokens } from '@cadmus/model/contract/token'
import { getNavigatorVersion } from '@cadmus/model/contract/navigator'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { callApi } from './client.ts'
import { licenceAtWork, setOtherLicence, organisationAtWork, workInOrganisation } from './other-organisation.ts'
import { hashHere, keys, putNewest, queryClient } from './query-client.ts'

const header = 'X-Admin-Organisation'
let headers: Headers[] = []

beforeEach(() => {
  headers = []
  vi.stubGlobal('fetch', async (_: string, init: RequestInit) => {
    headers.push(new Headers(init.headers))
    return new Response(JSON.stringify({ buildVersion: '1', tokens: [] }))
  })
})
afterEach(() => {
  workInOrganisation(null)
  vi.unstubAllGlobals()
})

describe('an administrator working in another organisation', () => {
  it('calls go to the chosen organisation, and to the own one after leaving it', async () => {
    workInOrganisation('GLOBEX')
    await callApi(getNavigatorVersion, {})
    await callApi(getNavigatorVersion, {}, { organisation: 'ACME' })
    workInOrganisation(null)
    await callApi(getNavigatorVersion, {})
    expect(headers.map(headers => headers.get(header))).toEqual(['GLOBEX', 'ACME', null])
  })

  it("calls for access tokens use the administrator's own organisation", async () => {
    workInOrganisation('GLOBEX')
    await callApi(listTokens, {}).catch(() => null)
    expect(headers[0]?.has(header)).toBe(false)
  })

  it('a call repeated after a session renewal is sent to its original organisation', async () => {
    let fresh = false
    vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
      if (url.includes('/sso/refresh')) {
        fresh = true
        workInOrganisation('GLOBEX')
        return new Response('{}')
      }
      headers.push(new Headers(init.headers))
      return new Response(JSON.stringify({ buildVersion: '1' }), { status: fresh ? 200 : 401 })
    })
    workInOrganisation('ACME')
    await callApi(getNavigatorVersion, {})
    expect(headers.map(headers => headers.get(header))).toEqual(['ACME', 'ACME'])
  })

  it('the outcome of a save is looked up in its organisation, even if the administrator has switched to another one', async () => {
    workInOrganisation('ACME')
    const own = hashHere(keys.manifest(7))
    workInOrganisation('GLOBEX')
    await putNewest(keys.manifest(7), own, 'of ACME')
    expect(queryClient.getQueryData(keys.manifest(7))).toBeUndefined()
    workInOrganisation('ACME')
    expect(queryClient.getQueryData(keys.manifest(7))).toBe('of ACME')
  })

  it('cached data of another organisation is not shown, except data common to all', () => {
    const own = hashHere(keys.entity(7))
    workInOrganisation('GLOBEX')
    const there = hashHere(keys.entity(7))
    expect(there).not.toBe(own)
    expect(hashHere(keys.organisations)).toBe(JSON.stringify(keys.organisations))
    workInOrganisation('ACME')
    expect([own, there]).not.toContain(hashHere(keys.entity(7)))
  })

  it('the licence of the chosen organisation applies once loaded and until the organisation is closed', () => {
    workInOrganisation('GLOBEX')
    expect(organisationAtWork()).toBe('GLOBEX')
    expect(licenceAtWork()).toBeNull()
    const licence = { manifestLimit: 3, rest: true, graphql: false, databaseTypes: ['mysql' as const] }
    setOtherLicence({ code: 'ACME', serviceOptions: true, ...licence })
    expect(licenceAtWork()).toBeNull()
    setOtherLicence({ code: 'GLOBEX', serviceOptions: false, ...licence })
    expect(licenceAtWork()).toMatchObject({ code: 'GLOBEX', graphql: false })
    workInOrganisation('ACME')
    expect(licenceAtWork()).toBeNull()
  })
})
