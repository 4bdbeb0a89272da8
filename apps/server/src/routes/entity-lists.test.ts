import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  createEntity,
  getEntity,
  listEntities,
  listEntityFolders,
  listFolderEntities,
  listOrganisationEntities,
} from '@cadmus/model/contract/entity'
import { holds } from '@cadmus/testing/holds'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import { addManifest, addPredefined } from '../testing/entities.ts'

describeOnBothStores('Lists of entities', store => {
  let server: TestConsole
  let designer: ConsoleClient
  let own: number[]
  beforeAll(async () => {
    server = await startConsole({ store })
    designer = await server.as('designer')
    for (const name of ['ZqCore1', 'ZqCore2', 'zqcore10']) await addPredefined(server, { name })
    const manifestId = await addManifest(server, 'ZqShop')
    own = []
    for (const name of ['ZqB', 'zqA', 'ZqC_1', 'ZqCx1', 'Zq4', 'Zq5', 'Zq6']) {
      const { entity } = await designer.call(createEntity, { body: { entity: { name }, targetManifestId: manifestId } })
      own.push(entity.id)
    }
  })
  afterAll(() => server.stop())

  const list = (query: Record<string, unknown>) => designer.call(listEntities, { query })
  const names = async (query: Record<string, unknown>) => (await list(query)).entity.map(item => item.name)

  it(
    'lists of entities have the documented shape with items',
    holds(
      'E7.1',
      'E7.20',
      'E7.22',
      'E7.14',
      'E7.15',
      'E7.16',
      'E7.17',
      'E7.18',
      'E7.19',
      'E3.59',
      'E3.60',
      'E3.61',
      'E3.62',
    ),
    async () => {
      const answer = await list({ search: 'zqb' })
      expect(answer).toMatchObject({ totalElements: 1, size: 1000, page: 0, result: 'OK', message: '', next: null })
      expect(answer.entity).toEqual([
        {
          id: own[0],
          name: 'ZqB',
          location: 'user-defined/ZqShop/ZqB',
          folder: 'user-defined/ZqShop',
          type: 'EXCLUSIVE',
          operationScopes: expect.objectContaining({ selectOperationScopes: [], updateOperationScopes: [] }),
        },
      ])
      const opened = await designer.call(getEntity, { params: { id: answer.entity[0]!.id } })
      expect(opened.entity.path).toBe(answer.entity[0]!.location)
      const one = await list({ search: 'zq', limit: 1 })
      expect(one).toMatchObject({ size: 1, totalElements: 10, entity: [{ name: 'Zq4' }] })
    },
  )

  it('filter, and reject an unknown filter', holds('E3.70', 'E3.71', 'E7.21'), async () => {
    for (const filter of ['ALL', 'DEFAULT', 'PRIVATE', 'RESOLVED', 'EXCLUSIVE'])
      expect((await list({ filter, search: 'zq' })).result).toBe('OK')
    expect(await names({ filter: 'DEFAULT', search: 'zq' })).toEqual(['ZqCore1', 'zqcore10', 'ZqCore2'])
    const predefined = await list({ filter: 'DEFAULT' })
    expect(predefined.entity.length).toBeGreaterThan(3)
    expect(predefined.entity.every(item => item.location.startsWith('predefined/'))).toBe(true)
    const mine = ['Zq4', 'Zq5', 'Zq6', 'zqA', 'ZqB', 'ZqC_1', 'ZqCx1']
    expect(await names({ filter: 'PRIVATE', search: 'zq' })).toEqual(mine)
    const everything = await list({ filter: 'PRIVATE' })
    expect(everything.entity.every(item => item.location.startsWith('user-defined/'))).toBe(true)
    expect(await names({ filter: 'ALL', search: 'zq' })).toHaveLength(10)
    expect(await names({ filter: 'ALL', search: 'zq' })).toEqual(await names({ search: 'zq' }))
    expect((await designer.send(listEntities, { query: { filter: 'OTHER' } })).status).toBe(400)
  })

  it('order by relevance: the current manifest, other custom manifests, the library; in each exact matches, then prefixes', async () => {
    const other = await addManifest(server, 'LikelyOther')
    const near = await addManifest(server, 'LikelyNear')
    for (const name of ['LikelyCore', 'Likely']) await addPredefined(server, { name })
    for (const name of ['NotLikely', 'LikelyLater', 'Likely'])
      await designer.call(createEntity, { body: { entity: { name }, targetManifestId: other } })
    for (const name of ['MostLikely', 'LikelyNearby'])
      await designer.call(createEntity, { body: { entity: { name }, targetManifestId: near } })
    const expected = ['LikelyNearby', 'MostLikely', 'Likely', 'LikelyLater', 'NotLikely', 'Likely', 'LikelyCore']
    expect(await names({ search: 'likely', order: 'match', near })).toEqual(expected)
    const pages = await Promise.all(
      [0, 1, 2, 3].map(page => names({ search: 'likely', order: 'match', near, limit: 2, page })),
    )
    expect(pages.flat()).toEqual(expected)
    expect((await list({ search: 'likely', order: 'match', near, limit: 2 })).totalElements).toBe(7)
    const own = await names({ order: 'match', near, limit: 2 })
    expect(own).toEqual(['LikelyNearby', 'MostLikely'])
  })

  it('lists of entities are paged in a stable order, by number and by place', holds('E7.22', 'E7.23'), async () => {
    const all = await names({ search: 'zq' })
    expect(all).toEqual(['Zq4', 'Zq5', 'Zq6', 'zqA', 'ZqB', 'ZqC_1', 'ZqCore1', 'zqcore10', 'ZqCore2', 'ZqCx1'])
    const pages = [0, 1, 2, 3].map(page => names({ search: 'zq', limit: 3, page }))
    expect((await Promise.all(pages)).flat()).toEqual(all)
    const walked: string[] = []
    for (let after: string | null | undefined; after !== null;) {
      const part = await list({ search: 'zq', limit: 4, after })
      expect(part.totalElements).toBe(10)
      walked.push(...part.entity.map(item => item.name))
      after = part.next
    }
    expect(walked).toEqual(all)
  })

  it('search, exclude, and filter by folder and path', holds('E7.24', 'E7.25', 'E7.26', 'E7.27'), async () => {
    expect(await names({ search: 'QC_' })).toEqual(['ZqC_1'])
    expect(await names({ search: 'zqc', excludedEntity: own[2] })).toEqual(['ZqCore1', 'zqcore10', 'ZqCore2', 'ZqCx1'])
    const totals = [{}, { excludedEntity: -1 }, { excludedEntity: own[2] }].map(input =>
      list({ search: 'zqc', ...input }),
    )
    expect((await Promise.all(totals)).map(({ totalElements }) => totalElements)).toEqual([5, 5, 4])
    expect((await list({ folderFilter: 'user-defined/ZqShop' })).totalElements).toBe(7)
    expect(await names({ pathFilter: 'zqshop/zqc' })).toEqual(['ZqC_1', 'ZqCx1'])
    expect(await names({ search: '%' })).toEqual([])
  })

  it(
    'lists of entities are restricted to the organisation',
    holds('E7.9', 'E7.10', 'E7.11', 'E7.12', 'E7.13'),
    async () => {
      const query = { filter: 'PRIVATE', search: 'ZQ', limit: 2, page: 1 } as const
      const answer = await designer.call(listOrganisationEntities, { query })
      expect(answer).toMatchObject({ totalElements: 7, size: 2, page: 1 })
      expect(answer.entity.map(item => item.name)).toEqual(['Zq6', 'zqA'])
      const plain = await designer.call(listOrganisationEntities, { query: { search: 'zq' } })
      expect(plain).toMatchObject({ totalElements: 10, size: 1000, page: 0 })
      const within = await designer.call(listOrganisationEntities, { query: { search: 'QC_' } })
      expect(within.entity.map(item => item.name)).toEqual(['ZqC_1'])
      const other = await server.bootstrap('GLOBEX').call(listOrganisationEntities, { query: { search: 'zq' } })
      expect(other.entity.map(item => item.name)).toEqual(['ZqCore1', 'zqcore10', 'ZqCore2'])
    },
  )

  it('list folders and their entities', holds('E7.28', 'E7.31', 'E7.32', 'E7.33', 'E7.34', 'E7.35'), async () => {
    const { folders } = await designer.call(listEntityFolders, { query: { search: 'qSHO' } })
    expect(folders).toEqual([{ name: 'ZqShop', path: 'user-defined/ZqShop' }])
    const params = { folder: 'user-defined/ZqShop' }
    const first = await designer.call(listFolderEntities, { params, query: { limit: 2, page: 1 } })
    expect(first).toMatchObject({ totalElements: 7, size: 2, page: 1 })
    expect(first.entity.map(item => item.name)).toEqual(['Zq6', 'zqA'])
    const match = await designer.call(listFolderEntities, { params, query: { search: 'zqc' } })
    expect(match.entity.map(item => item.folder)).toEqual(['user-defined/ZqShop', 'user-defined/ZqShop'])
    expect((await designer.call(listFolderEntities, { params })).size).toBe(20)
    const walked: string[] = []
    for (let after: string | null | undefined; after !== null;) {
      const part = await designer.call(listEntityFolders, { query: { limit: 1, ...(after ? { after } : {}) } })
      walked.push(...part.folders.map(folder => folder.path))
      after = part.next
    }
    expect(walked).toEqual(walked.toSorted())
    expect(walked).toContain('predefined/tests')
  })

  it('list folders with exact matches first, then prefixes, by number and by place', async () => {
    const named = ['AnotherLane', 'LaneTwo', 'Lane']
    for (const name of named) {
      const targetManifestId = await addManifest(server, name)
      await designer.call(createEntity, { body: { entity: { name: 'Pebble' }, targetManifestId } })
    }
    const expected = ['Lane', 'LaneTwo', 'AnotherLane']
    const search = 'lane'
    const { folders } = await designer.call(listEntityFolders, { query: { search } })
    expect(folders.map(({ name }) => name)).toEqual(expected)
    const walked: string[] = []
    for (let after: string | null | undefined; after !== null;) {
      const part = await designer.call(listEntityFolders, { query: { search, limit: 1, ...(after ? { after } : {}) } })
      walked.push(...part.folders.map(({ name }) => name))
      after = part.next
    }
    expect(walked).toEqual(expected)
  })

  it.each([
    { page: -1 },
    { limit: 0 },
    { limit: 1001 },
    { limit: 'many' },
    { after: 'nowhere' },
    { after: Buffer.from('["a\\u0000",1.5]').toString('base64url') },
    { search: 'x'.repeat(201) },
  ])('reject %j with a message', async query => {
    const response = await designer.send(listEntities, { query })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ message: expect.any(String), errors: [{ path: expect.any(String) }] })
  })

  it.each(['\0', "'; drop table entity; --", '\\', '_', '🙂', '\u{202e}', 'İ', String.fromCharCode(0xd8_00)])(
    'search for %j without error or false matches',
    async search => {
      const response = await designer.send(listEntities, { query: { search: `zq${search}`, pathFilter: search } })
      expect([200, 400]).toContain(response.status)
      expect((await list({ search: 'zq' })).totalElements).toBe(10)
    },
  )

  it('return an empty page after the end', async () => {
    expect(await names({ page: 9_007_199_254_740_991, limit: 1000 })).toEqual([])
  })
})
