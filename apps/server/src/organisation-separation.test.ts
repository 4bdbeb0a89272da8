import { addRelationship, getEntity } from '@cadmus/model/contract/entity'
import { allCalls, type CallId } from '@cadmus/model/testing/calls'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { putPublication } from './store/publication.ts'
import type { ConsoleClient } from './testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from './testing/console.ts'
import { aRelationship, organisationId } from './testing/entities.ts'
import { anEntityFile, type CallInput, newName, nothing, requests, type TestObjects } from './testing/every-call.ts'
import { signInStranger } from './testing/unknown-user.ts'
import { callsFor, createTestObjectsAndToken, rejectionOf } from './testing/access.ts'

/** Part of every name of ACME: finding it in another organisation's answer proves a leak. */
const secretWord = 'Zinnober'
const foreign = /-?\b\d{1,6}\b/g

/** Requests of the stranger that name an object of ACME in the body or query instead of the path. */
const smuggled: Record<string, (things: TestObjects, own: TestObjects) => [CallId, CallInput]> = {
  'an entity of a new manifest': ({ free }) => [
    'createManifest',
    { body: { manifestName: newName(), entities: [free] } },
  ],
  'a sub-manifest of a new manifest': ({ sub }) => [
    'createManifest',
    { body: { manifestName: newName(), subManifests: [sub] } },
  ],
  'the entity of a wizard manifest': ({ free }) => [
    'createManifestByWizard',
    { body: { manifestName: newName(), entities: [free] } },
  ],
  'the sub-manifest of a wizard manifest': ({ sub }) => [
    'createManifestByWizard',
    { body: { manifestName: newName(), subManifests: [sub] } },
  ],
  'the manifest to duplicate': ({ manifest }) => [
    'createManifestByWizard',
    { body: { manifestName: newName(), duplicateManifest: manifest } },
  ],
  'an entity to add to an own manifest': ({ free }, own) => [
    'addEntitiesToManifest',
    { params: { id: own.manifest }, body: { entityIds: [free] } },
  ],
  'an own and a foreign entity to add': ({ free }, own) => [
    'addEntitiesToManifest',
    { params: { id: own.manifest }, body: { entityIds: [own.free, free] } },
  ],
  'an own entity to add to a manifest': ({ manifest }, own) => [
    'addEntitiesToManifest',
    { params: { id: manifest }, body: { entityIds: [own.free] } },
  ],
  'a sub-manifest to add': ({ sub }, own) => [
    'addSubManifests',
    { params: { id: own.manifest }, body: { submanifests: [sub] } },
  ],
  'an entity to remove from an own manifest': ({ entity }, own) => [
    'removeEntityFromManifest',
    { params: { id: own.manifest, entityId: entity } },
  ],
  'a sub-manifest to remove from an own manifest': ({ sub }, own) => [
    'removeSubManifest',
    { params: { id: own.manifest, subId: sub } },
  ],
  'the manifest of a new entity': ({ manifest }) => [
    'createEntity',
    { body: { entity: { name: newName() }, targetManifestId: manifest } },
  ],
  'the manifest of a wizard entity': ({ manifest }) => [
    'createEntityByWizard',
    { body: { entity: { name: newName() }, targetManifestId: manifest } },
  ],
  'the entity to duplicate': ({ free }) => [
    'createEntity',
    { body: { entity: { name: newName() }, duplicateEntityId: free } },
  ],
  'the entity to duplicate in the wizard': ({ free }) => [
    'createEntityByWizard',
    { body: { entity: { name: newName() }, duplicateEntityId: free } },
  ],
  'the parent of a new entity': ({ free }) => [
    'createEntity',
    { body: { entity: { name: newName(), extendsEntity: { id: free } } } },
  ],
  'the parent of a saved entity': ({ free }, own) => [
    'updateEntity',
    { params: { id: own.free }, body: { entity: { name: newName(), extendsEntity: { id: free } } }, ifMatch: '*' },
  ],
  'the target of a new entity': ({ free }) => [
    'createEntity',
    { body: { entity: { name: newName(), entityAttributes: [aRelationship({ id: free }, 'otherId')] } } },
  ],
  'the target of a saved entity': ({ free }, own) => [
    'updateEntity',
    {
      params: { id: own.free },
      body: { entity: { name: newName(), entityAttributes: [aRelationship({ id: free }, 'otherId')] } },
      ifMatch: '*',
    },
  ],
  'the target of a relationship': ({ free }, own) => [
    'addRelationship',
    { params: { id: own.free }, body: aRelationship({ id: free }, 'otherId'), ifMatch: '*' },
  ],
  'the changed target of a relationship': ({ free }, own) => [
    'updateRelationship',
    {
      params: { id: own.entity, associatedEntityId: own.target },
      query: { associatedAttributeName: 'targetId' },
      body: aRelationship({ id: free }, 'targetId'),
      ifMatch: '*',
    },
  ],
  'the manifest of an imported entity': ({ manifest }) => [
    'importEntity',
    { query: { targetManifest: manifest }, files: { entityFile: { name: 'a.json', bytes: anEntityFile() } } },
  ],
}

