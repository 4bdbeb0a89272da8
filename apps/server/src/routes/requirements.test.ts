import { adminListOrganisations } from '@cadmus/model/contract/admin-organisation'
import { listEntities } from '@cadmus/model/contract/entity'
import { listManifestEntities, listManifests, listSubManifests } from '@cadmus/model/contract/manifest'
import { exportManifest } from '@cadmus/model/contract/manifest-transfer'
import { getSession } from '@cadmus/model/contract/sso'
import { exportTypes } from '@cadmus/model/export-formats'
import { holds } from '@cadmus/testing/holds'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'

describeOnBothStores.whenProving('Administrator permissions and general limits', store => {
  let server: TestConsole
  let admin: ConsoleClient
  let designer: ConsoleClient
  beforeAll(async () => {
    server = await startConsole({ store })
    admin = await server.as('admin')
    designer = await server.as('designer')
  })
  afterAll(() => server.stop())

  it('there are no roles besides administrator', holds('M6.1'), async () => {
    const description = await (await admin.browser.fetch('/openapi.json', {})).text()
    expect(description).toContain('"isAdmin"')
    expect(description).not.toMatch(/"[^"]*roles?"/i)
    const headers = { 'x-cadmus': '1' }
    for (const [client, isAdmin] of [
      [admin, true],
      [designer, false],
    ] as const) {
      const { eccUser } = await client.call(getSession, { headers })
      expect(eccUser.isAdmin).toBe(isAdmin)
      expect(Object.keys(eccUser).filter(key => /role/i.test(key))).toEqual([])
    }
  })

  it('organisations are listed for administrators only', holds('M6.3', 'M7.86'), async () => {
    const answer = await admin.send(adminListOrganisations, {})
    expect(answer.status).toBe(200)
    const keys = Object.keys(Object(await answer.json()))
    for (const key of ['organisations', 'totalElements', 'size', 'page', 'result', 'message'])
      expect(keys).toContain(key)
    const refusal = await designer.refusal(adminListOrganisations, {})
    expect(refusal).toMatchObject({ status: 403, answer: { code: 'forbidden' } })
  })

  it('organisations are paged, 1000 by default, and searchable', holds('M7.87'), async () => {
    const list = async (query: { limit?: number; page?: number; search?: string }) => {
      const { organisations, size, page, totalElements } = await admin.call(adminListOrganisations, { query })
      return { codes: organisations.map(({ code }) => code), size, page, totalElements }
    }
    const codes = ['ACME', 'CADMUS', 'GLOBEX']
    expect(await list({})).toEqual({ codes, size: 1000, page: 0, totalElements: 3 })
    expect(await list({ limit: 1 })).toEqual({ codes: ['ACME'], size: 1, page: 0, totalElements: 3 })
    expect(await list({ limit: 1, page: 2 })).toEqual({ codes: ['GLOBEX'], size: 1, page: 2, totalElements: 3 })
    expect(await list({ search: 'acm' })).toEqual({ codes: ['ACME'], size: 1000, page: 0, totalElements: 1 })
  })

  it('the groups of the navigator have up to 1000 items by default', holds('M9.8'), async () => {
    const { manifests } = await designer.call(listManifests, { query: { filter: 'PRIVATE' } })
    const id = manifests[0]?.id ?? 0
    const sizes = [
      await designer.call(listEntities, { query: {} }),
      await designer.call(listManifests, { query: {} }),
      await designer.call(listManifestEntities, { params: { id }, query: {} }),
      await designer.call(listSubManifests, { params: { id }, query: {} }),
    ].map(({ size }) => size)
    expect(sizes).toEqual([1000, 1000, 1000, 1000])
  })

  it.each(exportTypes)(
    'a core manifest cannot be exported as %s, not even by an administrator',
    holds('M6.6'),
    async exportType => {
      for (const client of [designer, server.bootstrap('ACME')]) {
        const { manifests } = await client.call(listManifests, { query: { filter: 'DEFAULT' } })
        expect(manifests.length).toBeGreaterThan(0)
        for (const { id } of manifests) {
          const refusal = await client.refusal(exportManifest, { params: { id }, body: { exportType } })
          const message = 'Predefined manifests cannot be exported.'
          expect(refusal).toMatchObject({ status: 403, answer: { message } })
        }
      }
    },
  )
})
