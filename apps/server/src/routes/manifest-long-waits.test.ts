import { isProving } from '@cadmus/testing/proof'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { addEntitiesToManifest, createManifest, deleteManifest } from '@cadmus/model/contract/manifest'
import type { JobRow } from '../store/job.ts'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import { organisationId } from '../testing/entities.ts'

describeOnBothStores.whenProving('Sliced work that waits for a write slot', store => {
  let server: TestConsole
  let designer: ConsoleClient
  let organisation: number
  beforeAll(async () => {
    server = await startConsole({ store })
    designer = await server.as('designer')
    organisation = await organisationId(server)
  })
  afterAll(() => server.stop())

  /**
   * Occupies all write slots of the organisation, as blocked changes would. Returns the function that releases them.
   */
  function takeTurns(): () => void {
    const ends: (() => void)[] = []
    let isOver = false
    for (let count = 0; count < 64; count++) {
      void server.context.store.writing.begin(organisation).then(end => (isOver ? end() : ends.push(end)))
    }
    return () => {
      isOver = true
      for (const end of ends) end()
    }
  }

  const job = (kind: JobRow['kind']) =>
    server.context.store.shared
      .selectFrom('job')
      .select(['state', 'lease_until'])
      .where('organisation_id', '=', organisation)
      .where('kind', '=', kind)
      .orderBy('sequence', 'desc')
      .executeTakeFirst()

  /** Asserts that the waiting job is renewed. */
  async function expectRenewed(kind: JobRow['kind']) {
    for (let renewals = 0, last = (await job(kind))?.lease_until; renewals < (isProving() ? 3 : 1);) {
      await wait(100)
      const row = await job(kind)
      expect(row?.state).toBe('running')
      if (row?.lease_until === last) continue
      last = row?.lease_until
      renewals++
    }
  }

  async function started(kind: JobRow['kind']) {
    while ((await job(kind))?.state !== 'running') await wait(0)
  }

  /** The number of stored invisible entities. */
  async function hidden(): Promise<number> {
    const rows = await server.context.store
      .of(organisation)
      .selectFrom('entity')
      .select('id')
      .where('organisation_id', '=', organisation)
      .where('import_id', '>', 0)
      .execute()
    return rows.length
  }

  const count = 120
  const created = { manifestName: 'Many', exclusiveEntities: Array.from({ length: count }, (_, at) => `Many${at}`) }

  it('sliced work that waits for a write slot keeps its lease and loses nothing', async () => {
    const { manifest: source } = await designer.call(createManifest, { body: created })
    const { manifest } = await designer.call(createManifest, { body: { manifestName: 'Copies' } })
    const entityIds = source.entityPaths.map(({ id }) => id)
    const endTurns = takeTurns()
    const copying = designer.send(addEntitiesToManifest, { params: { id: manifest.id }, body: { entityIds } })
    await started('insert')
    // Slices need no write slot; only the final step waits for one.
    while ((await hidden()) < count) await wait(10)
    await expectRenewed('insert')
    endTurns()
    expect([(await copying).status, (await job('insert'))?.state]).toEqual([200, 'done'])

    const deletion = designer.send(deleteManifest, { params: { id: manifest.id } })
    await started('delete')
    const endOthers = takeTurns()
    await expectRenewed('delete')
    endOthers()
    expect([(await deletion).status, (await job('delete'))?.state]).toEqual([200, 'done'])
  })
})
