import {
  addEntityVersion,
  createEntity,
  deleteEntity,
  getEntity,
  updateEntity,
  updateRelationship,
} from '@cadmus/model/contract/entity'
import type { EntityAnswer } from '@cadmus/model/contract/entity-shapes'
import {
  addSubManifests,
  createManifest,
  deleteManifest,
  listNamesakes,
  removeEntityFromManifest,
  resolveNamesakes,
} from '@cadmus/model/contract/manifest'
import { newTypeAttribute } from '@cadmus/model/type-attribute'
import { isProving } from '@cadmus/testing/proof'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { entityChanged } from '../commands/audit.ts'
import { type Change, transact, type Work } from '../commands/change.ts'
import { removeEntities } from '../commands/entity/delete-entity.ts'
import type { Tx } from '../store/database.ts'
import { freezeVersion } from '../store/entity-version.ts'
import { entityById, setEntityContent, type StoredEntity } from '../store/entity.ts'
import { lockManifestNames } from '../store/manifest.ts'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import { addManifest, aRelationship, organisationId, saveBody } from '../testing/entities.ts'

/** Ways to delete an entity, with the number of others in its manifest; more than fifty are deleted in batches. */
type Way = readonly [way: string, others: number]
const alone: Way = ['by itself', 0]
const ways: readonly Way[] = [
  alone,
  ['out of its manifest', 2],
  ['with its manifest', 2],
  ['in a name conflict', 1],
  ['with its large manifest', 50],
]

/** Repetitions for each way of deleting. */
const rounds = isProving() ? 12 : 4

const dependent = [
  ['entity_column', 'entity_id'],
  ['entity_reference', 'from_id'],
  ['open_reference', 'from_id'],
  ['entity_version', 'entity_id'],
  ['entity_scopes', 'entity_id'],
  ['manifest_member', 'entity_id'],
] as const

describeOnBothStores('A save concurrent with another server', kind => {
  it('a save concurrent with another server is not written into the version that the other server adds', async () => {
    const server = await startConsole({ store: kind })
    const designer = await server.as('designer')
    const organisation = await organisationId(server)
    const { entity } = await designer.call(createEntity, { body: { entity: { name: 'Raced' } } })
    const params = { id: entity.id }
    let saving: Promise<Response> | undefined
    // Outside this server's queue, like a transaction of another server.
    await server.context.store
      .of(organisation)
      .transaction()
      .execute(async tx => {
        const present = await entityById(tx, organisation, entity.id)
        if (!present) throw new Error('It is there.')
        const frozen = { content: present.content, next: '2.0.0' }
        expect(await freezeVersion(tx, organisation, present, frozen, { userName: 'Other' })).toBe(true)
        const body = saveBody(entity, { description: 'Of version 1.0.0' })
        saving = designer.send(updateEntity, { params, body, ifMatch: '*' })
        await wait(100)
      })
    expect((await saving)?.status).toBe(403)
    const { entity: now } = await designer.call(getEntity, { params })
    expect(now).toMatchObject({ latestVersion: '2.0.0', description: '' })
    await server.stop()
  })
})

