import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { getEntity, listEntities, listEntityLogs } from '@cadmus/model/contract/entity'
import { createManifest, deleteManifest } from '@cadmus/model/contract/manifest'
import { recoverJobs } from '../jobs/job-recovery.ts'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import { expectCorrectCounters } from '../testing/counters.ts'
import { organisationId } from '../testing/entities.ts'

describeOnBothStores.whenProving('Deleting a manifest with many entities in slices', store => {
  let server: TestConsole
  let designer: ConsoleClient
  let other: ConsoleClient
  beforeAll(async () => {
    server = await startConsole({ store })
    designer = await server.as('designer')
    other = server.bootstrap('ACME')
  })
  afterAll(() => server.stop())

  const count = 200

  async function large(name: string) {
    const exclusiveEntities = Array.from({ length: count }, (_none, index) => `${name}${index}`)
    const { manifest } = await designer.call(createManifest, { body: { manifestName: name, exclusiveEntities } })
    return manifest
  }

  const remaining = async (name: string) => {
    const { entity, totalElements } = await other.call(listEntities, { query: { search: name, limit: 20 } })
    expect([0, 20]).toContain(entity.length)
    return totalElements
  }

  it('during its deletion, other users see a manifest with all of its entities or none', async () => {
    const manifest = await large('Vanishing')
    const [first, last] = [manifest.entityPaths[0], manifest.entityPaths.at(-1)]
    const seen = new Set([await remaining('Vanishing')])
    const going = { isOver: false }
    const deleting = designer
      .call(deleteManifest, { params: { id: manifest.id } })
      .finally(() => void (going.isOver = true))
    while (!going.isOver) {
      seen.add(await remaining('Vanishing'))
      const statuses = []
      for (const place of [first, last]) {
        statuses.push((await other.send(getEntity, { params: { id: place?.id } })).status)
      }
      // The first request may precede the deletion and the last may follow it.
      expect(['200 200', '200 404', '404 404']).toContain(statuses.join(' '))
    }
    await deleting
    expect(seen).toEqual(new Set([count, 0]))
    await expectCorrectCounters(server)
    const { entityLogs } = await other.call(listEntityLogs, { query: { limit: 100, actionType: 'DELETE' } })
    expect(new Set(entityLogs.map(entry => entry.CHANGE_ID)).size).toBe(1)
  })

  it('an interrupted deletion of a large manifest is continued by another server and is not visible', async () => {
    const manifest = await large('Halfway')
    const organisation = await organisationId(server, 'ACME')
    const db = server.context.store.of(organisation)
    const left = async () => {
      const row = await db
        .selectFrom('entity')
        .select(query => query.fn.countAll<number>().as('count'))
        .where('organisation_id', '=', organisation)
        .where('manifest_id', '=', manifest.id)
        .executeTakeFirstOrThrow()
      return Number(row.count)
    }
    const unseen = () =>
      db.selectFrom('unseen_manifest').selectAll().where('organisation_id', '=', organisation).execute()
    const hidden = async () => (await unseen()).length
    const answer = designer.send(deleteManifest, { params: { id: manifest.id } })
    while ((await hidden()) === 0) await wait(0)
    // Simulates a crash: another holder has the job.
    const { numUpdatedRows } = await server.context.store.shared
      .updateTable('job')
      .set({ holder: 'gone', lease_until: 0 })
      .where('kind', '=', 'delete')
      .where('state', '=', 'running')
      .executeTakeFirstOrThrow()
    expect(numUpdatedRows).toBe(1n)
    expect((await answer).status).toBe(503)
    expect(await left()).toBeGreaterThan(0)
    expect(await remaining('Halfway')).toBe(0)
    await recoverJobs(server.context)
    expect(await left()).toBe(0)
    await expectCorrectCounters(server)
    const logs = await other.call(listEntityLogs, { query: { limit: 1, actionType: 'DELETE' } })
    expect(logs.totalElements).toBeGreaterThanOrEqual(count)
    expect(await unseen()).toEqual([])
  })
})
