import { listEntities } from '@cadmus/model/contract/entity'
import { createManifest, getManifest, listManifestEntities, listManifests } from '@cadmus/model/contract/manifest'
import { removeFolder, temporaryFolder } from '@cadmus/testing/temporary'
import { cpSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Client } from 'pg'
import { expect, it, vi } from 'vitest'
import type { Config } from '../config.ts'
import { appendMembers, appendSubManifests } from '../store/manifest-members.ts'
import { lockManifest, lockManifestNames } from '../store/manifest.ts'
import { describeOnBothStores, startConsole } from '../testing/console.ts'
import { organisationId } from '../testing/entities.ts'
import { loadLibrary } from './load-library.ts'

const shipped = resolve(import.meta.dirname, '../../../../library')
const actor = { userName: 'Test' }

describeOnBothStores('Removing a library entity during a new reference to it', store => {
  it('decisions §5 hides the entity instead of deleting it', async () => {
    const folder = temporaryFolder('library')
    for (const theme of ['locations', 'projects'])
      cpSync(join(shipped, theme), join(folder, theme), { recursive: true })
    const root = { manifestName: 'library', jsonSchemaSemanticVersion: '1.0.0', entities: [] }
    const list = (...themes: string[]) => {
      const subManifests = themes.map(name => ({ manifestName: name, definition: `${name}/${name}.manifest.cdm.json` }))
      writeFileSync(join(folder, 'library.manifest.cdm.json'), JSON.stringify({ ...root, subManifests }))
    }
    list('locations', 'projects')
    const server = await startConsole({ store, env: { CADMUS_LIBRARY_DIR: folder } })
    const designer = await server.as('designer')
    const { entity } = await designer.call(listEntities, { query: { filter: 'DEFAULT', search: 'PublicHoliday' } })
    const { manifests } = await designer.call(listManifests, { query: { filter: 'DEFAULT', search: 'locations' } })
    const [holiday, locations] = [entity[0]?.id ?? 0, manifests[0]?.id ?? 0]
    expect([holiday, locations].every(id => id > 0)).toBe(true)
    const { manifest } = await designer.call(createManifest, { body: { manifestName: 'Feasts' } })

    const organisation = await organisationId(server)
    const { promise: isLoaded, resolve: loaded } = Promise.withResolvers<void>()
    const { promise: isRead, resolve: read } = Promise.withResolvers<void>()
    const { workers } = server.context
    const readLibrary = workers.readLibrary.bind(workers)
    vi.spyOn(workers, 'readLibrary').mockImplementation((...requested) => readLibrary(...requested).finally(read))
    const writing = Promise.withResolvers<void>()
    const referring = server.context.store
      .of(organisation)
      .transaction()
      .execute(async tx => {
        await lockManifestNames(tx, organisation)
        const row = await lockManifest(tx, organisation, manifest.id)
        if (row === undefined) throw new Error('The manifest is gone.')
        const member = { entityId: holiday, organisationId: 0, type: 'TEMPLATE' as const }
        const { after } = await appendMembers(tx, row, [member], actor)
        await appendSubManifests(tx, { ...row, content_hash: after }, [{ id: locations, organisationId: 0 }], actor)
        writing.resolve()
        // The library waits for this transaction when it searches for references; the embedded store blocks it earlier.
        if (store === 'postgres') await Promise.race([isLoaded, isRead.then(() => untilBlocked(server.context.config))])
      })
    await writing.promise
    list('projects')
    rmSync(join(folder, 'locations'), { recursive: true })
    const loading = loadLibrary(server.context).finally(loaded)
    await referring
    await loading

    const { manifest: now } = await designer.call(getManifest, { params: { id: manifest.id } })
    expect(now.entityPaths.map(({ id }) => id)).toEqual([holiday])
    expect(now.subManifestPaths.map(({ id }) => id)).toEqual([locations])
    const members = await designer.call(listManifestEntities, { params: { id: locations } })
    expect(members.entity.map(({ id }) => id)).toContain(holiday)
    const left = await designer.call(listEntities, { query: { filter: 'DEFAULT', search: 'PublicHoliday' } })
    expect(left.entity).toEqual([])
    await server.stop()
    removeFolder(folder)
  })
})

/** Resolves once a transaction waits for a lock of another. */
async function untilBlocked({ store }: Config): Promise<void> {
  if (store.kind !== 'postgres') return
  const client = new Client({ connectionString: store.url })
  await client.connect()
  const waiting = "select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()"
  await expect.poll(async () => (await client.query(waiting)).rowCount).toBeGreaterThan(0)
  await client.end()
}
