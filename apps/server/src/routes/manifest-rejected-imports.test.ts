import { randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { writeArchive } from '@cadmus/formats/archive'
import { listEntities } from '@cadmus/model/contract/entity'
import { createManifest, listManifests } from '@cadmus/model/contract/manifest'
import { cancelImport, getImportProgress, importManifest } from '@cadmus/model/contract/manifest-transfer'
import { newEntityContent } from '@cadmus/model/entity'
import { holds } from '@cadmus/testing/holds'
import { recoverJobs } from '../jobs/job-recovery.ts'
import { contentColumns } from '../store/entity.ts'
import { insertImportedEntities } from '../store/import-run.ts'
import { insertJob } from '../store/job.ts'
import { countTopManifests } from '../store/manifest.ts'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import { organisationId } from '../testing/entities.ts'
import { rawZip } from '../testing/raw-zip.ts'
import { zipFolder } from '../testing/zip-folder.ts'

const clinic = zipFolder(resolve(import.meta.dirname, '../../../../journeys/data/clinic'))
const manifest = (extra: object = {}) =>
  JSON.stringify({ manifestName: 'odd', entities: [], subManifests: [], ...extra })
const root = 'odd.manifest.cdm.json'

describeOnBothStores.whenProving('Rejected imports', store => {
  let console: TestConsole
  let designer: ConsoleClient
  beforeAll(async () => {
    console = await startConsole({ store })
    designer = await console.as('designer')
  })
  afterAll(() => console.stop())

  async function refused(bytes: Uint8Array, name = 'file.zip') {
    const { status, answer } = await designer.refusal(importManifest, { files: { manifestFile: { name, bytes } } })
    return [status, answer.message]
  }

  /** Everything an import could leave: manifests, entities, rows of any kind. */
  async function state() {
    const query = { filter: 'PRIVATE' as const, limit: 1 }
    const manifests = (await designer.call(listManifests, { query })).totalElements
    const entities = (await designer.call(listEntities, { query })).totalElements
    const { shared } = console.context.store
    const code = { code: 'ACME' }
    const { id } = await shared
      .selectFrom('organisation')
      .select('id')
      .where('code', '=', code.code)
      .executeTakeFirstOrThrow()
    const db = console.context.store.of(id)
    const rows = await db.selectFrom('entity').select('id').where('organisation_id', '=', id).execute()
    const runs = await db
      .selectFrom('job')
      .select('id')
      .where('organisation_id', '=', id)
      .where('state', 'not in', ['done', 'failed', 'cancelled'])
      .execute()
    const contents = await db.selectFrom('content').select('hash').where('organisation_id', '=', id).execute()
    const counts = { rows: rows.length, runs: runs.length, contents: contents.length }
    return { organisationId: id, manifests, entities, ...counts }
  }

  it('broken zips, bombs, escaping paths and strange JSON get a clear message and leave nothing', async () => {
    const before = await state()
    const deep = `${'['.repeat(2000)}${']'.repeat(2000)}`
    const files: [string, Uint8Array, RegExp][] = [
      ['no zip', new TextEncoder().encode('hello'), /zip|archive/i],
      ['cut off', clinic.slice(0, clinic.length - 60), /archive|zip/i],
      ['climbing', rawZip('../../etc/passwd', Buffer.from('x')), /leads out of the folder/],
      ['bomb', rawZip(root, Buffer.alloc(300 * 1024 * 1024)), /compressed|large/i],
      ['empty', writeArchive(new Map()), /manifest|empty/i],
      ['not CDM', writeArchive(new Map([['a.json', '{"a":1}']])), /manifest/i],
      ['not JSON', writeArchive(new Map([[root, '{"manifestName": nope']])), /JSON/i],
      ['deep', writeArchive(new Map([[root, `{"manifestName":"odd","entities":${deep}}`]])), /nested|deep/i],
    ]
    for (const [what, bytes, words] of files) {
      const [status, message] = await refused(bytes)
      expect([what, status]).toEqual([what, 400])
      expect(message).toMatch(words)
    }
    expect(await state()).toEqual(before)
    expect((await designer.call(createManifest, { body: { manifestName: 'StillAlive' } })).manifest.name).toBe(
      'StillAlive',
    )
  })

  it(
    'a missing file, another kind of file and another kind of import are rejected',
    holds('M7.45', 'M7.44'),
    async () => {
      const missing = await designer.refusal(importManifest, { files: {} })
      expect([missing.status, missing.answer.message]).toEqual([400, 'The form has no file manifestFile.'])
      expect((await refused(clinic, 'clinic.json'))[0]).toBe(415)
      const files = { manifestFile: { name: 'clinic.zip', bytes: clinic } }
      const { status, answer } = await designer.refusal(importManifest, { files, fields: { importAs: 'POEM' } })
      expect([status, answer.errors?.[0]?.path]).toEqual([400, 'importAs'])
    },
  )

  /** A folder with one entity per name, each extending itself. */
  function folderOf(names: readonly string[]): Uint8Array {
    const documents = names.map((entityName, index): [string, string] => {
      const hasAttributes = [{ name: 'oddId', purpose: 'identifiedBy', dataType: 'string' }]
      return [
        `E${index}.cdm.json`,
        JSON.stringify({ definitions: [{ entityName, extendsEntity: entityName, hasAttributes }] }),
      ]
    })
    const entities = names.map((entityName, index) => ({ entityName, entityPath: `E${index}.cdm.json/${entityName}` }))
    return writeArchive(new Map([[root, manifest({ entities })], ...documents]))
  }

  it('SQL and emoji in names, and entities extending themselves, are imported as data', async () => {
    const names = ["Robert'); DROP TABLE entity;--", 'Smile😀', '"quoted"']
    const files = { manifestFile: { name: 'odd.zip', bytes: folderOf(names) } }
    const answer = await designer.call(importManifest, { files })
    expect(answer.manifest.entityPaths.map(item => item.name)).toEqual(names)
    expect(answer.report.filter(line => line.severity === 'error').length).toBeGreaterThan(0)
    expect((await designer.call(listManifests, { query: { search: 'shop' } })).manifests).not.toEqual([])
  })

  it("names of 10,000 characters are rejected with the file's name and leave nothing", async () => {
    const before = await state()
    const [long, message] = await refused(folderOf(['Fine', 'x'.repeat(10_000)]))
    expect(long).toBe(400)
    expect(message).toMatch(/^The name "x{117}…", in "\/E1\.cdm\.json\/x+…", is too long\.$/)
    expect(await state()).toEqual(before)
  })

  it('an import above the licence limit is rejected completely', holds('M3.59'), async () => {
    const before = await state()
    const { shared } = console.context.store
    const { licence_limits: licence } = await shared
      .selectFrom('organisation')
      .select('licence_limits')
      .where('code', '=', 'ACME')
      .executeTakeFirstOrThrow()
    const set = (licence_limits: string) =>
      shared.updateTable('organisation').set({ licence_limits }).where('code', '=', 'ACME').execute()
    const organisation = await organisationId(console)
    const present = await countTopManifests(console.context.store.of(organisation), organisation)
    await set(`mc=${present}`)
    const [status, message] = await refused(clinic)
    expect(status).toBe(403)
    // Sub-manifests are not counted, neither the demo's nor the folder's.
    expect(message).toMatch(
      new RegExp(`^Manifest limit of ${present} reached\\. There (is|are) ${present} now; 1 more was requested\\.$`),
    )
    await set(licence)
    expect(await state()).toEqual(before)
  })

  it('a cancelled import stores nothing and reports its cancellation', async () => {
    const before = await state()
    const key = randomUUID()
    const files = { manifestFile: { name: 'clinic.zip', bytes: clinic } }
    const running = designer.refusal(importManifest, { files, query: { key } })
    await expect
      .poll(async () => (await designer.send(cancelImport, { params: { key } })).status, { interval: 1 })
      .toBe(200)
    expect((await running).answer).toMatchObject({ code: 'cancelled', message: 'The import was cancelled.' })
    expect(await designer.call(getImportProgress, { params: { key } })).toMatchObject({ state: 'cancelled' })
    expect(await state()).toEqual(before)
  })

  it('partial results of a crash are invisible and removed by job recovery', async () => {
    const before = await state()
    const { store: opened, ids } = { store: console.context.store, ids: await console.context.store.ids.take(2) }
    const [importId = 0, entityId = 0] = ids
    const db = opened.of(before.organisationId)
    const job = { id: importId, holder: 'a server that is gone' }
    const place = { organisationId: before.organisationId, kind: 'import' as const, key: randomUUID() }
    await insertJob(opened, { ...place, ...job, userId: 'nobody', state: 'running' })
    const loose = { importId, clock: opened.clock }
    const entity = {
      id: entityId,
      uid: randomUUID(),
      name: 'Half',
      path: 'user-defined/Half',
      corpusPath: '/Half.cdm.json/Half',
      manifestId: 0,
      row: contentColumns(newEntityContent({ name: 'Half' }), 'user-defined/Half'),
      resolved: 1 as const,
      body: '{}',
      hash: `half${entityId}`,
      references: [],
      columns: [],
      parts: [],
      open: [],
    }
    const actor = { userId: 'nobody', userName: 'Nobody', userEmail: '' }
    await db
      .transaction()
      .execute(tx => insertImportedEntities(tx, before.organisationId, loose, { entities: [entity], actor }))
    expect(await state()).toEqual({ ...before, rows: before.rows + 1, contents: before.contents + 1, runs: 1 })
    expect(await recoverJobs(console.context)).toBe(0)
    await opened.shared.updateTable('job').set({ lease_until: 1 }).where('id', '=', importId).execute()
    expect(await recoverJobs(console.context)).toBe(1)
    expect(await state()).toEqual(before)
    const { key } = place
    const reported = await designer.call(getImportProgress, { params: { key } })
    expect([reported.state, reported.message]).toEqual(['failed', expect.stringContaining('Nothing was saved')])
  })
})
