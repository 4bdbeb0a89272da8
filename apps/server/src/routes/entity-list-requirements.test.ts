import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  getEntity,
  listEntities,
  listEntityFolders,
  listFolderEntities,
  listOrganisationEntities,
  updateEntity,
} from '@cadmus/model/contract/entity'
import { createManifest, listManifests } from '@cadmus/model/contract/manifest'
import { holds } from '@cadmus/testing/holds'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import { saveBody } from '../testing/entities.ts'

const entityNames = [...Array.from({ length: 21 }, (_, index) => `Item${index}`), 'Account', 'Accrual']

describeOnBothStores.whenProving('The format of lists and folders', store => {
  let server: TestConsole
  let designer: ConsoleClient
  beforeAll(async () => {
    server = await startConsole({ store })
    designer = await server.as('designer')
    await designer.call(createManifest, { body: { manifestName: 'Wide', exclusiveEntities: entityNames } })
    for (let index = 0; index < 21; index++) {
      const body = { manifestName: `Folder${index}`, exclusiveEntities: ['Only'] }
      await designer.call(createManifest, { body })
    }
  })
  afterAll(() => server.stop())

  it(
    'an item has name, location, folder, id and the five scope lists',
    holds('E3.59', 'E3.60', 'E3.61', 'E3.62', 'E3.63'),
    async () => {
      const { entity: items } = await designer.call(listEntities, { query: { limit: 1 } })
      expect(items).toHaveLength(1)
      const [item] = items
      const { entity } = await designer.call(getEntity, { params: { id: item?.id ?? 0 } })
      expect(item).toMatchObject({ id: entity.id, name: entity.name, location: entity.path })
      expect(`${item?.folder}/${entity.name}`).toBe(entity.path)
      expect(item?.operationScopes).toEqual({
        selectOperationScopes: [],
        selectAllOperationScopes: [],
        deleteOperationScopes: [],
        insertOperationScopes: [],
        updateOperationScopes: [],
      })
    },
  )

  it(
    "an item has the stored scopes, including the organisation's own on library entities",
    holds('E3.63'),
    async () => {
      const scopes = { selectOperationScopes: ['read'], updateOperationScopes: ['write', 'change'] }
      for (const filter of ['PRIVATE', 'DEFAULT'] as const) {
        const listed = async () =>
          (await designer.call(listEntities, { query: { filter, search: 'Account', limit: 1 } })).entity[0]
        const params = { id: (await listed())?.id ?? 0 }
        const { entity } = await designer.call(getEntity, { params })
        const operationScopes = { ...entity.operationScopes, ...scopes }
        await designer.call(updateEntity, { params, body: saveBody(entity, { operationScopes }), ifMatch: '*' })
        expect((await listed())?.operationScopes).toEqual(operationScopes)
      }
    },
  )

  it('every path begins with predefined/ or user-defined/, and both occur', holds('E3.65'), async () => {
    const { entity } = await designer.call(listEntities, {})
    const { manifests } = await designer.call(listManifests, {})
    const { folders } = await designer.call(listEntityFolders, { query: { limit: 1000 } })
    for (const paths of [[...entity, ...manifests].map(item => item.location), folders.map(item => item.path)]) {
      const workspaces = new Set(paths.map(path => path.split('/')[0]))
      expect([...workspaces].toSorted()).toEqual(['predefined', 'user-defined'])
    }
  })

  it.each([
    ['listEntities', listEntities],
    ['listOrganisationEntities', listOrganisationEntities],
  ] as const)(
    '%s returns size, page, result, message and entity',
    holds('E7.15', 'E7.16', 'E7.17', 'E7.18', 'E7.19'),
    async (_id, call) => {
      const answer = await designer.call(call, { query: { limit: 7, page: 1 } })
      expect(answer).toMatchObject({ size: 7, page: 1, result: 'OK', message: expect.any(String) })
      expect(answer.entity).toHaveLength(7)
      const first = await designer.call(call, { query: { limit: 14 } })
      expect(answer.entity).toEqual(first.entity.slice(7))
      const empty = await (await designer.send(call, { query: { search: 'no_such_entity' } })).json()
      expect(empty).toMatchObject({ totalElements: 0, result: 'OK', message: expect.any(String), entity: [] })
    },
  )

  it('folders are paged, 20 by default', holds('E7.28', 'E7.29', 'E7.30'), async () => {
    const folders = async (query: object) => (await designer.call(listEntityFolders, { query })).folders
    const all = await folders({ limit: 1000 })
    expect(all.length).toBeGreaterThan(21)
    expect(await folders({})).toEqual(all.slice(0, 20))
    expect(await folders({ limit: 3 })).toEqual(all.slice(0, 3))
    expect(await folders({ limit: 3, page: 1 })).toEqual(all.slice(3, 6))
    expect(new Set(all.map(folder => folder.path)).size).toBe(all.length)
    const headers = { 'X-Organisation-Code': 'ACME' }
    const printed = await designer.browser.fetch('/1.0/cdm/entity/folders?limit=3', { headers })
    expect(printed.status).toBe(200)
    expect(await printed.json()).toMatchObject({ folders: all.slice(0, 3) })
  })

  it(
    'the entities of a folder are paged and searched, 20 by default',
    holds('E7.32', 'E7.33', 'E7.34', 'E7.35'),
    async () => {
      const { folders } = await designer.call(listEntityFolders, { query: { search: 'wide' } })
      const path = folders[0]?.path ?? ''
      const read = async (query: string) => {
        const answer = await designer.browser.fetch(`/1.0/cdm/entity/folders/${encodeURIComponent(path)}${query}`, {
          headers: { 'X-Organisation-Code': 'ACME' },
        })
        expect(answer.status).toBe(200)
        return listFolderEntities.answer.parse(await answer.json())
      }
      const all = await read('?limit=1000')
      expect(all.entity.map(item => item.name).toSorted()).toEqual(entityNames.toSorted())
      expect(new Set(all.entity.map(item => item.folder))).toEqual(new Set([path]))
      expect(await read('')).toMatchObject({ size: 20, totalElements: 23, entity: all.entity.slice(0, 20) })
      expect((await read('?limit=2')).entity).toEqual(all.entity.slice(0, 2))
      expect((await read('?limit=2&page=1')).entity).toEqual(all.entity.slice(2, 4))
      expect((await read('?search=acc')).entity.map(item => item.name)).toEqual(['Account', 'Accrual'])
    },
  )
})