const lists = callsFor('user').filter(
  id => allCalls[id].method === 'GET' && (!allCalls[id].path.includes('{') || id.startsWith('listFolder')),
)
/** Lists without names of the organisation: folders of custom objects have fixed names, and instances are shared. */
const wordless: readonly string[] = [
  'getNavigatorVersion',
  'listManifestFolders',
  'getPackageStatus',
  'listWorkspaces',
  'getDiagramRows',
]

describeOnBothStores('Data of another organisation', store => {
  let server: TestConsole
  let designer: ConsoleClient
  let stranger: ConsoleClient
  let things: TestObjects
  let own: TestObjects
  beforeAll(async () => {
    server = await startConsole({ store })
    designer = await server.as('designer')
    stranger = await signInStranger(server, [{ oc: 'GLOBEX', on: 'Globex', ng: 1 }], 'GLOBEX')
    things = await createTestObjectsAndToken(server, designer, secretWord)
    own = await createTestObjectsAndToken(server, stranger, 'Mine')
    await publish(things.package)
  })
  afterAll(() => server.stop())
  // Stays below the limit of fifty requests a second.
  beforeEach(() => server.advance(4000))

  async function publish(package_id: number) {
    const organisation_id = await organisationId(server)
    const db = server.context.store.of(organisation_id)
    const [id = 0] = await server.context.store.ids.take(1)
    const upload = { version: '1.0.0', instance_url: 'https://instance.test', signed_in: 0, state: 'LOADED' as const }
    const by = { user_id: 'u', user_name: 'U', published_at: '2026-01-01T00:00:00.000Z' }
    await putPublication(db, { organisation_id, id, package_id, ...upload, ...by }, 1)
  }

  const send = (client: ConsoleClient, id: CallId, input: CallInput = requests[id](things)) =>
    client.send(allCalls[id], input)

  it.each(callsFor('user').filter(id => allCalls[id].path.includes('{') && !id.startsWith('listFolder')))(
    '%s: answers 404 for an object of another organisation, as if missing',
    async id => {
      const theirs = await rejectionOf(await send(stranger, id))
      const removed = await rejectionOf(await send(stranger, id, requests[id](absent(things))))
      expect(theirs.status).toBe(404)
      expect(withoutIds(theirs)).toEqual(withoutIds(removed))
      expect(theirs.text).not.toContain(secretWord)
    },
  )

  it.each(Object.keys(smuggled))('%s: rejects an object of another organisation as if missing', async what => {
    const [id, input] = smuggled[what]?.(things, own) ?? ['getEntity', {}]
    const theirs = await rejectionOf(await send(stranger, id, input))
    const [, missing] = smuggled[what]?.(absent(things), own) ?? ['getEntity', {}]
    const removed = await rejectionOf(await send(stranger, id, missing))
    expect([400, 404]).toContain(theirs.status)
    expect(withoutIds(theirs)).toEqual(withoutIds(removed))
    expect(theirs.text).not.toContain(secretWord)
  })

  it.each(lists)('%s: lists no data of another organisation', async id => {
    const all = id === 'searchAnything' ? { search: secretWord } : { search: '', limit: 1000 }
    const input = { ...requests[id](things), query: { ...queryOf(id, things), ...all } }
    const answer = await send(stranger, id, id.startsWith('getNavigator') ? {} : input)
    expect(answer.status).toBe(200)
    expect(await answer.text()).not.toContain(secretWord)
    const result = await (await send(designer, id, id.startsWith('getNavigator') ? {} : input)).text()
    expect(result.includes(secretWord)).toBe(!wordless.includes(id))
  })

  it('predefined ids give strangers and designers no write access', async () => {
    for (const client of [designer, stranger]) {
      const list = await client.call(allCalls.listEntities, { query: { filter: 'DEFAULT', limit: 1 } })
      const id = list.entity[0]?.id ?? 0
      expect((await client.call(getEntity, { params: { id } })).entity.isDefault).toBe(true)
      for (const call of ['deleteEntity', 'addEntityVersion', 'deleteEntityVersion'] as const) {
        const answer = await send(client, call, { ...requests[call](nothing), params: { id } })
        expect([400, 403, 404]).toContain(answer.status)
      }
    }
  })

  it('alternative targets reveal nothing about foreign objects', async () => {
    const reported = async (id: number, foreignKey: string) => {
      const reference = { id, name: 'Guess', path: 'user-defined/Guess' }
      const body = {
        ...aRelationship({ id: own.target }, foreignKey),
        alternativeTargets: [{ entity: reference, attribute: 'id' }],
      }
      const { entityAttribute } = await stranger.call(addRelationship, {
        params: { id: own.free },
        body,
        ifMatch: '*',
      })
      return entityAttribute.alternativeTargets
    }
    const removed = [{ entity: { id: -1, name: 'Guess', path: 'user-defined/Guess' }, attribute: 'id' }]
    expect(await reported(things.free, 'aimId')).toEqual(removed)
    expect(await reported(absent(things).free, 'goalId')).toEqual(removed)
  })

  it("ACME's data is unchanged and unknown elsewhere after all attempts", async () => {
    const entity = (await designer.call(getEntity, { params: { id: things.entity } })).entity
    expect(entity.content).toBe(things.content)
    expect((await designer.call(getEntity, { params: { id: things.free } })).entity.latestVersion).toBe('1.0.0')
    const { entity: all } = await stranger.call(allCalls.listEntities, { query: { filter: 'PRIVATE' } })
    expect(all.filter(item => item.name.includes(secretWord))).toEqual([])
    const { manifests } = await stranger.call(allCalls.listManifests, { query: { filter: 'PRIVATE' } })
    expect(manifests.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual([own.manifest, own.sub])
  })
})

/** The same kinds of ids, but of objects that never existed. */
function absent(things: TestObjects): TestObjects {
  const never = 987_654_321
  return {
    ...things,
    entity: never,
    target: never + 1,
    manifest: never + 2,
    sub: never + 3,
    free: never + 4,
    entityLog: never + 5,
    manifestLog: never + 6,
    token: never + 7,
    package: never + 8,
    packageName: 'Never',
  }
}

/** The rejection without the requested id. */
function withoutIds({ status, message, code, errors }: Awaited<ReturnType<typeof rejectionOf>> & { errors?: unknown }) {
  return {
    status,
    code,
    message: message.replaceAll(foreign, '#').replaceAll(/\d+/g, '#'),
    errors: JSON.stringify(errors ?? []).replaceAll(/\d+/g, '#'),
  }
}

function queryOf(id: CallId, things: TestObjects): Record<string, unknown> {
  const input: CallInput = requests[id](things)
  return typeof input.query === 'object' ? { ...input.query } : {}
}
