import { resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { restoreEntityLog, restoreManifestLog } from '@cadmus/model/contract/audit'
import { configurationEdits, entityEdits, manifestEdits } from '@cadmus/model/contract/edits'
import { addEntityVersion, createEntity, deleteEntity, getEntity, listEntityLogs } from '@cadmus/model/contract/entity'
import {
  addEntitiesToManifest,
  createManifest,
  createManifestByWizard,
  deleteManifest,
  getManifest,
  getManifestConfiguration,
  listManifestLogs,
  removeEntityFromManifest,
} from '@cadmus/model/contract/manifest'
import { importManifest } from '@cadmus/model/contract/manifest-transfer'
import { editFormat } from '@cadmus/model/edits/edit-forms'
import type { EntityEdit } from '@cadmus/model/edits/entity-edits'
import { entityContentSchema } from '@cadmus/model/entity'
import { messages } from '@cadmus/model/messages'
import { auditTexts } from '@cadmus/model/messages/audit'
import { restoreTexts } from '@cadmus/model/messages/history'
import { limits } from '@cadmus/model/limits'
import { newUid } from '@cadmus/model/uid'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import { addManifest, aRelationship, organisationId } from '../testing/entities.ts'
import { zipFolder } from '../testing/zip-folder.ts'
import { clearPendingDeletion, hideEntities } from '../store/pending-deletion.ts'

const clinic = zipFolder(resolve(import.meta.dirname, '../../../../journeys/data/clinic'))

describeOnBothStores.whenProving('Restoring from the audit logs', store => {
  let server: TestConsole
  let designer: ConsoleClient
  let admin: ConsoleClient
  beforeAll(async () => {
    server = await startConsole({ store })
    designer = await server.as('designer')
    admin = await server.as('admin', 'ACME')
  })
  afterAll(() => server.stop())

  let count = 0
  const newName = () => `Restored${++count}`
  const created = async (entity: object = {}, targetManifestId = -1) => {
    const name = newName()
    const body = { entity: { name, ...entity }, targetManifestId }
    return { id: (await designer.call(createEntity, { body })).entity.id, name }
  }
  const createdManifest = async () => {
    const name = newName()
    return { id: (await designer.call(createManifest, { body: { manifestName: name } })).manifest.id, name }
  }
  const stateOf = async (id: number) => {
    const { answer, etag } = await designer.callWithTag(getEntity, { params: { id } })
    return { etag, entity: answer.entity, content: entityContentSchema.parse(JSON.parse(answer.entity.content)) }
  }
  const manifestOf = async (id: number) => (await designer.call(getManifest, { params: { id } })).manifest
  const save = async (id: number, edits: readonly EntityEdit[]) => {
    const body = { format: editFormat, operationId: newUid(), base: '*', edits: [...edits] }
    return designer.call(entityEdits.save, { params: { id }, body })
  }
  const describe = (description: string): EntityEdit => ({ kind: 'changeEntity', change: { description } })
  const entityLog = async (target: number, query: object = {}) =>
    (await designer.call(listEntityLogs, { query: { target, ...query } })).entityLogs
  const manifestLog = async (target: number) =>
    (await designer.call(listManifestLogs, { query: { target } })).manifestLogs
  const restore = async (id: number | undefined, body: object = {}, client = designer) =>
    client.call(restoreEntityLog, { params: { id: id ?? 0 }, body })
  const restoreManifest = async (id: number | undefined, body: object = {}, client = designer) =>
    client.call(restoreManifestLog, { params: { id: id ?? 0 }, body })
  const newestEntry = async (id: number) =>
    (await designer.call(entityEdits.list, { params: { id }, query: { before: 0, limit: 1 } })).entries[0]

  it('an earlier state of an entity returns as a new change with its cause, after a preview that stores nothing', async () => {
    const { id } = await created({ typeAttributes: [{ name: 'code' }] })
    const { entry } = await save(id, [describe('first')])
    const first = await stateOf(id)
    await save(id, [
      describe('second'),
      { kind: 'removeAttributes', uids: [first.content.typeAttributes[1]?.uid ?? ''] },
    ])
    const second = await stateOf(id)
    const preview = await restore(entry?.entryId, { dryRun: true })
    expect(await stateOf(id)).toEqual(second)
    const answer = await restore(entry?.entryId)
    const { edits, ...shown } = preview
    expect(answer).toEqual(shown)
    expect(answer.differences).toMatchObject([
      { field: 'description', before: 'second', after: 'first' },
      { change: 'added', path: 'typeAttributes.code' },
    ])
    expect(edits?.entity?.map(({ kind }) => kind)).toEqual(['changeEntity', 'addAttributes'])
    expect((await stateOf(id)).content).toEqual(first.content)
    expect(await newestEntry(id)).toMatchObject({ own: true, cause: { kind: 'restore', sequence: entry?.sequence } })
    expect((await restore(entry?.entryId)).differences).toEqual([])
  })

  it('a deleted entity returns with id, uid, versions, manifest, memberships and the references to it', async () => {
    const [home, other] = [await createdManifest(), await createdManifest()]
    const target = await created({ typeAttributes: [{ name: 'code' }] }, home.id)
    await designer.call(addEntityVersion, { params: { id: target.id }, query: { version: '2.0.0' } })
    const body = { entityIds: [target.id], type: 'TEMPLATE' as const }
    await admin.call(addEntitiesToManifest, { params: { id: other.id }, body })
    const referrer = await created({ entityAttributes: [aRelationship(target, 'targetId')] })
    const [before, referring] = [await stateOf(target.id), await stateOf(referrer.id)]
    await designer.call(deleteEntity, { params: { id: target.id }, query: { onReferences: 'remove' } })
    expect((await stateOf(referrer.id)).content.entityAttributes).toEqual([])

    const [deletion] = await entityLog(target.id, { actionType: 'DELETE' })
    const preview = await restore(deletion?.ID, { dryRun: true })
    expect((await designer.refusal(getEntity, { params: { id: target.id } })).status).toBe(404)
    const answer = await restore(deletion?.ID)
    expect(answer).toEqual(preview)
    expect(answer.missing).toEqual([])
    expect(answer.others).toHaveLength(2)
    const after = await stateOf(target.id)
    expect(after.content).toEqual(before.content)
    expect(after.entity).toMatchObject({ path: before.entity.path, versions: before.entity.versions })
    expect((await stateOf(referrer.id)).content).toEqual(referring.content)
    expect((await manifestOf(home.id)).entityPaths).toMatchObject([{ id: target.id }])
    expect((await manifestOf(other.id)).entityPaths).toMatchObject([{ id: target.id }])
    const [entry] = await entityLog(target.id)
    expect(entry).toMatchObject({ ACTION_TYPE: 'CREATE', DESCRIPTION: auditTexts.restored(target.name) })
    const again = await designer.refusal(restoreEntityLog, { params: { id: deletion?.ID ?? 0 }, body: {} })
    expect(again).toMatchObject({ status: 409, answer: { message: restoreTexts.exists(target.name) } })
  })

  it('what no longer fits is listed: manifest, name, changed references', async () => {
    const home = await createdManifest()
    const target = await created({ typeAttributes: [{ name: 'code' }] }, home.id)
    const referrer = await created({ entityAttributes: [aRelationship(target, 'targetId')] })
    await designer.call(deleteEntity, { params: { id: target.id }, query: { onReferences: 'keep' } })
    const kept = (await stateOf(referrer.id)).content.typeAttributes.find(({ name }) => name === 'targetId')
    await save(referrer.id, [
      { kind: 'changeAttributes', changes: [{ uid: kept?.uid ?? '', change: { description: 'now its own' } }] },
    ])
    await designer.call(deleteManifest, { params: { id: home.id } })
    await designer.call(createEntity, { body: { entity: { name: target.name } } })
    const [deletion] = await entityLog(target.id, { actionType: 'DELETE' })
    const { document, missing } = await restore(deletion?.ID)
    const now = `${target.name}_2`
    expect(document).toMatchObject({ id: target.id, name: now })
    expect(missing).toEqual([
      restoreTexts.manifestGone,
      restoreTexts.renamed(target.name, now),
      restoreTexts.changedSince(referrer.name),
    ])
  })

  it('a deleted manifest returns with its entities, their relationships, its configuration and its places', async () => {
    const [manifest, parent] = [await createdManifest(), await createdManifest()]
    const one = await created({}, manifest.id)
    const two = await created({ entityAttributes: [aRelationship(one, 'oneId')] }, manifest.id)
    const subtype = await created({ extendsEntity: { id: two.id } }, manifest.id)
    const entities = [one, two, subtype]
    const sub = (id: number) => ({
      params: { id },
      body: {
        format: editFormat,
        operationId: newUid(),
        base: '*',
        edits: [{ kind: 'addSubManifests' as const, added: [{ item: manifest.id, before: null }] }],
      },
    })
    await designer.call(manifestEdits.save, sub(parent.id))
    const path = ['packageProperties', 'connectionPoolInfo']
    const changes = [
      { path: [...path, 'username'], value: 'keeper' },
      { path: [...path, 'password'], value: 'hidden' },
    ]
    const edits = [{ kind: 'changeConfiguration' as const, changes }]
    const body = { format: editFormat, operationId: newUid(), base: '*', edits }
    await designer.call(configurationEdits.save, { params: { id: manifest.id }, body })
    const configurationOf = async () =>
      (await designer.call(getManifestConfiguration, { params: { id: manifest.id } })).manifestProperties
    const states = async () => Promise.all(entities.map(async ({ id }) => (await stateOf(id)).content))
    const before = [await states(), await configurationOf()]
    await designer.call(deleteManifest, { params: { id: manifest.id }, query: { onReferences: 'remove' } })

    const deletion = (await manifestLog(manifest.id)).find(({ ACTION_TYPE: action }) => action === 'DELETE')
    const answer = await restoreManifest(deletion?.ID)
    expect(answer.missing).toEqual([])
    expect(answer.document).toMatchObject({ kind: 'manifest', ...manifest })
    expect([await states(), await configurationOf()]).toEqual(before)
    expect((await manifestOf(manifest.id)).entityPaths.map(({ id }) => id)).toEqual(entities.map(({ id }) => id))
    expect((await manifestOf(parent.id)).subManifestPaths).toMatchObject([{ id: manifest.id }])
  })

  it('undo takes back one change of a manifest: later ones stay, and a removed entity returns', async () => {
    const manifest = await createdManifest()
    const entity = await created({}, manifest.id)
    const place = { id: manifest.id, entityId: entity.id }
    await designer.call(removeEntityFromManifest, { params: place })
    const newest = (await manifestLog(manifest.id))[0]
    const later = await created({}, manifest.id)
    const { missing } = await restoreManifest(newest?.ID, { kind: 'undo' })
    expect(missing).toEqual([])
    expect((await manifestOf(manifest.id)).entityPaths.map(({ id }) => id)).toEqual([later.id, entity.id])
    const log = await designer.call(manifestEdits.list, { params: { id: manifest.id }, query: { before: 0 } })
    expect(log.entries[0]?.cause).toMatchObject({ kind: 'undo' })
  })

  it('undo of added copies deletes them, except one that has been changed since', async () => {
    const [manifest, first, second] = [await createdManifest(), await created(), await created()]
    const body = { entityIds: [first.id, second.id], type: 'EXCLUSIVE' as const }
    const { entities } = await designer.call(addEntitiesToManifest, { params: { id: manifest.id }, body })
    const newest = (await manifestLog(manifest.id))[0]
    const later = await created({}, manifest.id)
    const [changed, unchanged] = entities
    await save(changed?.id ?? 0, [describe('changed since')])
    const { missing } = await restoreManifest(newest?.ID, { kind: 'undo' })
    expect(missing).toEqual([restoreTexts.changedAndStays(changed?.name ?? '')])
    expect((await manifestOf(manifest.id)).entityPaths.map(({ id }) => id)).toEqual([changed?.id, later.id])
    expect((await designer.refusal(getEntity, { params: { id: unchanged?.id ?? 0 } })).status).toBe(404)
    expect((await stateOf(first.id)).content.name).toBe(first.name)
  })

  it('undo of a creation or import deletes the entity, unless it has been changed or given a version since', async () => {
    const creationOf = async (id: number) => (await entityLog(id, { actionType: 'CREATE' }))[0]?.ID
    const one = await created()
    const answer = await restore(await creationOf(one.id), { kind: 'undo' })
    expect(answer.document).toMatchObject(one)
    expect((await designer.refusal(getEntity, { params: { id: one.id } })).status).toBe(404)
    const changed = await created()
    await save(changed.id, [describe('changed since')])
    const versioned = await created()
    await designer.call(addEntityVersion, { params: { id: versioned.id }, query: { version: '2.0.0' } })
    for (const { id, name } of [changed, versioned]) {
      const params = { id: (await creationOf(id)) ?? 0 }
      const refusal = await designer.refusal(restoreEntityLog, { params, body: { kind: 'undo' } })
      expect(refusal).toMatchObject({ status: 409, answer: { message: restoreTexts.changedAndStays(name) } })
    }
  })

  it('undo of an import deletes its manifests with their entities, and gives both back from the log', async () => {
    const imported = async () => {
      const { manifest } = await designer.call(importManifest, {
        files: { manifestFile: { name: 'clinic.zip', bytes: clinic } },
      })
      const parts = [manifest, ...(await Promise.all(manifest.subManifestPaths.map(({ id }) => manifestOf(id))))]
      const creation = (await manifestLog(manifest.id)).find(({ ACTION_TYPE: action }) => action === 'CREATE')
      return { id: manifest.id, parts, creation: creation?.ID }
    }
    const gone = async (id: number) => (await designer.refusal(getManifest, { params: { id } })).status
    const { id, parts, creation } = await imported()
    const { document, others, missing } = await restoreManifest(creation, { kind: 'undo' })
    expect([document.id, others.toSorted(), missing]).toEqual([
      id,
      ['billing', 'care'].map(name => auditTexts.manifestDeleted(name)),
      [],
    ])
    for (const part of parts) expect(await gone(part.id)).toBe(404)
    for (const part of parts) {
      for (const { id: entityId } of part.entityPaths)
        expect((await designer.refusal(getEntity, { params: { id: entityId } })).status).toBe(404)
    }
    await restoreManifest(await manifestDeletionOf(id))
    expect((await manifestOf(id)).entityPaths).toEqual(parts[0]?.entityPaths)
    await designer.call(deleteManifest, { params: { id }, query: { onReferences: 'remove' } })

    const second = await imported()
    const [first] = second.parts[1]?.entityPaths ?? []
    const params = { id: second.creation ?? 0 }
    const associatedEntityTypeAttribute = (await stateOf(first?.id ?? 0)).entity.primaryKey ?? ''
    const relationship = { ...aRelationship(first ?? second, 'importedId'), associatedEntityTypeAttribute }
    const referrer = await created({ entityAttributes: [relationship] })
    const referred = await designer.refusal(restoreManifestLog, { params, body: { kind: 'undo' } })
    expect(referred.answer.references?.map(item => [item.name, item.item])).toEqual([[referrer.name, 'importedId']])
    await designer.call(deleteEntity, { params: { id: referrer.id } })
    await save(first?.id ?? 0, [describe('changed since')])
    const changed = await designer.refusal(restoreManifestLog, { params, body: { kind: 'undo' } })
    const { name = '' } = second.parts[1] ?? {}
    expect([changed.status, changed.answer.message]).toEqual([409, restoreTexts.changedAndStays(name)])
    expect((await manifestOf(second.id)).subManifestPaths).toHaveLength(2)
  })

  it('undo of an import deletes more entities than a request may change, and the log gives all of them back', async () => {
    const count = limits.editedMembers + 1
    // In a ring, each refers to the next one.
    const next = (at: number) => `many_${(at + 1) % count}`
    const tables = Array.from(
      { length: count },
      (_, at) => `create table many_${at} (id int primary key, next_id int references ${next(at)} (id));`,
    )
    const { manifest } = await designer.call(importManifest, {
      fields: { importAs: 'DATABASE_STRUCTURE' },
      files: { manifestFile: { name: 'many.sql', bytes: Buffer.from(tables.join('\n')) } },
    })
    const last = manifest.entityPaths.at(-1)!.id
    const { content } = await stateOf(last)
    const creation = (await manifestLog(manifest.id)).find(({ ACTION_TYPE: action }) => action === 'CREATE')
    const { document } = await restoreManifest(creation?.ID, { kind: 'undo' })
    expect([manifest.entityPaths.length, document.id]).toEqual([count, manifest.id])
    expect((await designer.refusal(getManifest, { params: { id: manifest.id } })).status).toBe(404)

    const deletion = (await manifestLog(manifest.id)).find(({ ACTION_TYPE: action }) => action === 'DELETE')
    const { missing } = await restoreManifest(deletion?.ID)
    expect(missing).toEqual([])
    expect((await manifestOf(manifest.id)).entityPaths).toEqual(manifest.entityPaths)
    expect((await stateOf(last)).content).toEqual(content)
  })

  it('undo of a manifest made by the wizard deletes it with its new entities and copies', async () => {
    const source = await created()
    const [manifestName, own] = [newName(), newName()]
    const { manifest } = await designer.call(createManifestByWizard, {
      body: { manifestName, entities: [source.id], exclusiveEntities: [own] },
    })
    const { entityPaths } = await manifestOf(manifest.id)
    expect(entityPaths).toHaveLength(2)
    const creation = (await manifestLog(manifest.id)).find(({ ACTION_TYPE: action }) => action === 'CREATE')
    const { document, missing } = await restoreManifest(creation?.ID, { kind: 'undo' })
    expect([document.id, missing]).toEqual([manifest.id, []])
    for (const { id } of entityPaths) expect((await designer.refusal(getEntity, { params: { id } })).status).toBe(404)
    expect((await stateOf(source.id)).entity.name).toBe(source.name)
  })

  it('undo of a rename gives the former name, unless the manifest has been renamed since', async () => {
    const manifest = await createdManifest()
    const rename = async (name: string) => {
      const edits = [{ kind: 'changeManifest' as const, change: { name } }]
      const body = { format: editFormat, operationId: newUid(), base: '*', edits }
      return (await designer.call(manifestEdits.save, { params: { id: manifest.id }, body })).entry?.entryId
    }
    const first = await rename(newName())
    await restoreManifest(first, { kind: 'undo' })
    expect((await manifestOf(manifest.id)).name).toBe(manifest.name)
    const second = await rename(newName())
    const last = newName()
    await rename(last)
    const { missing } = await restoreManifest(second, { kind: 'undo' })
    expect(missing).toEqual([restoreTexts.manifestNameSince(last)])
    expect((await manifestOf(manifest.id)).name).toBe(last)
  })

  it('the configuration returns to its state after an entry, with its secrets and without showing them', async () => {
    const manifest = await createdManifest()
    const params = { id: manifest.id }
    const set = async (field: string, value: string) => {
      const path = ['packageProperties', 'connectionPoolInfo', field]
      const edits = [{ kind: 'changeConfiguration' as const, changes: [{ path, value }] }]
      return designer.call(configurationEdits.save, {
        params,
        body: { format: editFormat, operationId: newUid(), base: '*', edits },
      })
    }
    const first = await set('password', 'hidden one')
    await set('password', 'hidden two')
    await set('username', 'other')
    const sent = await designer.send(restoreManifestLog, { params: { id: first.entry?.entryId ?? 0 }, body: {} })
    expect(await sent.text()).not.toContain('hidden')
    const now = await designer.call(getManifestConfiguration, { params })
    expect(now.manifestProperties).toEqual(first.content)
  })

  const deletionOf = async (id: number) => (await entityLog(id, { actionType: 'DELETE' }))[0]?.ID
  const manifestDeletionOf = async (id: number) =>
    (await manifestLog(id)).find(({ ACTION_TYPE: action }) => action === 'DELETE')?.ID

  it('a manifest does not return while its entities are being deleted', async () => {
    const { id } = await createdManifest()
    await designer.call(deleteManifest, { params: { id } })
    const organisation = await organisationId(server)
    const db = server.context.store.of(organisation)
    await hideEntities(db, organisation, { manifestId: id, jobId: id })
    const place = { params: { id: (await manifestDeletionOf(id)) ?? 0 }, body: {} }
    const { status, answer } = await designer.refusal(restoreManifestLog, place)
    expect([status, answer.message]).toEqual([409, restoreTexts.stillDeleting])
    await clearPendingDeletion(db, organisation, id)
    expect((await designer.call(restoreManifestLog, place)).document.id).toBe(id)
  })

  it('a manifest does not return beside another one with its uid', async () => {
    const { id } = await createdManifest()
    const { uid } = await manifestOf(id)
    await designer.call(deleteManifest, { params: { id } })
    const same = await addManifest(server, newName(), 'ACME', uid)
    const deletion = await manifestDeletionOf(id)
    const { status, answer } = await designer.refusal(restoreManifestLog, { params: { id: deletion ?? 0 }, body: {} })
    const { name } = await manifestOf(same)
    expect([status, answer.message]).toEqual([409, restoreTexts.otherIdentity(name)])
  })

  it('names in use get a number within the length of names', async () => {
    const name = 'E'.repeat(limits.entityName.max)
    const entity = await created({ name })
    await designer.call(deleteEntity, { params: { id: entity.id } })
    await created({ name })
    expect((await restore(await deletionOf(entity.id))).document.name).toBe(`${name.slice(0, -2)}_2`)
    const manifestName = 'M'.repeat(limits.manifestName.max)
    const { manifest } = await designer.call(createManifest, { body: { manifestName } })
    await designer.call(deleteManifest, { params: { id: manifest.id } })
    await designer.call(createManifest, { body: { manifestName } })
    const answer = await restoreManifest(await manifestDeletionOf(manifest.id))
    expect(answer.document.name).toBe(`${manifestName.slice(0, -2)}_2`)
  })

  it('a manifest does not bring back a deleted entity of another manifest that it listed', async () => {
    const [home, other] = [await createdManifest(), await createdManifest()]
    const entity = await created({}, home.id)
    const body = { entityIds: [entity.id], type: 'TEMPLATE' as const }
    await admin.call(addEntitiesToManifest, { params: { id: other.id }, body })
    const [listed] = await manifestLog(other.id)
    await designer.call(deleteEntity, { params: { id: entity.id }, query: { onReferences: 'keep' } })
    const { others, missing } = await restoreManifest(listed?.ID)
    expect([others, missing]).toEqual([[], [restoreTexts.gone(entity.name)]])
    expect((await designer.refusal(getEntity, { params: { id: entity.id } })).status).toBe(404)
  })

  it('an entity returns with the references to it, those to others that stay deleted are listed', async () => {
    const home = await createdManifest()
    const [one, two] = [await created({}, home.id), await created({}, home.id)]
    const referrer = await created({ entityAttributes: [aRelationship(one, 'oneId'), aRelationship(two, 'twoId')] })
    await designer.call(deleteManifest, { params: { id: home.id }, query: { onReferences: 'remove' } })
    const columns = async () =>
      (await stateOf(referrer.id)).content.entityAttributes.map(item => item.foreignKeyTypeAttribute)
    const first = await restore(await deletionOf(one.id))
    expect(first.missing).toEqual([restoreTexts.manifestGone, restoreTexts.target('twoId', two.name)])
    expect(await columns()).toEqual(['oneId'])
    await restore(await deletionOf(two.id))
    expect(await columns()).toEqual(['oneId', 'twoId'])
  })

  it('a configuration returns with its secrets, however many changes ago it was', async () => {
    const { id } = await createdManifest()
    const set = async (field: string, value: string) => {
      const path = ['packageProperties', 'connectionPoolInfo', field]
      const edits = [{ kind: 'changeConfiguration' as const, changes: [{ path, value }] }]
      const body = { format: editFormat, operationId: newUid(), base: '*', edits }
      return designer.call(configurationEdits.save, { params: { id }, body })
    }
    const first = await set('password', 'hidden one')
    await set('password', 'hidden two')
    for (let index = 0; index < 30; index++) await set('username', `user${index}`)
    await restoreManifest(first.entry?.entryId)
    const now = await designer.call(getManifestConfiguration, { params: { id } })
    expect(now.manifestProperties).toEqual(first.content)
  })

  it('a repeated request gets the first answer and changes nothing, and its id belongs to it', async () => {
    const home = await createdManifest()
    const [changed, deleted] = [await created({}, home.id), await created({}, home.id)]
    const { entry } = await save(changed.id, [describe('first')])
    await save(changed.id, [describe('second')])
    const referrer = await created({ entityAttributes: [aRelationship(deleted, 'deletedId')] })
    await designer.call(deleteEntity, { params: { id: deleted.id }, query: { onReferences: 'remove' } })
    const path = ['packageProperties', 'connectionPoolInfo', 'username']
    const configure = async (value: string) => {
      const edits = [{ kind: 'changeConfiguration' as const, changes: [{ path, value }] }]
      const body = { format: editFormat, operationId: newUid(), base: '*', edits }
      return (await designer.call(configurationEdits.save, { params: { id: home.id }, body })).entry?.entryId
    }
    const configured = await configure('one')
    await configure('two')
    const removed = await createdManifest()
    await created({}, removed.id)
    await designer.call(deleteManifest, { params: { id: removed.id } })
    const body = () => ({ operationId: newUid() })
    const requests = [
      async (sent: object, client = designer) => restore(entry?.entryId, sent, client),
      async (sent: object, client = designer) => restore(await deletionOf(deleted.id), sent, client),
      async (sent: object, client = designer) => restoreManifest(configured, sent, client),
      async (sent: object, client = designer) => restoreManifest(await manifestDeletionOf(removed.id), sent, client),
    ]
    for (const request of requests) {
      const sent = body()
      const answers = await Promise.all([request(sent), request(sent), request(sent)])
      const [first] = answers
      expect(first.differences).not.toEqual([])
      for (const answer of answers) expect(answer).toEqual(first)
      const states = async () => [await stateOf(changed.id), await stateOf(referrer.id), await manifestOf(home.id)]
      const before = await states()
      expect(await request({ ...sent })).toEqual(first)
      expect(await states()).toEqual(before)
      await expect(request({ ...sent, kind: 'undo' })).rejects.toThrow(messages.operationReused)
      await expect(request(sent, admin)).rejects.toThrow(messages.operationCancelled)
    }
    // Changed since, it stays so.
    await save(changed.id, [describe('third')])
    const sent = body()
    const first = await restore(entry?.entryId, sent)
    await save(changed.id, [describe('fourth')])
    expect(await restore(entry?.entryId, sent)).toEqual(first)
    expect((await stateOf(changed.id)).content.description).toBe('fourth')
  })

  it('is refused to those who may not edit, and to other organisations', async () => {
    const { id } = await created()
    await save(id, [describe('first')])
    const [entry] = await entityLog(id)
    const place = { params: { id: entry?.ID ?? 0 }, body: {} }
    const outsider = await server.as('admin')
    expect((await outsider.refusal(restoreEntityLog, place)).status).toBe(404)
    expect((await designer.refusal(restoreManifestLog, place)).status).toBe(404)
  })
})
