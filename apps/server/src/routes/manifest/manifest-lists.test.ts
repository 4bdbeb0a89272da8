import {
  createManifest,
  listFolderManifests,
  listManifestFolders,
  listManifests,
  listOrganisationManifests,
} from '@cadmus/model/contract/manifest'
import { listManifestParents, listSubManifests } from '@cadmus/model/contract/manifest-members'
import { holds } from '@cadmus/testing/holds'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ConsoleClient } from '../../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../../testing/console.ts'

describeOnBothStores('Lists of manifests', store => {
  let console: TestConsole
  let designer: ConsoleClient
  beforeAll(async () => {
    console = await startConsole({ store })
    designer = await console.as('designer')
  })
  afterAll(() => console.stop())

  it('the list by organisation is the same one', holds('M7.26'), async () => {
    const query = { filter: 'ALL' as const, limit: 5 }
    const list = await designer.call(listManifests, { query })
    expect(list.manifests).toHaveLength(5)
    expect(list.totalElements).toBeGreaterThan(12)
    expect(await designer.call(listOrganisationManifests, { query })).toEqual(list)
  })

  it('folders, by page and search, and the manifests of one', holds('M7.27', 'M7.28', 'M7.29'), async () => {
    const { folders, totalElements } = await designer.call(listManifestFolders, {})
    expect(folders).toContainEqual({ name: 'sales', path: 'predefined/sales' })
    expect(folders).toContainEqual({ name: 'user-defined', path: 'user-defined' })
    const second = await designer.call(listManifestFolders, { query: { limit: 10, page: 1 } })
    expect(second.folders).toHaveLength(totalElements - 10)
    const found = await designer.call(listManifestFolders, { query: { search: 'SAL' } })
    expect(found.folders.map(item => item.path)).toEqual(['predefined/sales'])
    const { manifests } = await designer.call(listFolderManifests, { params: { folder: 'predefined/sales' } })
    expect(manifests.map(item => item.location)).toEqual(['predefined/sales/sales'])
  })

  it('parents and sub-manifests by page', holds('M7.17'), async () => {
    const created = async (manifestName: string, subManifests: number[] = []) =>
      (await designer.call(createManifest, { body: { manifestName, subManifests } })).manifest.id
    const child = await created('Child')
    const [a, b] = [await created('ParentA', [child]), await created('ParentB', [child])]
    const page = async (number: number) => {
      const query = { limit: 1, page: number }
      return (await designer.call(listManifestParents, { params: { id: child }, query })).manifests.map(item => item.id)
    }
    expect([await page(0), await page(1), await page(2)]).toEqual([[a], [b], []])
    const top = await created('Top', [b, a, child])
    const { manifests } = await designer.call(listSubManifests, { params: { id: top } })
    expect(manifests.map(item => item.id)).toEqual([b, a, child])
  })
})
