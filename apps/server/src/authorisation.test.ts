/* oxlint-disable max-lines -- a table with one line for each call of the API */
import { addRelationship } from '@cadmus/model/contract/relationship'
import { createEntity, getEntity, listEntityLogs } from '@cadmus/model/contract/entity'
import { type EntityAnswer } from '@cadmus/model/contract/entity-shapes'
import { allCalls, type CallId } from '@cadmus/model/contract/calls'
import { type Call, onlyReads } from '@cadmus/model/contract/call'
import { listManifestLogs } from '@cadmus/model/contract/manifest'
import { addSubManifests } from '@cadmus/model/contract/manifest-members'
import { organisationHeader, signInHeader } from '@cadmus/model/contract/routes'
import { errorAnswer } from '@cadmus/model/contract/shared'
import { request } from 'node:http'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { cookieNames } from './auth/session.ts'
import { allRoutes } from './routes/all.ts'
import { ConsoleClient } from './testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from './testing/console.ts'
import { addManifest, aRelationship } from './testing/entities.ts'
import { scriptOf, tokenBody } from './testing/personal-tokens.ts'
import { signInStranger } from './testing/stranger.ts'

/** What ACME owns: `entity` is in `manifest` and points at `target`; `sub` is its sub-manifest. */
type Things = {
  entity: number
  target: number
  manifest: number
  sub: number
  free: number
  entityLog: number
  manifestLog: number
  token: number
  content: string
}
type Given = Parameters<ConsoleClient['send']>[1]

/** A word in every name of ACME's: where it is in an answer to somebody else, something leaked. */
const secretWord = 'Zinnober'
const nothing: Things = {
  entity: 0,
  target: 0,
  manifest: 0,
  sub: 0,
  free: 0,
  entityLog: 0,
  manifestLog: 0,
  token: 0,
  content: '{}',
}
const foreign = /-?\b\d{1,6}\b/g