describeOnBothStores('A deletion concurrent with saves', kind => {
  let server: TestConsole
  let designer: ConsoleClient
  let other: ConsoleClient
  let change: Change
  let target: EntityAnswer
  beforeAll(async () => {
    server = await startConsole({ store: kind })
    designer = await server.as('designer')
    other = await server.as('newcomer', 'ACME')
    const actor = { userId: 'someone', userName: 'Someone', userEmail: '' }
    const { store } = server.context
    change = { store, organisationId: await organisationId(server), actor, isAdmin: false }
    target = await entity('Target')
  })
  afterAll(() => server.stop())
  beforeEach(() => server.advance(4000))

  let made = 0
  const name = (what: string) => `${what}${++made}`
  async function entity(what: string, manifest?: number): Promise<EntityAnswer> {
    const entityAttributes = what === 'Target' ? [] : [aRelationship(target, 'targetId')]
    const given = { name: name(what), typeAttributes: [{ name: 'code' }], entityAttributes }
    return (await designer.call(createEntity, { body: { entity: given, targetManifestId: manifest } })).entity
  }

  async function manifestWith(others: number): Promise<number> {
    const exclusiveEntities = Array.from({ length: others }, () => name('Beside'))
    const body = { manifestName: name('Doomed'), exclusiveEntities }
    return (await designer.call(createManifest, { body })).manifest.id
  }

  /** Creates an entity; returns it and a function that deletes it. */
  async function doomed([way, others]: Way) {
    const query = { onReferences: 'keep' as const }
    const manifest = others === 0 ? undefined : await manifestWith(others)
    const gone = await entity('Gone', manifest)
    const conflicting =
      way === 'in a name conflict' && manifest !== undefined ? await withNameConflict(gone, manifest) : 0
    const remove = () => {
      if (conflicting > 0)
        return other.send(resolveNamesakes, {
          params: { id: conflicting },
          body: { strategy: 'leaveOut' },
          ifMatch: '*',
        })
      if (manifest === undefined) return other.send(deleteEntity, { params: { id: gone.id }, query })
      if (way === 'out of its manifest')
        return other.send(removeEntityFromManifest, { params: { id: manifest, entityId: gone.id }, query })
      return other.send(deleteManifest, { params: { id: manifest }, query })
    }
    return { gone, remove }
  }

  /** Creates a manifest that contains an entity of the same name. */
  async function withNameConflict({ name: taken }: EntityAnswer, manifest: number): Promise<number> {
    const keepers = await addManifest(server, name('Keepers'))
    await designer.call(createEntity, { body: { entity: { name: taken.toUpperCase() }, targetManifestId: keepers } })
    const params = { id: await addManifest(server, name('Both')) }
    await designer.call(addSubManifests, { params, body: { submanifests: [keepers, manifest] } })
    // Called once before the race so that the worker thread has started.
    const { steps } = await other.call(listNamesakes, { params, query: { strategy: 'leaveOut' } })
    expect(steps).toMatchObject([{ action: 'leaveOut', entity: { name: taken }, deletes: true }])
    return params.id
  }

  /** Starts a write to the entity in a transaction that is still open when the deletion begins. */
  async function deletedDuring(
    { gone, remove }: Awaited<ReturnType<typeof doomed>>,
    write: (tx: Tx, work: Work, entity: StoredEntity) => Promise<void>,
  ): Promise<void> {
    let removing: Promise<Response> | undefined
    await transact(change, 2, async (tx, work) => {
      const present = await entityById(tx, change.organisationId, gone.id)
      if (!present) throw new Error('It is there.')
      await write(tx, work, present)
      removing = remove()
      await wait(100)
    })
    expect((await removing)?.status).toBe(200)
    expect((await designer.send(getEntity, { params: { id: gone.id } })).status).toBe(404)
  }

  /** Rows of deleted entities in dependent tables. */
  async function leftBehind(): Promise<string[]> {
    const { store, organisationId: organisation } = change
    const db = store.of(organisation)
    const present = db.selectFrom('entity').select('id').where('organisation_id', 'in', [organisation, 0])
    const found: string[] = []
    for (const [table, column] of dependent) {
      const rows = await db
        .selectFrom(table)
        .selectAll()
        .where('organisation_id', '=', organisation)
        .where(column, 'not in', present)
        .execute()
      found.push(...rows.map(row => `${table} ${JSON.stringify(row)}`))
    }
    return found
  }

  /** States of an entity in the order of its log: before and after each entry. */
  async function log(id: number) {
    const rows = await change.store
      .of(change.organisationId)
      .selectFrom('audit_entry')
      .select(['action_type', 'original_hash', 'updated_hash', 'restoration'])
      .where('organisation_id', '=', change.organisationId)
      .where('kind', '=', 'ENTITY')
      .where('target_id', '=', id)
      .orderBy('sequence')
      .execute()
    return rows
  }

  it.each(ways)('removes everything of a concurrent save and logs the saved state: %s', async (way, others) => {
    const going = await doomed([way, others])
    const late = newTypeAttribute({ name: 'late', position: 9 })
    let saved: string | undefined
    await deletedDuring(going, async (tx, work, present) => {
      const content = { ...present.content, typeAttributes: [...present.content.typeAttributes, late] }
      const step = { id: present.id, from: present, content, path: present.path }
      saved = await setEntityContent(tx, change.organisationId, step, change.actor)
      work.audit(entityChanged(present, { content, hash: saved ?? '' }, 'Saved.'))
    })
    expect(await leftBehind()).toEqual([])
    const last = (await log(going.gone.id)).at(-1)
    expect(last).toMatchObject({ action_type: 'DELETE', original_hash: saved })
    // The uid of a deleted attribute can be reused.
    const again = { name: name('Again'), typeAttributes: [{ uid: late.uid, name: 'late' }] }
    expect((await designer.send(createEntity, { body: { entity: again } })).status).toBe(200)
  })

  it.each(ways)('removes everything of a concurrently added version and logs that version: %s', async (way, others) => {
    const going = await doomed([way, others])
    await deletedDuring(going, async (tx, _work, present) => {
      const frozen = { content: present.content, next: '2.0.0' }
      expect(await freezeVersion(tx, change.organisationId, present, frozen, change.actor)).toBe(true)
    })
    expect(await leftBehind()).toEqual([])
    const [last] = (await log(going.gone.id)).slice(-1)
    expect(JSON.parse(last?.restoration ?? '{}')).toMatchObject({
      entity: { latest_version: '2.0.0' },
      versions: { put: [{ version: going.gone.currentVersion }] },
    })
  })

  it('a deletion concurrent with saves is awaited by a relationship that adds the entity as an alternative target', async () => {
    const { gone } = await doomed(alone)
    const subtype = await entity('Heir')
    const { id, uid, name: called, path } = gone
    const body = {
      ...aRelationship(target, 'targetId'),
      alternativeTargets: [{ entity: { id, uid, name: called, path }, attribute: 'id' }],
    }
    let saving: Promise<Response> | undefined
    await transact(change, 4, async (tx, work) => {
      await lockManifestNames(tx, change.organisationId)
      const present = await entityById(tx, change.organisationId, id)
      if (!present) throw new Error('It is there.')
      await removeEntities(tx, change, work, { entities: [present], onReferences: 'keep', describe: () => 'Deleted.' })
      const params = { id: subtype.id, associatedEntityId: target.id }
      const query = { associatedAttributeName: 'targetId' }
      saving = other.send(updateRelationship, { params, query, body, ifMatch: '*' })
      await wait(100)
    })
    expect((await saving)?.status).toBe(200)
    const { entity: now } = await designer.call(getEntity, { params: { id: subtype.id } })
    expect(now.entityAttributes[0]?.alternativeTargets).toMatchObject([{ entity: { id: -1, uid, path } }])
    const db = change.store.of(change.organisationId)
    const open = await db
      .selectFrom('open_reference')
      .select('uid')
      .where('organisation_id', '=', change.organisationId)
      .where('from_id', '=', subtype.id)
      .execute()
    expect(open).toEqual([{ uid }])
  })

  it('concurrent deletions log the last acknowledged state of each entity and leave no rows', async () => {
    const gone: number[] = []
    const answers: number[] = []
    for (let round = 0; round < rounds; round++) {
      const { gone: item, remove } = await doomed(ways[round % 4] ?? alone)
      const typeAttributes = [...(saveBody(item).entity.typeAttributes ?? []), { name: 'late', position: 9 }]
      const params = { id: item.id }
      const [save, version, removal] = await Promise.all([
        designer.send(updateEntity, { params, body: saveBody(item, { typeAttributes }), ifMatch: '*' }),
        designer.send(addEntityVersion, { params, query: { version: '2.0.0' } }),
        wait(Math.random() * 20).then(remove),
      ])
      expect(removal.status).toBe(200)
      answers.push(save.status, version.status)
      gone.push(item.id)
    }
    // Other requests found no entity, or an outdated version.
    expect(answers.filter(status => ![200, 403, 404].includes(status))).toEqual([])
    expect(await leftBehind()).toEqual([])
    for (const id of gone) {
      const entries = await log(id)
      expect(entries.at(-1)?.action_type).toBe('DELETE')
      for (const [at, entry] of entries.entries())
        expect(entry.original_hash).toBe(entries[at - 1]?.updated_hash ?? null)
    }
  })
})
