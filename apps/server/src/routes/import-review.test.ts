import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { writeArchive } from '@cadmus/formats/archive'
import { getEntity } from '@cadmus/model/contract/entity'
import {
  checkReviewed,
  discardReview,
  importReviewed,
  listReviewedEntities,
  listReviewFindings,
  reviewImport,
} from '@cadmus/model/contract/import-review'
import { listManifestEntities, listManifests } from '@cadmus/model/contract/manifest'
import {
  cancelImport,
  downloadImportReport,
  exportManifest,
  importManifest,
} from '@cadmus/model/contract/manifest-transfer'
import { reviewLimits } from '@cadmus/model/import-review-limits'
import { reviewTexts } from '@cadmus/model/messages/import-review'
import { runMaintenance } from '../jobs/job-recovery.ts'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import { organisationId } from '../testing/entities.ts'

const shop = `CREATE TABLE customer (id int PRIMARY KEY, name varchar(80) NOT NULL UNIQUE, born date);
CREATE TABLE orders (id int PRIMARY KEY, customer_id int REFERENCES customer, note text, CHECK (id / 2 > customer_id));
CREATE INDEX order_note ON orders (lower(note));
CREATE VIEW v AS SELECT 1;
CREATE TABLE item (id int PRIMARY KEY, orders_id int REFERENCES orders, price numeric(9,2));
`