/** One valid request for every call, on ACME's things. A new call does not compile until it has its line. */
const requests = {
  authorize: () => ({}),
  signIn: () => ({ query: { code: 'c', state: 's' } }),
  refreshSession: () => ({}),
  getSession: () => ({}),
  signOut: () => ({}),
  listTokens: () => ({}),
  createToken: () => ({ body: tokenBody({ name: name() }) }),
  revokeToken: ({ token }) => ({ params: { id: token } }),
  getNavigator: () => ({}),
  getNavigatorVersion: () => ({}),
  generateNavigator: () => ({}),
  listManifestFolders: () => ({}),
  listFolderManifests: () => ({ params: { folder: 'user-defined' } }),
  listManifestLogs: () => ({}),
  downloadManifestLogs: () => ({}),
  getManifestLog: ({ manifestLog }) => ({ params: { id: manifestLog } }),
  getManifestVersionContent: ({ manifest }) => ({ params: { id: manifest }, query: { version: '1.0.0' } }),
  importManifest: () => ({ files: { manifestFile: { name: 'a.zip', bytes: new Uint8Array([1]) } } }),
  getImportProgress: () => ({ params: { key: randomUUID() } }),
  downloadImportReport: () => ({ params: { key: randomUUID() } }),
  cancelImport: () => ({ params: { key: randomUUID() } }),
  createManifestByWizard: ({ free }) => ({ body: { manifestName: name(), entities: [free] } }),
  getManifest: ({ manifest }) => ({ params: { id: manifest } }),
  deleteManifest: ({ sub }) => ({ params: { id: sub } }),
  addEntitiesToManifest: ({ manifest, free }) => ({ params: { id: manifest }, body: { entityIds: [free] } }),
  removeEntityFromManifest: ({ manifest, entity }) => ({ params: { id: manifest, entityId: entity } }),
  removeSubManifest: ({ manifest, sub }) => ({ params: { id: manifest, subId: sub } }),
  createManifest: ({ free }) => ({ body: { manifestName: name(), entities: [free] } }),
  updateManifest: ({ manifest }) => ({ params: { id: manifest }, body: { manifestName: name() }, ifMatch: '*' }),
  addSubManifests: ({ sub, manifest }) => ({ params: { id: sub }, body: { submanifests: [manifest] } }),
  listManifestReferences: ({ sub }) => ({ params: { id: sub } }),
  listManifestParents: ({ sub }) => ({ params: { id: sub } }),
  listManifests: () => ({}),
  listOrganisationManifests: () => ({}),
  listManifestEntities: ({ manifest }) => ({ params: { id: manifest } }),
  listSubManifests: ({ manifest }) => ({ params: { id: manifest } }),
  validateManifest: ({ manifest }) => ({ params: { id: manifest } }),
  exportManifest: ({ manifest }) => ({ params: { id: manifest }, body: {} }),
  previewExport: ({ manifest }) => ({ params: { id: manifest }, body: {} }),
  listNamesakes: ({ manifest }) => ({ params: { id: manifest } }),
  resolveNamesakes: ({ manifest }) => ({ params: { id: manifest }, body: { strategy: 'prefix' }, ifMatch: '*' }),
  getManifestPaths: ({ manifest }) => ({ params: { id: manifest } }),
  getManifestConfiguration: ({ manifest }) => ({ params: { id: manifest } }),
  saveManifestConfiguration: ({ manifest }) => ({ params: { id: manifest }, body: {}, ifMatch: '*' }),
  addManifestVersion: ({ manifest }) => ({ params: { id: manifest }, query: { version: '9.0.0' } }),
  listManifestVersions: ({ manifest }) => ({ params: { id: manifest } }),
  deleteManifestVersion: ({ manifest }) => ({ params: { id: manifest }, query: { version: '1.0.0' } }),
  listEntityFolders: () => ({}),
  listFolderEntities: () => ({ params: { folder: 'user-defined' } }),
  listEntityLogs: () => ({}),
  downloadEntityLogs: () => ({}),
  getEntityLog: ({ entityLog }) => ({ params: { id: entityLog } }),
  getEntityVersionContent: ({ entity }) => ({ params: { id: entity }, query: { version: '1.0.0' } }),
  listEntityReferences: ({ entity }) => ({ params: { id: entity } }),
  getEntity: ({ entity }) => ({ params: { id: entity } }),
  getEntityScopes: ({ entity }) => ({ params: { id: entity } }),
  deleteEntity: ({ free }) => ({ params: { id: free } }),
  listOrganisationEntities: () => ({}),
  listEntities: () => ({}),
  searchAttributes: () => ({ query: { search: 'a' } }),
  createEntity: ({ manifest }) => ({ body: { entity: { name: name() }, targetManifestId: manifest } }),
  createEntityByWizard: ({ free }) => ({ body: { entity: { name: name() }, duplicateEntityId: free } }),
  updateEntity: ({ entity }) => ({ params: { id: entity }, body: { entity: { name: name() } }, ifMatch: '*' }),
  addRelationship: ({ entity, free }) => ({
    params: { id: entity },
    body: aRelationship({ id: free }, name()),
    ifMatch: '*',
  }),
  updateRelationship: ({ entity, target }) => ({
    params: { id: entity, associatedEntityId: target },
    query: { associatedAttributeName: 'targetId' },
    body: aRelationship({ id: target }, 'targetId'),
    ifMatch: '*',
  }),
  deleteRelationship: ({ entity, target }) => ({
    params: { id: entity, associatedEntityId: target },
    query: { associatedAttributeName: 'targetId' },
    ifMatch: '*',
  }),
  importEntity: ({ manifest }) => ({
    query: { targetManifest: manifest },
    files: { entityFile: { name: 'a.json', bytes: anEntityFile() } },
  }),
  addEntityVersion: ({ entity }) => ({ params: { id: entity }, query: { version: '9.0.0' } }),
  listEntityVersions: ({ entity }) => ({ params: { id: entity } }),
  deleteEntityVersion: ({ entity }) => ({ params: { id: entity }, query: { version: '1.0.0' } }),
  exportEntity: ({ entity }) => ({ params: { id: entity } }),
  adminCreateEntity: () => ({ body: { org: 'ACME', entity: { name: name() } } }),
  adminValidateEntityContent: ({ entity, content }) => ({ body: { id: entity, content } }),
  adminUpdateEntityContent: ({ entity, content }) => ({ body: { id: entity, content }, ifMatch: '*' }),
  adminReloadEntity: ({ entity }) => ({ params: { id: entity } }),
  adminListOrganisations: () => ({}),
  adminCreateOrganisation: () => ({ body: { code: 'NEW', name: 'New' } }),
  adminGetOrganisation: () => ({ params: { code: 'ACME' } }),
  adminUpdateOrganisation: () => ({ params: { code: 'ACME' }, body: { name: 'Other' }, ifMatch: '*' }),
  adminListMembers: () => ({ params: { code: 'ACME' } }),
  adminSetMember: () => ({ params: { code: 'ACME', userId: 'u' }, body: { subscription: 1 }, ifMatch: '*' }),
  adminRemoveMember: () => ({ params: { code: 'ACME', userId: 'u' }, ifMatch: '*' }),
  adminListOrganisationLogs: () => ({ params: { code: 'ACME' } }),
  adminListUsers: () => ({}),
} satisfies Record<CallId, (things: Things) => Given>

