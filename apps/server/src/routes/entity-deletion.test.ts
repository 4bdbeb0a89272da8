import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Configuration, readConfiguration } from '@cadmus/model/configuration'
import {
  addEntityVersion,
  addRelationship,
  createEntity,
  deleteEntity,
  getEntity,
  getEntityVersionContent,
  updateEntity,
} from '@cadmus/model/contract/entity'
import {
  addEntitiesToManifest,
  addSubManifests,
  createManifest,
  deleteManifest,
  getManifest,
  getManifestConfiguration,
  removeEntityFromManifest,
  saveManifestConfiguration,
} from '@cadmus/model/contract/manifest'
import { validateManifest } from '@cadmus/model/contract/manifest-transfer'
import { listEntityReferences, listManifestReferences } from '@cadmus/model/contract/references'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import { aRelationship, organisationId, saveBody } from '../testing/entities.ts'

describeOnBothStores.whenProving('Deleting a referenced entity', store => {
  let server: TestConsole
  let designer: ConsoleClient
  let admin: ConsoleClient
  let organisation: number
  beforeAll(async () => {
    // The organisation of the test has the service options.
    server = await startConsole({ store, env: { CADMUS_SERVICE_ORGANISATION: 'ACME' } })
    designer = await server.as('designer')
    admin = await server.as('admin', 'ACME')
    organisation = await organisationId(server)
  })
  afterAll(() => server.stop())

  let count = 0
  const fresh = (name: string) => `${name}${++count}`

  async function aManifest(names: string[] = []) {
    const body = { manifestName: fresh('List'), exclusiveEntities: names }
    return (await designer.call(createManifest, { body })).manifest
  }

  async function entityIn(manifestId: number, name: string, more = {}) {
    const body = { entity: { name, ...more }, targetManifestId: manifestId }
    return (await designer.call(createEntity, { body })).entity
  }

  async function relate(from: { id: number }, to: { id: number }, foreignKey: string) {
    const params = { id: from.id }
    await designer.call(addRelationship, { params, body: aRelationship(to, foreignKey), ifMatch: '*' })
  }

  const read = async (id: number) => (await designer.call(getEntity, { params: { id } })).entity

  async function configure(id: number, change: (build: Configuration['configurationBuild']) => void) {
    const { answer, etag } = await designer.callWithTag(getManifestConfiguration, { params: { id } })
    const body = readConfiguration(answer.manifestProperties)
    change(body.configurationBuild)
    await designer.call(saveManifestConfiguration, { params: { id }, body, ifMatch: etag })
  }

  async function configuration(id: number) {
    const { manifestProperties } = await designer.call(getManifestConfiguration, { params: { id } })
    return readConfiguration(manifestProperties).configurationBuild
  }

  async function dangling(): Promise<number> {
    const db = server.context.store.of(organisation)
    const entities = await db
      .selectFrom('entity')
      .select('id')
      .where('organisation_id', 'in', [organisation, 0])
      .execute()
    const existing = new Set(entities.map(({ id }) => id))
    const links = await db
      .selectFrom('entity_reference')
      .select('to_id')
      .where('organisation_id', '=', organisation)
      .execute()
    const members = await db
      .selectFrom('manifest_member')
      .select('entity_id')
      .where('organisation_id', '=', organisation)
      .execute()
    return [...links.map(row => row.to_id), ...members.map(row => row.entity_id)].filter(id => !existing.has(id)).length
  }

  /** Creates a manifest with an entity `Gone` that all kinds of objects refer to. */
  async function referredTo() {
    const manifest = await aManifest()
    const above = await aManifest()
    await designer.call(addSubManifests, { params: { id: above.id }, body: { submanifests: [manifest.id] } })
    const other = await aManifest()
    const removed = await entityIn(manifest.id, 'Gone', { typeAttributes: [{ name: 'colour', dataType: 'string' }] })
    const referrer = await entityIn(manifest.id, 'Referrer')
    await relate(referrer, removed, 'goneId')
    const subtype = await entityIn(manifest.id, 'Heir', { extendsEntity: { id: removed.id } })
    await admin.call(addEntitiesToManifest, {
      params: { id: other.id },
      body: { entityIds: [removed.id], type: 'TEMPLATE' },
    })
    await configure(above.id, build => {
      build.aggregateQueries = [
        { name: 'howMany', entity: 'Gone', columns: [{ field: 'id', type: 'COUNT', alias: 'n' }] },
        { name: 'others', entity: 'Referrer', columns: [{ field: 'id', type: 'COUNT', alias: 'n' }] },
      ]
      build.apiConfiguration.excludeOperations = ['Gone.get', 'Referrer.post']
      build.serviceConfiguration.sotEntities = ['Gone', 'Heir']
    })
    return { manifest, above, other, removed, referrer, subtype }
  }

  it('lists the references and is rejected without a choice', async () => {
    const { above, other, removed, referrer, subtype } = await referredTo()
    const { references, totalElements } = await designer.call(listEntityReferences, { params: { id: removed.id } })
    const target = { id: removed.id, name: 'Gone' }
    expect(references).toEqual([
      expect.objectContaining({
        kind: 'relationship',
        document: 'entity',
        id: referrer.id,
        uid: referrer.uid,
        item: 'goneId',
        target,
      }),
      expect.objectContaining({
        kind: 'extends',
        document: 'entity',
        id: subtype.id,
        name: 'Heir',
        path: subtype.path,
        target,
      }),
      expect.objectContaining({ kind: 'member', document: 'manifest', id: other.id, name: other.name, target }),
      expect.objectContaining({ kind: 'aggregateQuery', document: 'manifest', id: above.id, item: 'howMany', target }),
      expect.objectContaining({ kind: 'excludedOperation', id: above.id, item: 'Gone.get', target }),
      expect.objectContaining({ kind: 'sotEntity', id: above.id, item: 'Gone', target }),
    ])
    expect(totalElements).toBe(6)
    const { status, answer } = await designer.refusal(deleteEntity, { params: { id: removed.id } })
    expect([status, answer.code, answer.references]).toEqual([409, 'references', references])
    expect((await read(removed.id)).name).toBe('Gone')
  })

  it('onReferences=keep turns relationships into attributes, keeps inherited attributes and cleans configurations, without dangling references', async () => {
    const { manifest, above, other, removed, referrer, subtype } = await referredTo()
    const [relationship] = (await read(referrer.id)).entityAttributes
    await designer.call(addEntityVersion, { params: { id: referrer.id }, query: { version: '1.1.0' } })
    const columns = (await read(subtype.id)).resolvedAttributes?.map(({ name }) => name)
    await designer.call(deleteEntity, { params: { id: removed.id }, query: { onReferences: 'keep' } })

    const after = await read(referrer.id)
    expect(after.entityAttributes).toEqual([])
    expect(after.typeAttributes.at(-1)).toMatchObject({ uid: relationship?.uid, name: 'goneId', dataType: 'integer' })
    const child = await read(subtype.id)
    expect(child.extendsEntity).toBeNull()
    expect(child.typeAttributes.map(({ name }) => name)).toEqual(columns)
    const build = await configuration(above.id)
    expect(build.aggregateQueries.map(({ name }) => name)).toEqual(['others'])
    expect(build.apiConfiguration.excludeOperations).toEqual(['Referrer.post'])
    expect(build.serviceConfiguration.sotEntities).toEqual(['Heir'])
    expect((await designer.call(getManifest, { params: { id: other.id } })).manifest.entityPaths).toEqual([])
    expect(await dangling()).toBe(0)
    const frozen = await designer.call(getEntityVersionContent, {
      params: { id: referrer.id },
      query: { version: '1.0.0' },
    })
    expect(JSON.stringify(frozen)).toContain('Gone')
    const verdict = await designer.send(validateManifest, { params: { id: manifest.id } })
    expect(await verdict.text()).not.toContain('Gone')

    const entries = await server.context.store
      .of(organisation)
      .selectFrom('audit_entry')
      .select(['change_id', 'target_id'])
      .where('organisation_id', '=', organisation)
      .orderBy('sequence', 'desc')
      .limit(6)
      .execute()
    expect(new Set(entries.map(entry => entry.change_id)).size).toBe(1)
    expect(new Set(entries.map(entry => entry.target_id))).toEqual(
      new Set([removed.id, referrer.id, subtype.id, manifest.id, other.id, above.id]),
    )
  })

  it('updates the other references of changed entities and subtypes to current names', async () => {
    const manifest = await aManifest()
    const [target, removed] = [await entityIn(manifest.id, 'Target'), await entityIn(manifest.id, 'Gone')]
    const referrer = await entityIn(manifest.id, 'Referrer')
    await relate(referrer, target, 'targetId')
    await relate(referrer, removed, 'goneId')
    await entityIn(manifest.id, 'Heir', { extendsEntity: { id: referrer.id } })
    const renamed = saveBody(await read(target.id))
    renamed.entity.typeAttributes = renamed.entity.typeAttributes?.map(item => ({ ...item, name: 'kode' }))
    await designer.call(updateEntity, { params: { id: target.id }, body: renamed, ifMatch: '*' })
    const targets = async () => {
      const { relationships } = (await designer.call(getManifest, { params: { id: manifest.id } })).manifest
      return relationships.map(item => [item.fromEntity, item.fromEntityAttribute, item.toEntityAttribute])
    }

    await designer.call(deleteEntity, { params: { id: removed.id }, query: { onReferences: 'keep' } })
    expect(await targets()).toEqual([['Referrer', 'targetId', 'kode']])
    await designer.call(deleteEntity, { params: { id: referrer.id }, query: { onReferences: 'keep' } })
    expect(await targets()).toEqual([['Heir', 'targetId', 'kode']])
  })

  it('onReferences=remove deletes the column with the relationship', async () => {
    const { manifest, removed, referrer } = await referredTo()
    const params = { id: manifest.id, entityId: removed.id }
    expect((await designer.refusal(removeEntityFromManifest, { params })).status).toBe(409)
    await designer.call(removeEntityFromManifest, { params, query: { onReferences: 'remove' } })
    const after = await read(referrer.id)
    expect([after.entityAttributes, after.typeAttributes.map(({ name }) => name)]).toEqual([[], ['id']])
    expect(await dangling()).toBe(0)
  })

  it('deleting a manifest requires a decision only about references from outside', async () => {
    const { manifest, removed, other } = await referredTo()
    const outside = await entityIn(other.id, 'Outside')
    await relate(outside, removed, 'goneId')
    const { references } = await designer.call(listManifestReferences, { params: { id: manifest.id } })
    expect(references.filter(({ document }) => document === 'entity').map(({ name }) => name)).toEqual(['Outside'])
    expect((await designer.refusal(deleteManifest, { params: { id: manifest.id } })).status).toBe(409)
    await designer.call(deleteManifest, { params: { id: manifest.id }, query: { onReferences: 'keep' } })
    expect((await read(outside.id)).typeAttributes.map(({ name }) => name)).toEqual(['id', 'goneId'])
    expect(await dangling()).toBe(0)
  })

  it('deleting an entity without references requires no decision; references in other organisations are ignored', async () => {
    const { id } = await entityIn((await aManifest()).id, 'Alone')
    const stranger = server.bootstrap('GLOBEX')
    expect((await stranger.refusal(listEntityReferences, { params: { id } })).status).toBe(404)
    expect((await designer.call(listEntityReferences, { params: { id } })).references).toEqual([])
    await designer.call(deleteEntity, { params: { id } })
    expect((await designer.refusal(getEntity, { params: { id } })).status).toBe(404)
  })

  it('deleting an entity with a concurrent new reference rejects or unlinks the reference', async () => {
    const manifest = await aManifest()
    for (let round = 0; round < 5; round++) {
      const removed = await entityIn(manifest.id, `Racing${round}`)
      const referrer = await entityIn(manifest.id, `Chaser${round}`)
      const pointing = designer.send(addRelationship, {
        params: { id: referrer.id },
        body: aRelationship(removed, 'goneId'),
        ifMatch: '*',
      })
      const deleting = designer.send(deleteEntity, { params: { id: removed.id }, query: { onReferences: 'keep' } })
      const [pointed, deleted] = await Promise.all([pointing, deleting])
      expect([200, 400, 404, 409]).toContain(pointed.status)
      expect(deleted.status).toBe(200)
      expect(await dangling()).toBe(0)
    }
  })
})