describeOnBothStores.whenProving('The review of an import', store => {
  let console: TestConsole
  let designer: ConsoleClient
  let other: ConsoleClient
  let admin: ConsoleClient
  beforeAll(async () => {
    console = await startConsole({ store })
    ;[designer, other, admin] = [
      await console.as('designer'),
      await console.as('admin', 'ACME'),
      await console.as('admin'),
    ]
  })
  afterAll(() => console.stop())

  const form = (script: string, name = 'bazaar.sql') => ({
    fields: { importAs: 'DATABASE_STRUCTURE' },
    files: { manifestFile: { name, bytes: Buffer.from(script) } },
  })
  const review = async (script = shop, client = designer) => (await client.call(reviewImport, form(script))).review
  const countManifests = async () =>
    (await designer.call(listManifests, { query: { filter: 'PRIVATE', limit: 1 } })).totalElements

  it('says what was read, thing by thing and entity by entity, and stores no manifest', async () => {
    const before = await countManifests()
    const { key, ...answer } = await review()
    expect(answer).toMatchObject({
      name: 'bazaar',
      files: 1,
      entities: 3,
      manifests: [{ name: 'bazaar', parent: null, entities: 3, attributes: 7, relationships: 2, keys: 3, uniques: 1 }],
      findings: { problems: 0, lost: 3, changed: 0 },
      ownFindings: 1,
    })
    for (const { read, imported, listed } of answer.things) expect(imported + listed).toBe(read)
    expect(answer.things).toContainEqual({ thing: 'check', read: 1, imported: 0, listed: 1 })
    const { entities, total } = await designer.call(listReviewedEntities, { params: { key } })
    expect([total, entities.map(({ name, lost }) => [name, lost])]).toEqual([
      3,
      [
        ['customer', 0],
        ['orders', 2],
        ['item', 0],
      ],
    ])
    const findings = async (entity?: number) =>
      (await designer.call(listReviewFindings, { params: { key }, query: { entity } })).findings.map(
        ({ message }) => message,
      )
    expect(await findings()).toEqual(["Line 4: Views are not imported: 'v'."])
    expect(await findings(1)).toEqual([
      "Line 2: The check (id / 2 > customer_id) of table 'orders' is ignored.",
      expect.stringContaining('Line 3: '),
    ])
    const second = { params: { key }, query: { entity: 1, offset: 1, limit: 1 } }
    expect((await designer.call(listReviewFindings, second)).findings).toHaveLength(1)
    expect(await countManifests()).toBe(before)
  })

  it('is imported as the direct import would be, once', async () => {
    const { key } = await review()
    const direct = await designer.call(importManifest, form(shop, 'direct.sql'))
    const imported = await designer.call(importReviewed, { params: { key }, body: {} })
    expect(imported.counts).toEqual(direct.counts)
    expect(imported.report).toEqual(
      direct.report.map(line => ({ ...line, path: line.path.replace('direct.sql', 'bazaar.sql') })),
    )
    const report = await designer.download(downloadImportReport, { params: { key: imported.key } })
    expect(report.bytes.length).toBeGreaterThan(0)
    const refusal = await designer.refusal(importReviewed, { params: { key }, body: {} })
    expect(refusal).toMatchObject({ status: 404, answer: { message: reviewTexts.ended } })
  })

  it('leaves out chosen entities, to which relationships wait, and says so', async () => {
    const { key } = await review()
    const { manifest, counts, report } = await designer.call(importReviewed, {
      params: { key },
      body: { leftOut: [0] },
    })
    expect(counts).toMatchObject({ entities: 2, relationships: 2 })
    const messages = report.map(({ message }) => message)
    expect(messages).toContain(reviewTexts.leftOut(1, 3, 0))
    expect(messages).toContain('It refers to "customer", which does not exist here.')
    const { entity } = await designer.call(listManifestEntities, { params: { id: manifest.id } })
    expect(entity.map(({ name }) => name)).toEqual(['orders', 'item'])
    const orders = await designer.call(getEntity, { params: { id: entity[0]?.id ?? 0 } })
    expect(orders.entity.entityAttributes).toMatchObject([
      { foreignKeyTypeAttribute: 'customer_id', associatedEntity: { id: -1, name: 'customer' } },
    ])
  })

  it('counts what exports would refuse without what is left out, as the import then reports it', async () => {
    const { key, findings } = await review()
    expect(findings.problems).toBe(0)
    const check = (leftOut: number[], manifestId?: number) =>
      designer.call(checkReviewed, { params: { key }, body: { leftOut, manifestId } })
    expect(await check([])).toEqual({ problems: [], total: 0 })
    expect(await check([2])).toEqual({ problems: [], total: 0 })
    const { problems, total } = await check([0])
    expect([total, problems.map(({ kind, message }) => [kind, message])]).toEqual([
      1,
      [['problem', 'customer_id refers to customer, which does not exist.']],
    ])
    expect((await designer.refusal(checkReviewed, { params: { key }, body: { leftOut: [0, 1, 2] } })).status).toBe(400)
    expect((await designer.refusal(checkReviewed, { params: { key }, body: { leftOut: [9] } })).status).toBe(400)
    const other = await review('CREATE TABLE customer (id int PRIMARY KEY);')
    const { manifest } = await designer.call(importReviewed, { params: { key: other.key }, body: {} })
    expect((await check([0], manifest.id)).total).toBe(0)
    const imported = await designer.call(importReviewed, { params: { key }, body: { leftOut: [0] } })
    expect(imported.report.filter(({ kind }) => kind === 'problem').map(({ message }) => message)).toEqual(
      problems.map(({ message }) => message),
    )
    const refusal = await designer.refusal(exportManifest, { params: { id: imported.manifest.id }, body: {} })
    expect(refusal.answer.code).toBe('invalid_manifest')
    expect(refusal.answer.message).toMatch(/^customer_id refers to .*customer, which does not exist\.$/)
  })

  it('names versions of a folder with several roots, as the import does', async () => {
    const manifest = (name: string) => JSON.stringify({ manifestName: name, entities: [], subManifests: [] })
    const bytes = writeArchive(new Map(['a', 'b'].map(name => [`${name}.manifest.cdm.json`, manifest(name)])))
    const files = { manifestFile: { name: 'x.zip', bytes } }
    expect((await designer.refusal(reviewImport, { files })).answer).toMatchObject({ code: 'several_roots' })
    expect((await designer.refusal(reviewImport, form('CREATE TABLE t ('))).status).toBe(400)
  })

  it('belongs to its user and organisation, and ends when it is discarded', async () => {
    const { key } = await review()
    const calls = [
      (client: ConsoleClient) => client.refusal(listReviewedEntities, { params: { key } }),
      (client: ConsoleClient) => client.refusal(listReviewFindings, { params: { key } }),
      (client: ConsoleClient) => client.refusal(importReviewed, { params: { key }, body: {} }),
      (client: ConsoleClient) => client.refusal(checkReviewed, { params: { key }, body: { leftOut: [0] } }),
      (client: ConsoleClient) => client.refusal(discardReview, { params: { key } }),
    ]
    for (const call of calls) for (const client of [other, admin]) expect((await call(client)).status).toBe(404)
    await designer.call(discardReview, { params: { key } })
    for (const call of calls) expect((await call(designer)).status).toBe(404)
    expect((await designer.refusal(cancelImport, { params: { key } })).status).toBe(404)
  })

  it('refuses decisions about unknown entities, and to leave out everything', async () => {
    const { key } = await review()
    const refused = async (leftOut: number[]) =>
      (await designer.refusal(importReviewed, { params: { key }, body: { leftOut } })).answer.message
    expect(await refused([0, 7])).toBe(reviewTexts.unknownEntity(7))
    expect(await refused([0, 1, 2, 2])).toBe(reviewTexts.nothingLeft)
    expect((await designer.refusal(importReviewed, { params: { key }, body: { leftOut: [-1] } })).status).toBe(400)
    expect((await designer.call(listReviewedEntities, { params: { key } })).total).toBe(3)
  })

  it('holds a few of a user, the oldest of which ends first, and for a time', async () => {
    const keys: string[] = []
    for (let i = 0; i <= reviewLimits.ofUser; i++) keys.push((await review()).key)
    const statuses = async () =>
      Promise.all(keys.map(async key => (await designer.send(listReviewedEntities, { params: { key } })).status))
    expect(await statuses()).toEqual([404, 200, 200, 200])
    const { store: open } = console.context
    await open.shared
      .updateTable('job')
      .set({ ended_at: 1 })
      .where('job_key', '=', keys[1] ?? '')
      .execute()
    expect(await statuses()).toEqual([404, 404, 200, 200])
    await runMaintenance(console.context)
    await open.shared
      .deleteFrom('job')
      .where('job_key', '=', keys[2] ?? '')
      .execute()
    await runMaintenance(console.context)
    expect(await statuses()).toEqual([404, 404, 404, 200])
  })

  it('that is cancelled while it waits keeps nothing', async () => {
    const { jobs, store: open } = console.context
    const id = await organisationId(console)
    const turn = Promise.withResolvers<void>()
    const place = { organisationId: id, kind: 'import' as const, key: randomUUID(), userId: '' }
    const before = jobs.run({ ...place, failed: '' }, () => turn.promise)
    const key = randomUUID()
    const cancelled = designer.refusal(reviewImport, { query: { key }, ...form(shop) })
    const cancel = async () => (await designer.send(cancelImport, { params: { key } })).status
    await expect.poll(cancel).toBe(200)
    expect((await cancelled).status).toBeGreaterThanOrEqual(400)
    turn.resolve()
    await before
    const held = open.of(id).selectFrom('import_review').select('job_id').where('organisation_id', '=', id)
    const job = await open.shared.selectFrom('job').select('id').where('job_key', '=', key).executeTakeFirst()
    expect(await held.where('job_id', '=', job?.id ?? 0).execute()).toEqual([])
    expect((await designer.refusal(listReviewedEntities, { params: { key } })).status).toBe(404)
  })
})
