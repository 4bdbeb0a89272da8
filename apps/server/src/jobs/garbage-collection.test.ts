import { newEntityContent } from '@cadmus/model/entity'
import { contentColumns } from '../store/entity.ts'
import { createEntity, deleteEntity, getEntity, searchAttributes } from '@cadmus/model/contract/entity'
import { restoreManifestLog } from '@cadmus/model/contract/audit'
import { changeDiagramView, createDiagramView, listDiagramViews } from '@cadmus/model/contract/diagram'
import { addManifestVersion, createManifest, deleteManifest, listManifestLogs } from '@cadmus/model/contract/manifest'
import { newUid } from '@cadmus/model/uid'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { hashOf, putContent } from '../store/content.ts'
import { insertImportedEntities, removeImport } from '../store/import-run.ts'
import { insertJob } from '../store/job.ts'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import { collectGarbage } from './job-recovery.ts'

describeOnBothStores('Garbage collection of contents', store => {
  let console: TestConsole
  let designer: ConsoleClient
  let organisationId: number
  beforeAll(async () => {
    console = await startConsole({ store })
    designer = await console.as('designer')
    const { id } = await console.context.store.shared
      .selectFrom('organisation')
      .select('id')
      .where('code', '=', 'ACME')
      .executeTakeFirstOrThrow()
    organisationId = id
  })
  afterAll(() => console.stop())

  async function hashes(): Promise<string[]> {
    const db = console.context.store.of(organisationId)
    const rows = await db.selectFrom('content').select('hash').where('organisation_id', '=', organisationId).execute()
    return rows.map(row => row.hash).toSorted()
  }

  it('removes unreferenced contents in its second pass, and nothing else', async () => {
    const body = { entity: { name: 'Kept', description: 'stays' } }
    const { entity } = await designer.call(createEntity, { body })
    const { manifest } = await designer.call(createManifest, {
      body: { manifestName: 'Versioned', entities: [entity.id] },
    })
    await designer.call(addManifestVersion, { params: { id: manifest.id }, query: { version: '2.0.0' } })
    await collectGarbage(console.context, 0)
    const before = await hashes()
    const db = console.context.store.of(organisationId)
    const orphan = await putContent(db, organisationId, '{"nobody":"refers to this"}')
    await collectGarbage(console.context)
    expect(await hashes()).toContain(orphan)
    await collectGarbage(console.context)
    expect(await hashes()).toContain(orphan)
    expect(await collectGarbage(console.context, 0)).toBe(1)
    expect(await hashes()).toEqual(before)
    expect((await designer.call(getEntity, { params: { id: entity.id } })).entity.description).toBe('stays')
  })

  it('a deleted manifest returns with its shared diagrams, present ones and those of its versions', async () => {
    const { manifest } = await designer.call(createManifest, { body: { manifestName: 'Returning' } })
    const params = { id: manifest.id }
    const placements = { card: { x: 1, y: 2, hidden: false } }
    const body = { operationId: newUid(), name: 'Overview', shared: true, placements }
    const { view } = await designer.call(createDiagramView, { params, body })
    await designer.call(createDiagramView, { params, body: { operationId: newUid(), name: 'Mine', shared: false } })
    await designer.call(addManifestVersion, { params, query: { version: '2.0.0' } })
    const moved = { card: { x: 8, y: 9, hidden: true } }
    const change = { operationId: newUid(), base: 1, changes: moved, name: 'Renamed', detail: 'keys' as const }
    await designer.call(changeDiagramView, { params: { ...params, uid: view.uid }, body: change })
    await designer.call(deleteManifest, { params })
    await collectGarbage(console.context, 0)
    await collectGarbage(console.context, 0)
    const { manifestLogs } = await designer.call(listManifestLogs, { query: { target: manifest.id } })
    const deletion = manifestLogs.find(({ ACTION_TYPE: action }) => action === 'DELETE')
    await designer.call(restoreManifestLog, { params: { id: deletion?.ID ?? 0 }, body: {} })
    const { open } = await designer.call(listDiagramViews, { params, query: { version: '1.0.0' } })
    expect(open?.placements).toEqual(placements)
    const now = await designer.call(listDiagramViews, { params })
    const restored = { uid: view.uid, name: 'Renamed', shared: true, detail: 'keys', revision: 2 }
    expect(now).toEqual({ views: [restored], open: { ...restored, placements: moved } })
  })

  it('garbage collection keeps a content stored again between the passes', async () => {
    const db = console.context.store.of(organisationId)
    const hash = await putContent(db, organisationId, '{"soon":"needed"}')
    await collectGarbage(console.context)
    await putContent(db, organisationId, '{"soon":"needed"}')
    expect(await collectGarbage(console.context, 0)).toBe(0)
    expect(await hashes()).toContain(hash)
  })

  it('a failed import removes its contents except those that others have stored too', async () => {
    const { store: opened } = console.context
    const db = opened.of(organisationId)
    const [importId = 0, first = 0, second = 0] = await opened.ids.take(3)
    const job = { id: importId, holder: 'this test' }
    const place = { organisationId, kind: 'import' as const, key: String(importId) }
    await insertJob(opened, { ...place, ...job, userId: '', state: 'running' })
    const before = await hashes()
    const shared = await putContent(db, organisationId, '{"was":"there"}')
    const prepared = (id: number, body: string, hash: string) => ({
      id,
      uid: `uid-${id}`,
      name: `Half${id}`,
      path: `user-defined/Half${id}`,
      corpusPath: null,
      manifestId: 0,
      row: contentColumns(newEntityContent({ name: `Half${id}` }), `user-defined/Half${id}`),
      resolved: 1 as const,
      body,
      hash,
      references: [],
      columns: [],
      parts: [],
      open: [],
    })
    const entities = [prepared(first, '{"was":"there"}', shared), prepared(second, '{"new":1}', 'hash-of-new')]
    const adopted = prepared(importId, '{"adopted":1}', hashOf('{"adopted":1}'))
    const actor = { userId: '', userName: '', userEmail: '' }
    const loose = { importId, clock: opened.clock }
    await db
      .transaction()
      .execute(tx => insertImportedEntities(tx, organisationId, loose, { entities: [...entities, adopted], actor }))
    expect(await hashes()).toHaveLength(before.length + 3)
    await putContent(db, organisationId, '{"adopted":1}')
    await removeImport(opened, organisationId, job)
    expect(await hashes()).toEqual([...before, shared, adopted.hash].toSorted())
  })

  it('removes unused attribute names and keeps others', async () => {
    const names = async () => {
      const db = console.context.store.of(organisationId)
      const rows = await db
        .selectFrom('attribute_name')
        .select('name')
        .where('organisation_id', '=', organisationId)
        .where('name', 'like', 'zz%')
        .execute()
      return rows.map(({ name }) => name).toSorted()
    }
    const withAttributes = (name: string, attributes: readonly string[]) =>
      designer.call(createEntity, {
        body: { entity: { name, typeAttributes: attributes.map(attribute => ({ name: attribute })) } },
      })
    const many = Array.from({ length: 1_200 }, (_, at) => `zzGone${at}`)
    const { entity } = await withAttributes('Gone', [...many, 'zzShared'])
    await withAttributes('Stays', ['zzShared', 'zzOwn'])
    expect(await names()).toHaveLength(1_202)
    await designer.call(deleteEntity, { params: { id: entity.id }, query: {} })
    await collectGarbage(console.context)
    expect(await names()).toEqual(['zzOwn', 'zzShared'])
  })

  it('garbage collection keeps an attribute name that is being stored concurrently', async () => {
    const create = (name: string) =>
      designer.call(createEntity, { body: { entity: { name, typeAttributes: [{ name: 'zzBusy' }] } } })
    const result: number[] = []
    for (let round = 0; round < 8; round++) {
      const { entity } = await create(`Busy${round}a`)
      await designer.call(deleteEntity, { params: { id: entity.id }, query: {} })
      await Promise.all([create(`Busy${round}`), collectGarbage(console.context), create(`Busy${round}b`)])
      const { attributes } = await designer.call(searchAttributes, { query: { search: 'zzBusy' } })
      result.push(attributes.length)
      for (const { entity: busy } of attributes) {
        await designer.call(deleteEntity, { params: { id: busy.id }, query: {} })
      }
    }
    expect(result).toEqual(Array(8).fill(2))
  })
})
