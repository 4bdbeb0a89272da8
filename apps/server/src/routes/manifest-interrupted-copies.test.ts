import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { listEntities } from '@cadmus/model/contract/entity'
import {
  addEntitiesToManifest,
  createManifest,
  createManifestByWizard,
  listManifests,
} from '@cadmus/model/contract/manifest'
import { recoverJobs } from '../jobs/job-recovery.ts'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import { expectCorrectCounters } from '../testing/counters.ts'
import { organisationId } from '../testing/entities.ts'
import { expectUnchanged, rowCounts } from '../testing/rejections.ts'

/** Enough parts that a job is taken over before its last one, on a busy machine, too. */
const count = 450

describeOnBothStores('An interrupted copy of many entities', store => {
  let server: TestConsole
  let designer: ConsoleClient
  let original: { id: number; entityPaths: readonly { id: number }[] }
  beforeAll(async () => {
    server = await startConsole({ store })
    designer = await server.as('designer')
    const exclusiveEntities = Array.from({ length: count }, (_none, index) => `Original${index}`)
    const body = { manifestName: 'Originals', exclusiveEntities }
    original = (await designer.call(createManifest, { body })).manifest
  })
  afterAll(() => server.stop())

  const shown = async () => {
    const { totalElements: entities } = await designer.call(listEntities, { query: { limit: 1 } })
    const { totalElements: manifests } = await designer.call(listManifests, { query: { limit: 1 } })
    return { entities, manifests }
  }

  /** Takes the job over once it has stored something, as after a long silence. */
  async function cutOff(): Promise<number> {
    const { store: db } = server.context
    const id = await organisationId(server)
    for (;;) {
      const half = await db
        .of(id)
        .selectFrom('entity')
        .select('import_id')
        .where('organisation_id', '=', id)
        .where('import_id', '>', 0)
        .executeTakeFirst()
      if (half) {
        const lost = { holder: 'nobody', lease_until: 0 }
        await db.shared.updateTable('job').set(lost).where('id', '=', half.import_id).execute()
        return half.import_id
      }
      await wait(1)
    }
  }

  /** All rows except job rows and attribute names, which are garbage-collected. */
  const rows = async () => {
    const { job: _jobs, tally: _sums, ...rest } = await rowCounts(server)
    return rest
  }

  async function expectNothingOf(work: () => Promise<Response>): Promise<void> {
    const before = { rows: await rows(), shown: await shown() }
    const [answer] = await Promise.all([work(), cutOff()])
    expect(answer.status).toBeGreaterThanOrEqual(500)
    expect(await shown()).toEqual(before.shown)
    await recoverJobs(server.context)
    expect({ rows: await rows(), shown: await shown() }).toEqual(before)
    await expectCorrectCounters(server)
  }

  it('an interrupted duplicate is not visible and is removed by another server', async () => {
    await expectNothingOf(() =>
      designer.send(createManifestByWizard, { body: { manifestName: 'Twin', duplicateManifest: original.id } }),
    )
  })

  it('interrupted copies into another manifest are not visible and are removed', async () => {
    const { manifest } = await designer.call(createManifest, { body: { manifestName: 'Collected' } })
    const entityIds = original.entityPaths.map(({ id }) => id)
    await expectNothingOf(() =>
      designer.send(addEntitiesToManifest, { params: { id: manifest.id }, body: { entityIds } }),
    )
  })

  it('a copy of many entities that is rejected at its end stores nothing', async () => {
    const before = await rowCounts(server)
    const make = () =>
      designer.send(createManifestByWizard, { body: { manifestName: 'Contested', duplicateManifest: original.id } })
    const statuses = (await Promise.all([make(), make()])).map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([200, 400])
    const after = await rowCounts(server)
    expect((after['entity'] ?? 0) - (before['entity'] ?? 0)).toBe(count)
    expect((after['manifest'] ?? 0) - (before['manifest'] ?? 0)).toBe(1)
    expect((after['audit_entry'] ?? 0) - (before['audit_entry'] ?? 0)).toBe(count + 1)
    await expectUnchanged(server, after)
  })
})
