import { afterAll, beforeAll, expect, it } from 'vitest'
import { createManifest } from '@cadmus/model/contract/manifest'
import { exportManifest, previewExport, validateManifest } from '@cadmus/model/contract/manifest-transfer'
import { Workers } from '../jobs/workers.ts'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import { organisationId } from '../testing/entities.ts'
import { expectRejection } from '../testing/rejections.ts'

const megabyte = 1024 * 1024

describeOnBothStores.whenProving("A model that exceeds a worker's memory limit", store => {
  let server: TestConsole
  let designer: ConsoleClient
  beforeAll(async () => {
    server = await startConsole({ store })
    designer = await server.as('designer')
  })
  afterAll(() => server.stop())

  /** Creates entities with identical content, which is stored once but held in memory for each. */
  async function made(manifestName: string, count: number, bytes: number): Promise<number> {
    const exclusiveEntities = Array.from({ length: count }, (_none, index) => `${manifestName}${index}`)
    const { manifest } = await designer.call(createManifest, { body: { manifestName, exclusiveEntities } })
    const [first = -1, ...others] = manifest.entityPaths.map(({ id }) => id)
    const organisation = await organisationId(server)
    const db = server.context.store.of(organisation)
    const { content_hash } = await db
      .selectFrom('entity')
      .select('content_hash')
      .where('organisation_id', '=', organisation)
      .where('id', '=', first)
      .executeTakeFirstOrThrow()
    const stored = db.selectFrom('content').select('body').where('organisation_id', '=', organisation)
    const { body } = await stored.where('hash', '=', content_hash).executeTakeFirstOrThrow()
    const large = { ...JSON.parse(body), description: 'x'.repeat(bytes) }
    await db
      .updateTable('content')
      .set({ body: JSON.stringify(large) })
      .where('organisation_id', '=', organisation)
      .where('hash', '=', content_hash)
      .execute()
    await db
      .updateTable('entity')
      .set({ content_hash })
      .where('organisation_id', '=', organisation)
      .where('id', 'in', others)
      .execute()
    return manifest.id
  }

  it("a model that exceeds a worker's memory limit is rejected with its size and the limit, before reading", async () => {
    const id = await made('Vast', 14, 10 * megabyte)
    const sentence =
      'This model is too large to validate or export: its 14 entities have 141 MB, the limit is 128 MB. Split it into several manifests.'
    const body = { databaseType: 'postgresql' as const }
    for (const answer of [
      await designer.send(validateManifest, { params: { id } }),
      await designer.send(exportManifest, { params: { id }, body }),
      await designer.send(previewExport, { params: { id }, body }),
    ]) {
      expect(await expectRejection(answer)).toMatchObject({ status: 400, code: 'too_large', message: sentence })
    }
  })

  it("a model that exceeds a worker's memory limit is distinguished from one within the limit, which is answered, also from the cache", async () => {
    const id = await made('Fair', 10, 2 * megabyte)
    expect((await designer.send(validateManifest, { params: { id } })).status).toBe(200)
    expect((await designer.send(validateManifest, { params: { id } })).status).toBe(200)
  })

  it('closing workers ignore the deletion of a manifest', async () => {
    const body = { manifestName: 'Short', exclusiveEntities: ['ShortOne'] }
    const { manifest } = await designer.call(createManifest, { body })
    const place = { organisationId: await organisationId(server), manifestId: manifest.id }
    const requested = { ...place, databaseTypes: [], encoding: 'identity' as const }
    const { store: settings, jobs } = server.context.config
    const workers = new Workers(settings, jobs)
    await workers.check('validate', requested)
    // The busy worker would get the message later.
    const busy = Promise.allSettled([workers.check('validate', requested), workers.check('validate', requested)])
    const reported = Promise.allSettled([workers.forget(place)])
    await workers.close()
    expect(await reported).toEqual([{ status: 'fulfilled', value: undefined }])
    await busy
  })
})
