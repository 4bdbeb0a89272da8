import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  addEntityVersion,
  addRelationship,
  createEntity,
  deleteEntity,
  getEntity,
  listEntities,
  updateEntity,
} from '@cadmus/model/contract/entity'
import type { EntityListItem } from '@cadmus/model/contract/lists'
import { addEntitiesToManifest } from '@cadmus/model/contract/manifest'
import { foldName } from '@cadmus/model/paths'
import { manifestById, manifestContent } from '../store/manifest.ts'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import { addManifest, aRelationship, organisationId, saveBody, typeAttributeBody } from '../testing/entities.ts'

const workers = 8
const steps = 12

describeOnBothStores.whenProving('Concurrent changes of all kinds to one manifest', store => {
  let server: TestConsole
  let clients: ConsoleClient[]
  beforeAll(async () => {
    server = await startConsole({ store })
    // Three users, to stay below the rate limit.
    clients = [await server.as('designer'), await server.as('admin', 'ACME'), server.bootstrap('ACME')]
  })
  afterAll(() => server.stop())

  it('keep it consistent: unique names, matching members, a message in every answer', async () => {
    const manifestId = await addManifest(server, 'Crowded')
    const statuses = new Map<string, number>()
    const reported = async (answer: Promise<Response>) => {
      const { status } = await answer
      statuses.set(String(status), (statuses.get(String(status)) ?? 0) + 1)
    }
    await Promise.all(
      Array.from({ length: workers }, async (_, worker) => {
        const client = clients[worker % clients.length]!
        for (let step = 0; step < steps; step++) await reported(act(client, manifestId, worker * 7 + step * 3))
      }),
    )
    expect([...statuses.keys()].filter(status => status.startsWith('5'))).toEqual([])
    expect(statuses.get('200')).toBeGreaterThan(workers)
    expect(server.log.filter(line => line.includes('"level":50'))).toEqual([])
    await checkWhole(manifestId)
  })

  /** Makes one change, selected by number, using only few names so that changes collide. */
  async function act(client: ConsoleClient, manifestId: number, choice: number): Promise<Response> {
    const there = await client.call(listEntities, { query: { folderFilter: 'user-defined/Crowded' } })
    const [one, other] = [there.entity[choice % 5], there.entity[(choice + 1) % 5]]
    const name = `Thing${choice % 6}`
    if (!one || choice % 6 === 0)
      return client.send(createEntity, { body: { entity: { name }, targetManifestId: manifestId } })
    const params = { id: one.id }
    if (choice % 6 === 1) return rename(client, one, name)
    if (choice % 6 === 2) return client.send(deleteEntity, { params })
    if (choice % 6 === 3 && other)
      return client.send(addRelationship, { params, body: aRelationship(other, `key${choice}`), ifMatch: '*' })
    if (choice % 6 === 4) return client.send(addEntityVersion, { params, query: { version: `1.${choice}.0` } })
    const elsewhere = await client.call(createEntity, {
      body: { entity: { name: `Loose${choice}x${Math.random().toString(36).slice(2)}` } },
    })
    const body = { entityIds: [elsewhere.entity.id], type: 'EXCLUSIVE' }
    return client.send(addEntitiesToManifest, { params: { id: manifestId }, body })
  }

  /** Renames the entity and its key, which referrers follow. */
  async function rename(client: ConsoleClient, item: EntityListItem, name: string): Promise<Response> {
    const params = { id: item.id }
    const read = await client.send(getEntity, { params })
    if (!read.ok) return read
    const { answer } = await client.callWithTag(getEntity, { params }).catch(() => ({ answer: null }))
    if (!answer) return read
    const typeAttributes = answer.entity.typeAttributes.map(attribute => ({
      ...typeAttributeBody(attribute),
      name: attribute.isPrimaryKey ? `${name}Id` : attribute.name,
    }))
    return client.send(updateEntity, { params, body: saveBody(answer.entity, { name, typeAttributes }), ifMatch: '*' })
  }

  async function checkWhole(manifestId: number): Promise<void> {
    const organisation = await organisationId(server)
    const db = server.context.store.of(organisation)
    const owned = await db
      .selectFrom('entity')
      .select(['id', 'name_folded'])
      .where('organisation_id', '=', organisation)
      .where('manifest_id', '=', manifestId)
      .execute()
    const members = await db
      .selectFrom('manifest_member')
      .select('entity_id')
      .where('organisation_id', '=', organisation)
      .where('manifest_id', '=', manifestId)
      .execute()
    const manifest = await manifestById(db, organisation, manifestId)
    const content = await manifestContent(db, manifest!)
    const ids = owned.map(row => row.id).toSorted()
    expect(members.map(row => row.entity_id).toSorted()).toEqual(ids)
    expect(content.entities.map(item => item.id).toSorted()).toEqual(ids)
    expect(manifest?.entity_count).toBe(ids.length)
    expect(new Set(owned.map(row => row.name_folded)).size).toBe(owned.length)
    await checkReferences(ids)
  }

  /** Asserts that every relationship to an existing entity names an existing attribute. */
  async function checkReferences(ids: readonly number[]): Promise<void> {
    const entities = await Promise.all(
      ids.map(async id => (await clients[2]!.call(getEntity, { params: { id } })).entity),
    )
    const byId = new Map(entities.map(entity => [entity.id, entity]))
    for (const { entityAttributes } of entities) {
      for (const { associatedEntity, associatedEntityTypeAttribute } of entityAttributes) {
        const target = byId.get(associatedEntity.id)
        const names = target?.resolvedAttributes?.map(item => foldName(item.name)) ?? []
        if (target) expect(names).toContain(foldName(associatedEntityTypeAttribute))
      }
    }
  }
})
