import { createManifest, getManifest } from '@cadmus/model/contract/manifest'
import { deleteEntity } from '@cadmus/model/contract/entity'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import { organisationId } from '../testing/entities.ts'
import { listEntities } from './entity-list.ts'
import { NameIndexes } from './name-indexes.ts'

describeOnBothStores('A search whose results are deleted concurrently', store => {
  let server: TestConsole
  let designer: ConsoleClient
  beforeAll(async () => {
    server = await startConsole({ store })
    designer = await server.as('designer')
  })
  afterAll(() => server.stop())

  it('a search whose results are deleted concurrently does not end before the last page', async () => {
    const exclusiveEntities = Array.from({ length: 12 }, (_none, index) => `Qpage${String(index).padStart(2, '0')}`)
    const { manifest } = await designer.call(createManifest, { body: { manifestName: 'Pages', exclusiveEntities } })
    const { entityPaths } = (await designer.call(getManifest, { params: { id: manifest.id } })).manifest
    const ids = entityPaths.map(({ id }) => id)
    const organisation = await organisationId(server)
    /** Opens an up-to-date index that is outdated when its rows are read. */
    class OutdatedIndexes extends NameIndexes {
      override async open(...requested: Parameters<NameIndexes['open']>) {
        const open = await super.open(...requested)
        const removed = requested[1] === organisation ? ids.splice(1, 1) : []
        for (const id of removed) await designer.call(deleteEntity, { params: { id } })
        return open
      }
    }
    const outdated = new OutdatedIndexes()
    const db = server.context.store.of(organisation)
    const names: string[] = []
    for (let after: string | null | undefined; after !== null;) {
      const requested = { page: 0, limit: 4, search: 'qpage', ...(after ? { after } : {}) }
      const { rows, next } = await listEntities(db, organisation, requested, outdated)
      names.push(...rows.map(row => row.name))
      after = next
    }
    expect(names.at(0)).toBe('Qpage00')
    expect(names.at(-1)).toBe('Qpage11')
    expect(new Set(names).size).toBe(names.length)
  })
})
