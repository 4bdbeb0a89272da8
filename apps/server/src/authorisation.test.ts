/* oxlint-disable max-lines -- one table of what is refused to whom */
import { addRelationship } from '@cadmus/model/contract/relationship'
import { getEntity } from '@cadmus/model/contract/entity'
import { allCalls, type CallId } from '@cadmus/model/contract/calls'
import { type Call, onlyReads } from '@cadmus/model/contract/call'
import { organisationHeader, signInHeader } from '@cadmus/model/contract/routes'
import { errorAnswer } from '@cadmus/model/contract/shared'
import { holds } from '@cadmus/testing/holds'
import { request } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { cookieNames } from './auth/session.ts'
import { allRoutes } from './routes/all.ts'
import { ConsoleClient } from './testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from './testing/console.ts'
import { aRelationship } from './testing/entities.ts'
import { anEntityFile, type Given, makeThings, newName, nothing, requests, type Things } from './testing/every-call.ts'
import { scriptOf } from './testing/personal-tokens.ts'
import { signInStranger } from './testing/stranger.ts'

/** A word in every name of ACME's: where it is in an answer to somebody else, something leaked. */
const secretWord = 'Zinnober'
const foreign = /-?\b\d{1,6}\b/g

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
  'compareBuild',
  'listWorkspacePackages',
  'listInstancePackages',
  'listInstanceDatabases',
  'getInstanceDatabase',
  'testInstance',
] as const
/** What no token may make. */
const ofSessions = ['listTokens', 'createToken', 'revokeToken', 'beginOnboarding'] as const
const declared = (id: CallId): Call => allCalls[id]
const isReading = (id: CallId) => declared(id).method === 'GET' || readingCalls.some(reading => reading === id)

/** Requests of the stranger's own making that name something of ACME's where no path does. */
const smuggled: Record<string, (things: Things, own: Things) => [CallId, Given]> = {
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
/** Lists that name no thing of the organisation even to itself: the folders of custom things have fixed names, instances are everybody's. */
const wordless: readonly string[] = ['getNavigatorVersion', 'listManifestFolders', 'getPackageStatus', 'listWorkspaces']

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
    things = await withToken(designer, secretWord)
    own = await withToken(stranger, 'Mine')
  })
  afterAll(() => server.stop())
  // Fifty requests a second are allowed.
  beforeEach(() => server.advance(4000))

  const withToken = async (client: ConsoleClient, word: string): Promise<Things> => ({
    ...(await makeThings(server, client, word)),
    token: (await scriptOf(client, { name: `${word} token` })).id,
  })

  /** Of an administrator in CADMUS: one that is ticked and reads only, and one that writes and is not ticked. */
  const scripts = async () => {
    const admin = await server.as('admin')
    ready ??= { reading: await scriptOf(admin, { access: 'read', isAdmin: true }), plain: await scriptOf(admin) }
    return ready
  }

  const send = (client: ConsoleClient, id: CallId, given: Given = requests[id](things)) =>
    client.send(allCalls[id], given)

  it.each([...callsFor('user'), ...administrators])('%s: nobody is answered 401', holds('M7.2'), async id => {
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
    '%s: 403 for cookies without organisation, for one that the user lacks and for one without subscription',
    holds('M6.4', 'M7.1'),
    async id => {
      const newcomer = await server.as('newcomer', 'GLOBEX')
      const nameless = new ConsoleClient(designer.browser, designer.userId, undefined)
      const elsewhere = new ConsoleClient(designer.browser, designer.userId, 'CADMUS')
      expect(await refused(await send(nameless, id))).toMatchObject({ status: 403, code: 'header_missing' })
      expect(await refused(await send(elsewhere, id))).toMatchObject({ status: 403, code: 'no_subscription' })
      expect(await refused(await send(newcomer, id))).toMatchObject({ status: 403, code: 'no_subscription' })
    },
  )

  it.each(administrators)('%s: a designer is answered 403', holds('M6.2'), async id => {
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
    expect((await refused(await send(script, id))).code).not.toMatch(/^(read_only|unauthenticated|forbidden)$/)
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
    '%s: what belongs to another organisation is 404, as if it were not there',
    async id => {
      const theirs = await refused(await send(stranger, id))
      const gone = await refused(await send(stranger, id, requests[id](absent(things))))
      expect(theirs.status).toBe(404)
      expect(withoutIds(theirs)).toEqual(withoutIds(gone))
      expect(theirs.text).not.toContain(secretWord)
    },
  )

  it.each(Object.keys(smuggled))('%s is refused as if it were not there', async what => {
    const [id, given] = smuggled[what]?.(things, own) ?? ['getEntity', {}]
    const theirs = await refused(await send(stranger, id, given))
    const [, missing] = smuggled[what]?.(absent(things), own) ?? ['getEntity', {}]
    const gone = await refused(await send(stranger, id, missing))
    expect([400, 404]).toContain(theirs.status)
    expect(withoutIds(theirs)).toEqual(withoutIds(gone))
    expect(theirs.text).not.toContain(secretWord)
  })

  it.each(lists)('%s: a list holds nothing of another organisation', async id => {
    const given = { ...requests[id](things), query: { ...queryOf(id), search: '', limit: 1000 } }
    const answer = await send(stranger, id, id.startsWith('getNavigator') ? {} : given)
    expect(answer.status).toBe(200)
    expect(await answer.text()).not.toContain(secretWord)
    const found = await (await send(designer, id, id.startsWith('getNavigator') ? {} : given)).text()
    expect(found.includes(secretWord)).toBe(!wordless.includes(id))
  })

  it('a predefined id is no way to write for a stranger or a designer', async () => {
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

  it('an alternative target tells nothing about what it names', async () => {
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

  it('after all of this ACME has what it had, and nobody else has anything of it', async () => {
    const entity = (await designer.call(getEntity, { params: { id: things.entity } })).entity
    expect(entity.content).toBe(things.content)
    expect((await designer.call(getEntity, { params: { id: things.free } })).entity.latestVersion).toBe('1.0.0')
    const { entity: all } = await stranger.call(allCalls.listEntities, { query: { filter: 'PRIVATE' } })
    expect(all.filter(item => item.name.includes(secretWord))).toEqual([])
    const { manifests } = await stranger.call(allCalls.listManifests, { query: { filter: 'PRIVATE' } })
    expect(manifests.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual([own.manifest, own.sub])
  })
})

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
    package: never + 8,
    packageName: 'Never',
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