const ids = Object.keys(requests).filter((id): id is CallId => id in allCalls)
const handled = new Set(allRoutes.map(({ call }) => call.id))
const callsFor = (access: Call['access']) => ids.filter(id => handled.has(id) && allCalls[id].access === access)
const administrators = [...callsFor('admin'), ...callsFor('console')]

/** All that change nothing though they are no GET: what a read-only token may make beside those. */
const readingCalls = [
  'validateManifest',
  'exportManifest',
  'previewExport',
  'exportEntity',
  'adminValidateEntityContent',
] as const
/** What no token may make. */
const ofSessions = ['listTokens', 'createToken', 'revokeToken'] as const
const declared = (id: CallId): Call => allCalls[id]
const isReading = (id: CallId) => declared(id).method === 'GET' || readingCalls.some(reading => reading === id)

/** Requests of the stranger's own making that name something of ACME's where no path does. */
const smuggled: Record<string, (things: Things, own: Things) => [CallId, Given]> = {
  'an entity of a new manifest': ({ free }) => ['createManifest', { body: { manifestName: name(), entities: [free] } }],
  'a sub-manifest of a new manifest': ({ sub }) => [
    'createManifest',
    { body: { manifestName: name(), subManifests: [sub] } },
  ],
  'the entity of a wizard manifest': ({ free }) => [
    'createManifestByWizard',
    { body: { manifestName: name(), entities: [free] } },
  ],
  'the sub-manifest of a wizard manifest': ({ sub }) => [
    'createManifestByWizard',
    { body: { manifestName: name(), subManifests: [sub] } },
  ],
  'the manifest to duplicate': ({ manifest }) => [
    'createManifestByWizard',
    { body: { manifestName: name(), duplicateManifest: manifest } },
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
    { body: { entity: { name: name() }, targetManifestId: manifest } },
  ],
  'the manifest of a wizard entity': ({ manifest }) => [
    'createEntityByWizard',
    { body: { entity: { name: name() }, targetManifestId: manifest } },
  ],
  'the entity to duplicate': ({ free }) => [
    'createEntity',
    { body: { entity: { name: name() }, duplicateEntityId: free } },
  ],
  'the entity to duplicate in the wizard': ({ free }) => [
    'createEntityByWizard',
    { body: { entity: { name: name() }, duplicateEntityId: free } },
  ],
  'the parent of a new entity': ({ free }) => [
    'createEntity',
    { body: { entity: { name: name(), extendsEntity: { id: free } } } },
  ],
  'the parent of a saved entity': ({ free }, own) => [
    'updateEntity',
    { params: { id: own.free }, body: { entity: { name: name(), extendsEntity: { id: free } } }, ifMatch: '*' },
  ],
  'the target of a new entity': ({ free }) => [
    'createEntity',
    { body: { entity: { name: name(), entityAttributes: [aRelationship({ id: free }, 'otherId')] } } },
  ],
  'the target of a saved entity': ({ free }, own) => [
    'updateEntity',
    {
      params: { id: own.free },
      body: { entity: { name: name(), entityAttributes: [aRelationship({ id: free }, 'otherId')] } },
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

describe('Every call', () => {
  it('has its line in the table above, and knows who may make it', () => {
    expect(ids.toSorted()).toEqual(Object.keys(allCalls).toSorted())
    expect(callsFor('public').toSorted()).toEqual(['authorize', 'getSession', 'refreshSession', 'signIn', 'signOut'])
    expect(administrators.every(id => allCalls[id].path.includes('/admin/'))).toBe(true)
    const named = ids.filter(id => handled.has(id) && allCalls[id].path.includes('/admin/'))
    expect(named.toSorted()).toEqual(administrators.toSorted())
  })

  it('knows whether a token of a script may make it', () => {
    expect(ids.filter(id => declared(id).by === 'session').toSorted()).toEqual(ofSessions.toSorted())
    expect(ids.filter(id => declared(id).method !== 'GET' && onlyReads(declared(id))).toSorted()).toEqual(
      readingCalls.toSorted(),
    )
  })
})

const lists = callsFor('user').filter(
  id => allCalls[id].method === 'GET' && (!allCalls[id].path.includes('{') || id.startsWith('listFolder')),
)
/** Lists that name no thing of the organisation even to itself: the folders of custom things have fixed names. */
const wordless: readonly string[] = ['getNavigatorVersion', 'listManifestFolders']

describeOnBothStores('Who may make a call', store => {
  let server: TestConsole
  let designer: ConsoleClient
  let stranger: ConsoleClient
  let things: Things
  let own: Things
  let ready: Record<'reading' | 'plain', Awaited<ReturnType<typeof scriptOf>>> | undefined
  beforeAll(async () => {
    server = await startConsole({ store })
    designer = await server.as('designer')
    stranger = await signInStranger(server, [{ oc: 'GLOBEX', on: 'Globex', ng: 1 }], 'GLOBEX')
    things = await make(server, designer, secretWord)
    own = await make(server, stranger, 'Mine')
  })
  afterAll(() => server.stop())
  // Fifty requests a second are allowed.
  beforeEach(() => server.advance(4000))

  /** Of an administrator in CADMUS: one that is ticked and reads only, and one that writes and is not ticked. */
  const scripts = async () => {
    const admin = await server.as('admin')
    ready ??= { reading: await scriptOf(admin, { access: 'read', isAdmin: true }), plain: await scriptOf(admin) }
    return ready
  }

  const send = (client: ConsoleClient, id: CallId, given: Given = requests[id](things)) =>
    client.send(allCalls[id], given)

  it.each([...callsFor('user'), ...administrators])('M7.2 %s: nobody is answered 401', async id => {
    const visitor = new ConsoleClient(server.visitor(), '', 'ACME')
    expect(await refused(await send(visitor, id))).toMatchObject({ status: 401, code: 'unauthenticated' })
    const forged = { authorization: 'Bearer AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' }
    const answer = await send(visitor, id, { ...requests[id](things), headers: forged })
    expect(await refused(answer)).toMatchObject({ status: 401, code: 'unauthenticated' })
  })

  it.each(ids.filter(id => handled.has(id) && allCalls[id].method === 'GET'))(
    '%s: HEAD goes through the same gate as GET',
    async id => {
      const path = allCalls[id].path.replaceAll(/\{\w+\}/g, '1')
      const headers = { [organisationHeader]: 'ACME' }
      const { status } = await server.visitor().fetch(path, { method: 'HEAD', headers })
      expect([401, 403]).toContain(status)
    },
  )

  it.each(callsFor('public'))('%s: a sign-in call without its header is 403', async id => {
    const answer = await send(new ConsoleClient(server.visitor(), '', undefined), id)
    expect(await refused(answer)).toMatchObject({ status: 403, code: 'header_missing' })
  })

  it.each([...callsFor('user'), ...administrators])(
    'M6.4 M7.1 %s: 403 for cookies without organisation, for one that the user lacks and for one without subscription',
    async id => {
      const newcomer = await server.as('newcomer', 'GLOBEX')
      const nameless = new ConsoleClient(designer.browser, designer.userId, undefined)
      const elsewhere = new ConsoleClient(designer.browser, designer.userId, 'CADMUS')
      expect(await refused(await send(nameless, id))).toMatchObject({ status: 403, code: 'header_missing' })
      expect(await refused(await send(elsewhere, id))).toMatchObject({ status: 403, code: 'no_subscription' })
      expect(await refused(await send(newcomer, id))).toMatchObject({ status: 403, code: 'no_subscription' })
    },
  )

  it.each(administrators)('M6.2 %s: a designer is answered 403', async id => {
    expect(await refused(await send(designer, id))).toMatchObject({ status: 403, code: 'forbidden' })
    const nameless = new ConsoleClient(designer.browser, designer.userId, undefined, { [signInHeader]: '1' })
    const code = allCalls[id].access === 'console' ? 'forbidden' : 'header_missing'
    expect(await refused(await send(nameless, id))).toMatchObject({ status: 403, code })
  })

  const forScripts = [...callsFor('user'), ...callsFor('admin')].filter(id => declared(id).by !== 'session')

  it.each(forScripts.filter(id => !isReading(id)))('%s: 403 with a read-only token', async id => {
    const { script } = (await scripts()).reading
    expect(await refused(await send(script, id))).toMatchObject({ status: 403, code: 'read_only' })
  })

  it.each(forScripts.filter(isReading))('%s: a read-only token is let in', async id => {
    const { script } = (await scripts()).reading
    expect((await refused(await send(script, id))).code).not.toMatch(/read_only|unauthenticated|forbidden/)
  })

  it.each(forScripts)(
    "%s: 403 with a token in another organisation of its user's, and in one that is not",
    async id => {
      const { script, secret } = (await scripts()).plain
      for (const code of ['ACME', 'NOBODY']) {
        const elsewhere = new ConsoleClient(script.browser, '', code, { authorization: `Bearer ${secret}` })
        expect(await refused(await send(elsewhere, id))).toMatchObject({ status: 403, code: 'foreign_organisation' })
      }
    },
  )

  it.each(callsFor('admin'))("%s: an administrator's token that was not ticked is answered 403", async id => {
    const { script } = (await scripts()).plain
    expect(await refused(await send(script, id))).toMatchObject({ status: 403, code: 'forbidden' })
  })

  it.each(ofSessions)('%s: 403 with a token, and with that of the built-in administrator', async id => {
    const { plain, reading } = await scripts()
    for (const client of [plain.script, server.bootstrap('ACME')]) {
      expect(await refused(await send(client, id))).toMatchObject({ status: 403, code: 'session_required' })
    }
    expect((await send(reading.script, id)).status).toBe(403)
  })

  it.each(callsFor('public'))('%s: 403 with a token, which neither signs in nor out', async id => {
    const { script } = (await scripts()).plain
    const headers = { [signInHeader]: '1' }
    const answer = await refused(await send(script, id, { ...requests[id](things), headers }))
    expect(answer).toMatchObject({ status: 403, code: 'session_required' })
  })

  it.each(callsFor('console'))(
    '%s: an administrator who works nowhere is let in, a form of another site is not',
    async id => {
      const admin = await signInStranger(server, [], '', true)
      const own = new ConsoleClient(admin.browser, admin.userId, undefined, { [signInHeader]: '1' })
      const given = { ...requests[id](things), ...(allCalls[id].method === 'GET' ? {} : { body: { wrong: 1 } }) }
      // What is let in is judged by its own call: with a body that is none nothing is changed.
      expect([200, 400, 404]).toContain((await send(own, id, given)).status)
      const bare = new ConsoleClient(admin.browser, admin.userId, undefined)
      expect(await refused(await send(bare, id, given))).toMatchObject({ status: 403, code: 'header_missing' })
      const lost = new ConsoleClient(admin.browser, admin.userId, 'ACME', { [signInHeader]: '1' })
      expect(await refused(await send(lost, id, given))).toMatchObject({ status: 403, code: 'no_subscription' })
      const { script } = (await scripts()).reading
      expect(await refused(await send(script, id))).toMatchObject({ status: 403, code: 'session_required' })
    },
  )

  it.each(ids.filter(id => handled.has(id) && allCalls[id].method !== 'GET'))(
    '%s: a page of another site is answered 403',
    async id => {
      const headers = { origin: 'https://evil.example', [signInHeader]: '1' }
      const answer = await send(designer, id, { ...requests[id](things), headers })
      expect(await refused(answer)).toMatchObject({ status: 403, code: 'foreign_origin' })
    },
  )

  it.each(ids)('%s: under another host name it is 421', async id => {
    const cookie = `${cookieNames.session}=${designer.browser.cookies.get(cookieNames.session)?.value ?? ''}`
    const path = allCalls[id].path.replaceAll(/\{\w+\}/g, '1')
    const { method } = allCalls[id]
    const headers = { cookie, host: 'evil.example', [organisationHeader]: 'ACME', [signInHeader]: '1' }
    expect(await statusOf(new URL(path, server.url), { method, headers })).toBe(421)
  })

  it.each(callsFor('user').filter(id => allCalls[id].path.includes('{') && !id.startsWith('listFolder')))(
    'M6.5 %s: what belongs to another organisation is 404, as if it were not there',
    async id => {
      const theirs = await refused(await send(stranger, id))
      const gone = await refused(await send(stranger, id, requests[id](absent(things))))
      expect(theirs.status).toBe(404)
      expect(withoutIds(theirs)).toEqual(withoutIds(gone))
      expect(theirs.text).not.toContain(secretWord)
    },
  )

  it.each(Object.keys(smuggled))('M6.5 %s is refused as if it were not there', async what => {
    const [id, given] = smuggled[what]?.(things, own) ?? ['getEntity', {}]
    const theirs = await refused(await send(stranger, id, given))
    const [, missing] = smuggled[what]?.(absent(things), own) ?? ['getEntity', {}]
    const gone = await refused(await send(stranger, id, missing))
    expect([400, 404]).toContain(theirs.status)
    expect(withoutIds(theirs)).toEqual(withoutIds(gone))
    expect(theirs.text).not.toContain(secretWord)
  })

  it.each(lists)('M6.5 %s: a list holds nothing of another organisation', async id => {
    const given = { ...requests[id](things), query: { ...queryOf(id), search: '', limit: 1000 } }
    const answer = await send(stranger, id, id.startsWith('getNavigator') ? {} : given)
    expect(answer.status).toBe(200)
    expect(await answer.text()).not.toContain(secretWord)
    const found = await (await send(designer, id, id.startsWith('getNavigator') ? {} : given)).text()
    expect(found.includes(secretWord)).toBe(!wordless.includes(id))
  })

  it('M6.5 a predefined id is no way to write for a stranger or a designer', async () => {
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

  it('M6.5 an alternative target tells nothing about what it names', async () => {
    const told = async (id: number, foreignKey: string) => {
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
    const gone = [{ entity: { id: -1, name: 'Guess', path: 'user-defined/Guess' }, attribute: 'id' }]
    expect(await told(things.free, 'aimId')).toEqual(gone)
    expect(await told(absent(things).free, 'goalId')).toEqual(gone)
  })

  it('M6.5 after all of this ACME has what it had, and nobody else has anything of it', async () => {
    const entity = (await designer.call(getEntity, { params: { id: things.entity } })).entity
    expect(entity.content).toBe(things.content)
    expect((await designer.call(getEntity, { params: { id: things.free } })).entity.latestVersion).toBe('1.0.0')
    const { entity: all } = await stranger.call(allCalls.listEntities, { query: { filter: 'PRIVATE' } })
    expect(all.filter(item => item.name.includes(secretWord))).toEqual([])
    const { manifests } = await stranger.call(allCalls.listManifests, { query: { filter: 'PRIVATE' } })
    expect(manifests.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual([own.manifest, own.sub])
  })
})

async function make(server: TestConsole, client: ConsoleClient, word: string): Promise<Things> {
  const organisation = client.organisation ?? ''
  const manifest = await addManifest(server, `${word}_Manifest`, organisation)
  const sub = await addManifest(server, `${word}_Sub`, organisation)
  await client.call(addSubManifests, { params: { id: manifest }, body: { submanifests: [sub] } })
  const create = async (suffix: string, body: object = {}): Promise<EntityAnswer> =>
    (await client.call(createEntity, { body: { entity: { name: `${word}_${suffix}`, ...body } } })).entity
  const target = await create('Target')
  const free = await create('Free')
  const { entity } = await client.call(createEntity, {
    body: {
      entity: { name: `${word}_Entity`, entityAttributes: [aRelationship(target, 'targetId')] },
      targetManifestId: manifest,
    },
  })
  const { content } = (await client.call(getEntity, { params: { id: entity.id } })).entity
  const [entityLog, manifestLog] = [await client.call(listEntityLogs, {}), await client.call(listManifestLogs, {})]
  return {
    entity: entity.id,
    target: target.id,
    free: free.id,
    manifest,
    sub,
    entityLog: entityLog.entityLogs[0]?.ID ?? 0,
    manifestLog: manifestLog.manifestLogs[0]?.ID ?? 0,
    token: (await scriptOf(client, { name: `${word} token` })).id,
    content,
  }
}

/** The same kinds of ids, of things that never were. */
function absent(things: Things): Things {
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
  }
}

async function refused(answer: Response) {
  const text = await answer.text()
  if (answer.ok) return { status: answer.status, message: text, code: 'ok', text }
  return { status: answer.status, ...errorAnswer.parse(JSON.parse(text)), text }
}

/** What a refusal says, the number that was asked for aside. */
function withoutIds({ status, message, code, errors }: Awaited<ReturnType<typeof refused>> & { errors?: unknown }) {
  return {
    status,
    code,
    message: message.replaceAll(foreign, '#').replaceAll(/\d+/g, '#'),
    errors: JSON.stringify(errors ?? []).replaceAll(/\d+/g, '#'),
  }
}

function queryOf(id: CallId): Record<string, unknown> {
  const given: Given = requests[id](nothing)
  return typeof given.query === 'object' ? { ...given.query } : {}
}

let made = 0
function name(): string {
  return `Stranger${++made}`
}

function anEntityFile(): Uint8Array {
  return new TextEncoder().encode('{}')
}

function statusOf(url: URL, options: { method: string; headers: Record<string, string> }): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(url, options, answer => {
      answer.resume()
      resolve(answer.statusCode ?? 0)
    })
    sent.once('error', reject)
    sent.end()
  })
}
