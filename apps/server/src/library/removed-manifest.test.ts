import { createManifest, getManifest, listManifestEntities, listManifests } from '@cadmus/model/contract/manifest'
import { previewExport } from '@cadmus/model/contract/manifest-transfer'
import { removeFolder, temporaryFolder } from '@cadmus/testing/temporary'
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { describeOnBothStores, startConsole } from '../testing/console.ts'
import { loadLibrary } from './load-library.ts'

const shipped = resolve(import.meta.dirname, '../../../../library')

describeOnBothStores.whenProving('A predefined manifest removed from the folder', store => {
  it('decisions §5 a removed manifest is kept hidden with its entities while a manifest lists it, until it returns', async () => {
    const folder = temporaryFolder('library')
    cpSync(shipped, folder, { recursive: true })
    const server = await startConsole({ store, env: { CADMUS_LIBRARY_DIR: folder } })
    const designer = await server.as('designer')
    const all = async () =>
      (await designer.call(listManifests, { query: { filter: 'DEFAULT', limit: 100 } })).manifests.map(
        ({ id, name }) => ({ id, name }),
      )
    const locations = (await all()).find(({ name }) => name === 'locations')
    const body = { manifestName: 'Places', subManifests: [locations?.id ?? 0] }
    const { manifest } = await designer.call(createManifest, { body })
    const params = { id: manifest.id }
    const script = async () => (await designer.call(previewExport, { params, body: {} })).script
    const before = await script()
    expect(before).toContain('PublicHoliday')

    const root = join(folder, 'library.manifest.cdm.json')
    const listing = readFileSync(root, 'utf8')
    const parsed: { subManifests: { manifestName: string }[] } = JSON.parse(listing)
    const subManifests = parsed.subManifests.filter(sub => sub.manifestName !== 'locations')
    writeFileSync(root, JSON.stringify({ ...parsed, subManifests }))
    rmSync(join(folder, 'locations/locations.manifest.cdm.json'))
    rmSync(join(folder, 'locations/PublicHoliday.cdm.json'))
    await loadLibrary(server.context)
    expect((await all()).map(({ name }) => name)).not.toContain('locations')
    const { subManifestPaths } = (await designer.call(getManifest, { params })).manifest
    expect(subManifestPaths.map(({ name }) => name)).toEqual(['locations'])
    const members = await designer.call(listManifestEntities, { params: { id: locations?.id ?? 0 } })
    expect(members.entity.map(({ name }) => name)).toContain('PublicHoliday')
    expect(await script()).toBe(before)

    cpSync(shipped, folder, { recursive: true })
    await loadLibrary(server.context)
    expect(await all()).toContainEqual(locations)
    expect(await script()).toBe(before)
    await server.stop()
    removeFolder(folder)
  })
})
