import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  createManifest,
  listFolderManifests,
  listManifestFolders,
  listManifestParents,
  listManifests,
  listOrganisationManifests,
  listSubManifests,
} from '@cadmus/model/contract/manifest'
import { holds } from '@cadmus/testing/holds'
import { removeFolder, temporaryFolder } from '@cadmus/testing/temporary'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'

describeOnBothStores.whenProving('Lists of manifests', store => {
  let console: TestConsole
  let designer: ConsoleClient
  beforeAll(async () => {
    console = await startConsole({ store })
    designer = await console.as('designer')
  })
  afterAll(() => console.stop())

  it(
    'lists of manifests by organisation equal the lists for the organisation in the header',
    holds('M7.21', 'M7.26'),
    async () => {
      const read = async (path: string) => {
        const answer = await designer.browser.fetch(path, { headers: { 'X-Organisation-Code': 'ACME' } })
        expect(answer.status).toBe(200)
        return answer.text()
      }
      const own = await designer.call(listManifests, { query: { filter: 'PRIVATE' } })
      expect(own.size).toBe(1000)
      const exclude = own.manifests[0]?.id
      const queries = [
        '',
        '?filter=DEFAULT',
        '?filter=PRIVATE',
        '?limit=2&page=1',
        '?search=SHO',
        `?exclude=${exclude}`,
      ]
      const lists = await Promise.all(queries.map(query => read(`/1.0/cdm/manifest${query}`)))
      expect(new Set(lists).size).toBe(queries.length)
      expect(await Promise.all(queries.map(query => read(`/api/manifests.json${query}`)))).toEqual(lists)
      const other = console.bootstrap('GLOBEX')
      const theirs = await other.call(listOrganisationManifests, {})
      expect(theirs).toEqual(await other.call(listManifests, {}))
      const ids = new Set(theirs.manifests.map(({ id }) => id))
      expect(own.manifests.filter(({ id }) => ids.has(id))).toEqual([])
      expect(own.manifests.map(({ name }) => name)).toContain('Shop')
    },
  )

  it(
    'list folders with pages and search, and the manifests of a folder',
    holds('M7.27', 'M7.28', 'M7.29'),
    async () => {
      const { folders, totalElements, size } = await designer.call(listManifestFolders, {})
      expect(size).toBe(20)
      expect(folders).toContainEqual({ name: 'sales', path: 'predefined/sales' })
      expect(folders).toContainEqual({ name: 'user-defined', path: 'user-defined' })
      const second = await designer.call(listManifestFolders, { query: { limit: 10, page: 1 } })
      expect(second.folders).toHaveLength(totalElements - 10)
      const result = await designer.call(listManifestFolders, { query: { search: 'SAL' } })
      expect(result.folders.map(item => item.path)).toEqual(['predefined/sales'])
      const { manifests } = await designer.call(listFolderManifests, { params: { folder: 'predefined/sales' } })
      expect(manifests.map(item => item.location)).toEqual(['predefined/sales/sales'])
      const headers = { 'X-Organisation-Code': 'ACME' }
      const printed = await designer.browser.fetch('/1.0/cdm/manifest/folders', { headers })
      expect(printed.status).toBe(200)
      expect(await printed.json()).toMatchObject({ folders })
    },
  )

  it('order by relevance: custom manifests, exact matches, prefixes', async () => {
    const own = ['Resale', 'SalesOffice', 'Sales']
    for (const manifestName of own) await designer.call(createManifest, { body: { manifestName } })
    const find = async (query: object) =>
      (await designer.call(listManifests, { query: { search: 'SALE', order: 'match', ...query } })).manifests
    const expected = [...(await find({ search: 'sales' }))].map(({ location }) => location)
    expect(expected.slice(0, 2)).toEqual(['user-defined/Sales', 'user-defined/SalesOffice'])
    expect(expected[2]).toBe('predefined/sales/sales')
    expect((await find({ filter: 'PRIVATE' })).map(({ name }) => name)).toEqual(['Sales', 'SalesOffice', 'Resale'])
    const pages = await Promise.all([0, 1, 2].map(page => find({ search: 'sales', limit: 1, page })))
    expect(pages.flat().map(({ location }) => location)).toEqual(expected.slice(0, 3))
    expect((await find({})).map(({ name }) => name).slice(0, 3)).toEqual(['Sales', 'SalesOffice', 'Resale'])
  })

  it('split 25 folders into pages of 20 and 5', holds('M7.28'), async () => {
    const library = temporaryFolder('library')
    const folders = Array.from({ length: 23 }, (_, index) => `folder${index + 10}`)
    const write = (path: string, content: object) => writeFileSync(join(library, path), JSON.stringify(content))
    const subManifests = folders.map(name => ({ manifestName: name, definition: `${name}/${name}.manifest.cdm.json` }))
    write('library.manifest.cdm.json', { manifestName: 'library', entities: [], subManifests })
    const hasAttributes = [{ name: 'thingId', purpose: 'identifiedBy', dataType: 'string' }]
    for (const name of folders) {
      mkdirSync(join(library, name))
      const entities = [{ entityName: 'Thing', entityPath: 'Thing.cdm.json/Thing' }]
      write(`${name}/${name}.manifest.cdm.json`, { manifestName: name, entities, subManifests: [] })
      write(`${name}/Thing.cdm.json`, { definitions: [{ entityName: 'Thing', hasAttributes }] })
    }
    const wide = await startConsole({ store, env: { CADMUS_LIBRARY_DIR: library } })
    const reader = await wide.as('designer')
    await reader.call(createManifest, { body: { manifestName: 'Own' } })
    const paths = async (query: object) =>
      (await reader.call(listManifestFolders, { query })).folders.map(({ path }) => path)
    const all = ['predefined', ...folders.map(name => `predefined/${name}`), 'user-defined']
    expect(await paths({ limit: 1000 })).toEqual(all)
    expect([await paths({}), await paths({ page: 1 })]).toEqual([all.slice(0, 20), all.slice(20)])
    expect(await paths({ search: 'R32' })).toEqual(['predefined/folder32'])
    await wide.stop()
    removeFolder(library)
  })

  it('page parents and sub-manifests', holds('M7.17'), async () => {
    const created = async (manifestName: string, subManifests: number[] = []) =>
      (await designer.call(createManifest, { body: { manifestName, subManifests } })).manifest.id
    const child = await created('Child')
    const [a, b] = [await created('ParentA', [child]), await created('ParentB', [child])]
    const page = async (number: number) => {
      const query = { limit: 1, page: number }
      return (await designer.call(listManifestParents, { params: { id: child }, query })).manifests.map(item => item.id)
    }
    expect([await page(0), await page(1), await page(2)]).toEqual([[a], [b], []])
    expect((await designer.call(listManifestParents, { params: { id: child } })).size).toBe(1000)
    const top = await created('Top', [b, a, child])
    const { manifests } = await designer.call(listSubManifests, { params: { id: top } })
    expect(manifests.map(item => item.id)).toEqual([b, a, child])
  })
})
