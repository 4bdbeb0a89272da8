import { afterAll, beforeAll, expect, it } from 'vitest'
import { createManifest, deleteManifest, listManifestLogs } from '@cadmus/model/contract/manifest'
import { holds } from '@cadmus/testing/holds'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'

describeOnBothStores.whenProving('The manifest log', store => {
  let console: TestConsole
  let designer: ConsoleClient
  beforeAll(async () => {
    console = await startConsole({ store })
    designer = await console.as('designer')
  })
  afterAll(() => console.stop())

  it('the manifest log contains every change, newest first', holds('M7.52', 'M3.84', 'M3.85', 'M3.88'), async () => {
    const body = { manifestName: 'Noted', exclusiveEntities: ['Logged'] }
    const { manifest } = await designer.call(createManifest, { body })
    await designer.call(deleteManifest, { params: { id: manifest.id } })
    const { manifestLogs, totalElements } = await designer.call(listManifestLogs, { query: { limit: 2 } })
    const all = await designer.call(listManifestLogs, { query: { limit: 1000 } })
    expect(all.manifestLogs.slice(0, 2)).toEqual(manifestLogs)
    expect([totalElements, all.totalElements]).toEqual([all.manifestLogs.length, all.manifestLogs.length])
    const times = all.manifestLogs.map(entry => entry.LAST_MODIFIED)
    expect(times).toEqual(times.toSorted().toReversed())
    for (const { ID, LAST_MODIFIED } of all.manifestLogs) {
      expect(ID).toBeGreaterThan(0)
      expect(new Date(LAST_MODIFIED).toISOString()).toBe(LAST_MODIFIED)
    }
    expect(new Set(all.manifestLogs.map(({ ID }) => ID)).size).toBe(all.manifestLogs.length)
    expect(manifestLogs[0]).toMatchObject({ USER_NAME: 'Dan Designer', USER_EMAIL: 'designer@example.com' })
    expect(manifestLogs.map(entry => [entry.ACTION_TYPE, entry.ENTITY_NAME])).toEqual([
      ['DELETE', manifest.name],
      ['CREATE', manifest.name],
    ])
    expect(JSON.parse(manifestLogs[0]?.ORIGINAL_CONTENT ?? '')).toMatchObject({
      name: manifest.name,
      path: manifest.path,
    })
  })
})
