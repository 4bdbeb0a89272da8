import { readStored } from '@cadmus/model/stored/stored-form'
import {
  addEntityVersion,
  addRelationship,
  createEntity,
  deleteEntity,
  deleteEntityVersion,
  getEntity,
  listEntityLogs,
  updateEntity,
} from '@cadmus/model/contract/entity'
import {
  addEntitiesToManifest,
  addManifestVersion,
  addSubManifests,
  createManifest,
  createManifestByWizard,
  deleteManifest,
  deleteManifestVersion,
  getManifestConfiguration,
  listManifestLogs,
  removeEntityFromManifest,
  removeSubManifest,
  saveManifestConfiguration,
  updateManifest,
} from '@cadmus/model/contract/manifest'
import { readConfiguration } from '@cadmus/model/configuration'
import { noScopes } from '@cadmus/model/entity'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { contentByHash } from '../store/content.ts'
import { restorationForm } from '../store/audit.ts'
import type { Tables } from '../store/tables.ts'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import { addPredefined, aRelationship, organisationId, saveBody } from '../testing/entities.ts'
import { allRows, formerRows, type RowsOf } from '../testing/former-state.ts'

type Entry = Tables['audit_entry']

describeOnBothStores.whenProving('Audit entries restore the state before a change', store => {
  let server: TestConsole
  let designer: ConsoleClient
  let admin: ConsoleClient
  let organisation: number
  beforeAll(async () => {
    server = await startConsole({ store })
    designer = await server.as('designer')
    admin = await server.as('admin', 'ACME')
    organisation = await organisationId(server)
  })
  afterAll(() => server.stop())

  const db = () => server.context.store.of(organisation)
  let count = 0
  const fresh = (name: string) => `${name}${++count}`

  /** Makes a change and checks each of its entries against the rows before it. Returns the entries. */
  async function restorable<T>(change: () => Promise<T>): Promise<{ entries: Entry[]; result: T }> {
    const last = await newest()
    const before = await allRows(db(), organisation)
    const result = await change()
    const after = await allRows(db(), organisation)
    const entries = await db()
      .selectFrom('audit_entry')
      .selectAll()
      .where('organisation_id', '=', organisation)
      .where('sequence', '>', last)
      .orderBy('sequence')
      .execute()
    expect(entries.length).toBeGreaterThan(0)
    expect(new Set(entries.map(entry => entry.change_id)).size).toBe(1)
    for (const entry of entries) {
      const key = `${entry.kind} ${entry.target_id}`
      const former = await formerRows(db(), organisation, after.get(key) ?? nothing, entry)
      expect(former, `${key} ${entry.description}`).toEqual(before.get(key) ?? nothing)
    }
    return { entries, result }
  }

  const nothing: RowsOf = {
    row: null,
    versions: [],
    ownScopes: null,
    members: [],
    subManifests: [],
    references: [],
  }

  async function newest(): Promise<number> {
    const { last } = await db()
      .selectFrom('audit_entry')
      .select(query => query.fn.max<number | null>('sequence').as('last'))
      .where('organisation_id', '=', organisation)
      .executeTakeFirstOrThrow()
    return last ?? 0
  }

  async function anEntity(name = fresh('Thing'), targetManifestId = -1) {
    return (await designer.call(createEntity, { body: { entity: { name }, targetManifestId } })).entity
  }

  async function aManifest(request: { exclusiveEntities?: string[]; subManifests?: number[] } = {}) {
    return (await designer.call(createManifest, { body: { manifestName: fresh('List'), ...request } })).manifest
  }

  async function save(id: number, changes: Parameters<typeof saveBody>[1]) {
    const { answer, etag } = await designer.callWithTag(getEntity, { params: { id } })
    await designer.call(updateEntity, { params: { id }, body: saveBody(answer.entity, changes), ifMatch: etag })
  }

  it('audits a new entity, alone and in a manifest', async () => {
    await restorable(() => anEntity())
    const { id } = await aManifest()
    const { entries } = await restorable(() => anEntity('Member', id))
    expect(entries.map(entry => [entry.kind, entry.action_type])).toEqual([
      ['ENTITY', 'CREATE'],
      ['MANIFEST', 'UPDATE'],
    ])
  })

  it('audits a changed content and name of an entity; referring entities are not written', async () => {
    const target = await anEntity()
    const referrer = await anEntity()
    await restorable(() =>
      designer.call(addRelationship, {
        params: { id: referrer.id },
        body: aRelationship(target, 'targetId'),
        ifMatch: '*',
      }),
    )
    await restorable(() => save(target.id, { description: 'Other words.' }))
    const { entries: renamed } = await restorable(() => save(target.id, { name: fresh('Renamed') }))
    expect(renamed[0]?.restoration).toContain(target.path)
    const [key] = target.typeAttributes
    const { entries } = await restorable(() =>
      save(target.id, {
        typeAttributes: [{ uid: key!.uid, name: 'key', dataType: 'integer', purpose: 'identifiedBy' }],
      }),
    )
    // Referring entities refer to it by uid, so they are not written.
    expect(entries.map(entry => entry.target_id)).toEqual([target.id])
  })

  it('audits versions of an entity: added, scopes changed, deleted', async () => {
    const { id } = await anEntity()
    const { entries } = await restorable(() =>
      designer.call(addEntityVersion, { params: { id }, query: { version: '1.1.0' } }),
    )
    expect(entries[0]).toMatchObject({ version: '1.1.0', content_kind: 'entity' })
    await restorable(async () => {
      const { answer, etag } = await designer.callWithTag(getEntity, { params: { id }, query: { version: '1.0.0' } })
      const operationScopes = { ...noScopes, selectOperationScopes: ['read'] }
      await designer.call(updateEntity, {
        params: { id },
        body: saveBody(answer.entity, { operationScopes }),
        ifMatch: etag,
      })
    })
    await restorable(() => designer.call(deleteEntityVersion, { params: { id }, query: { version: '1.0.0' } }))
  })

  it("audits an organisation's own scopes of a predefined entity, first and changed", async () => {
    const id = await addPredefined(server, { name: fresh('Shared') })
    for (const scope of ['read', 'write']) {
      const { entries } = await restorable(() =>
        save(id, { operationScopes: { ...noScopes, selectOperationScopes: [scope] } }),
      )
      expect(entries[0]?.content_kind).toBe('scopes')
    }
  })

  it('audits members: copied, listed in place, removed', async () => {
    const entity = await anEntity()
    const manifest = await aManifest({ exclusiveEntities: ['First', 'Second'] })
    const add = (type: 'EXCLUSIVE' | 'TEMPLATE', entityIds: number[]) =>
      admin.call(addEntitiesToManifest, { params: { id: manifest.id }, body: { entityIds, type } })
    const { result } = await restorable(() => add('EXCLUSIVE', [entity.id]))
    const other = await anEntity()
    await restorable(() => add('TEMPLATE', [other.id]))
    const remove = (entityId: number) =>
      designer.call(removeEntityFromManifest, { params: { id: manifest.id, entityId } })
    await restorable(() => remove(other.id))
    const { entries } = await restorable(() => remove(result.entities[0]!.id))
    expect(entries.map(entry => [entry.kind, entry.action_type]).toSorted()).toEqual([
      ['ENTITY', 'DELETE'],
      ['MANIFEST', 'UPDATE'],
    ])
  })

  it('audits sub-manifests: added, removed', async () => {
    const [manifest, first, second] = [await aManifest(), await aManifest(), await aManifest()]
    const submanifests = [first.id, second.id]
    await restorable(() => designer.call(addSubManifests, { params: { id: manifest.id }, body: { submanifests } }))
    const remove = () => designer.call(removeSubManifest, { params: { id: manifest.id, subId: first.id } })
    const { entries } = await restorable(remove)
    expect(entries.map(entry => entry.target_id)).toEqual([manifest.id])
  })

  it('audits a renamed manifest with the paths of its own entities', async () => {
    const { id, entityPaths } = await aManifest({ exclusiveEntities: ['Owned'] })
    const request = { params: { id }, body: { manifestName: fresh('Renamed') }, ifMatch: '*' }
    const { entries } = await restorable(() => designer.call(updateManifest, request))
    expect(entries).toHaveLength(1)
    const back = readStored(restorationForm, JSON.parse(entries[0]?.restoration ?? '')).manifest
    const row = (await allRows(db(), organisation)).get(`ENTITY ${entityPaths[0]?.id}`)?.row
    expect(String(row?.path).replace(entries[0]!.path, String(back?.path))).toBe(entityPaths[0]?.path)
  })

  it('audits versions of a manifest: added, deleted', async () => {
    const { id } = await aManifest({ exclusiveEntities: ['Kept'] })
    await restorable(() => designer.call(addManifestVersion, { params: { id }, query: { version: '2.0.0' } }))
    const { entries } = await restorable(() =>
      designer.call(deleteManifestVersion, { params: { id }, query: { version: '1.0.0' } }),
    )
    expect(entries[0]?.version).toBe('1.0.0')
  })

  it('audits a configuration with secrets, which no answer contains', async () => {
    const { id } = await aManifest()
    const configure = async (password: string) => {
      const { answer, etag } = await designer.callWithTag(getManifestConfiguration, { params: { id } })
      const body = readConfiguration(answer.manifestProperties)
      body.packageProperties.connectionPoolInfo.password = password
      await designer.call(saveManifestConfiguration, { params: { id }, body, ifMatch: etag })
    }
    await restorable(() => configure('first secret'))
    const { entries } = await restorable(() => configure('second secret'))
    const [entry] = entries
    expect(entry?.content_kind).toBe('configuration')
    const former = await formerRows(
      db(),
      organisation,
      (await allRows(db(), organisation)).get(`MANIFEST ${id}`) ?? nothing,
      entry!,
    )
    const sealed = await contentByHash(db(), organisation, String(former.row?.configuration_hash))
    const { password } = readConfiguration(JSON.parse(sealed ?? '')).packageProperties.connectionPoolInfo
    expect(server.context.secrets.decrypt(password)).toBe('first secret')
    const logs = JSON.stringify(await designer.call(listManifestLogs, { query: { limit: 1000 } }))
    expect(logs).not.toContain(password)
    expect(logs).not.toContain(former.row?.configuration_hash)
  })

  it('audits a deleted entity: content, owner, positions, versions and places in manifests', async () => {
    const manifest = await aManifest({ exclusiveEntities: ['Before', 'Gone', 'After'] })
    const other = await aManifest()
    const deleted = manifest.entityPaths.find(({ name }) => name === 'Gone')!
    await designer.call(addEntityVersion, { params: { id: deleted.id }, query: { version: '1.1.0' } })
    await admin.call(addEntitiesToManifest, {
      params: { id: other.id },
      body: { entityIds: [deleted.id], type: 'TEMPLATE' },
    })
    const referrer = await anEntity()
    const body = aRelationship(deleted, 'goneId')
    await designer.call(addRelationship, { params: { id: referrer.id }, body, ifMatch: '*' })
    const params = { id: deleted.id }
    const { entries } = await restorable(() => designer.call(deleteEntity, { params, query: { onReferences: 'keep' } }))
    expect(entries.map(entry => entry.kind).toSorted()).toEqual(['ENTITY', 'ENTITY', 'MANIFEST', 'MANIFEST'])
  })

  it('audits a deleted manifest with its entities, versions, configuration and places in parents', async () => {
    const sub = await aManifest({ exclusiveEntities: ['Below'] })
    const manifest = await aManifest({ exclusiveEntities: ['One', 'Two'], subManifests: [sub.id] })
    await aManifest({ subManifests: [manifest.id] })
    await designer.call(addManifestVersion, { params: { id: manifest.id }, query: { version: '1.0.1' } })
    const { entries } = await restorable(() => designer.call(deleteManifest, { params: { id: manifest.id } }))
    expect(entries.map(entry => `${entry.kind} ${entry.action_type}`).toSorted()).toEqual([
      'ENTITY DELETE',
      'ENTITY DELETE',
      'MANIFEST DELETE',
      'MANIFEST UPDATE',
    ])
  })

  it('audits a deleted manifest of many entities, which are removed in slices', async () => {
    const names = Array.from({ length: 60 }, (_none, index) => `Leaving${index}`)
    const manifest = await aManifest({ exclusiveEntities: names })
    const { entries } = await restorable(() => designer.call(deleteManifest, { params: { id: manifest.id } }))
    expect(entries).toHaveLength(61)
    expect(new Set(entries.map(entry => entry.change_id)).size).toBe(1)
  })

  it('audits a manifest from the wizard, a duplicate, and one of many entities written in slices', async () => {
    const names = Array.from({ length: 50 }, (_none, index) => `Many${index}`)
    const { result } = await restorable(() =>
      designer.call(createManifestByWizard, {
        body: { manifestName: fresh('Wizard'), exclusiveEntities: names },
      }),
    )
    const { entries } = await restorable(() =>
      designer.call(createManifestByWizard, {
        body: { manifestName: fresh('Twin'), duplicateManifest: result.manifest.id },
      }),
    )
    expect(entries).toHaveLength(51)
  })

  it('entries of one change share an id, and state version and kind', async () => {
    const { id } = await aManifest()
    await anEntity('Told', id)
    const [entity] = (await designer.call(listEntityLogs, { query: { limit: 1 } })).entityLogs
    const [manifest] = (await designer.call(listManifestLogs, { query: { limit: 1 } })).manifestLogs
    expect(entity).toMatchObject({ ENTITY_NAME: 'Told', VERSION: '1.0.0', CONTENT_KIND: 'entity' })
    expect(manifest).toMatchObject({ CHANGE_ID: entity?.CHANGE_ID, CONTENT_KIND: 'manifest' })
    expect(manifest).not.toHaveProperty('restoration')
  })
})
