import { getEntity } from '@cadmus/model/contract/entity'
import { allCalls, type CallId } from '@cadmus/model/testing/calls'
import { type Call, onlyReads } from '@cadmus/model/contract/call'
import { organisationHeader, signInHeader } from '@cadmus/model/contract/routes'
import { holds } from '@cadmus/testing/holds'
import { request } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { cookieNames } from './auth/session.ts'
import { ConsoleClient } from './testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from './testing/console.ts'
import { type CallInput, requests, type TestObjects } from './testing/every-call.ts'
import { scriptOf } from './testing/personal-tokens.ts'
import { signInStranger } from './testing/unknown-user.ts'
import { callIds, callsFor, callsOn, handledIds, createTestObjectsAndToken, rejectionOf } from './testing/access.ts'

const administrators = [...callsFor('admin'), ...callsFor('console')]

/** Calls without side effects although their method is not GET; allowed for read-only tokens. */
const readingCalls = [
  'validateManifest',
  'exportManifest',
  'previewExport',
  'exportEntity',
  'adminValidateEntityContent',
  'compareBuild',
  'checkRebuild',
  'compareManifest',
  'compareManifestEntity',
  'compareConsequences',
  'compareMigration',
  'compareDiagram',
  'compareDiagramRows',
  'findProblems',
  'findFixes',
  'getEntityImpact',
  'readEntityContents',
  'readEntityStates',
  'readSqlText',
  'listWorkspacePackages',
  'listInstancePackages',
  'listInstanceDatabases',
  'getInstanceDatabase',
  'testInstance',
] as const
/** Calls that no token may make. */
const ofSessions = ['listTokens', 'createToken', 'revokeToken', 'beginOnboarding'] as const
const declared = (id: CallId): Call => allCalls[id]
const isReading = (id: CallId) => declared(id).method === 'GET' || readingCalls.some(reading => reading === id)

describe('Declaration of every call', () => {
  it('has a sample request and an access level', () => {
    expect(callIds.toSorted()).toEqual(Object.keys(allCalls).toSorted())
    expect(callsFor('public').toSorted()).toEqual(['authorize', 'getSession', 'refreshSession', 'signIn', 'signOut'])
    expect(administrators.every(id => allCalls[id].path.includes('/admin/'))).toBe(true)
    const named = handledIds.filter(id => allCalls[id].path.includes('/admin/'))
    expect(named.toSorted()).toEqual(administrators.toSorted())
  })

  it('declares whether tokens may make it', () => {
    expect(callIds.filter(id => declared(id).by === 'session').toSorted()).toEqual(ofSessions.toSorted())
    expect(callIds.filter(id => declared(id).method !== 'GET' && onlyReads(declared(id))).toSorted()).toEqual(
      readingCalls.toSorted(),
    )
  })
})

describeOnBothStores('Access to calls', store => {
  let server: TestConsole
  let designer: ConsoleClient
  let things: TestObjects
  let ready: Record<'reading' | 'plain', Awaited<ReturnType<typeof scriptOf>>> | undefined
  beforeAll(async () => {
    server = await startConsole({ store })
    designer = await server.as('designer')
    things = await createTestObjectsAndToken(server, designer, 'Theirs')
  })
  afterAll(() => server.stop())
  // Stays below the limit of fifty requests a second, and all tests within a session's lifetime.
  beforeEach(() => server.advance(2000))

  /** Tokens of an administrator in CADMUS: a read-only one with administrator permission, and a writing one without. */
  const scripts = async () => {
    const admin = await server.as('admin')
    ready ??= { reading: await scriptOf(admin, { access: 'read', isAdmin: true }), plain: await scriptOf(admin) }
    return ready
  }

  const on = (ids: readonly CallId[]) => callsOn(store, ids)
  const send = (client: ConsoleClient, id: CallId, input: CallInput = requests[id](things)) =>
    client.send(allCalls[id], input)

  it.each(on([...callsFor('user'), ...administrators]))(
    '%s: rejects an anonymous caller with 401',
    holds('M7.2'),
    async id => {
      const visitor = new ConsoleClient(server.visitor(), '', 'ACME')
      expect(await rejectionOf(await send(visitor, id))).toMatchObject({ status: 401, code: 'unauthenticated' })
      const forged = { authorization: 'Bearer AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' }
      const answer = await send(visitor, id, { ...requests[id](things), headers: forged })
      expect(await rejectionOf(answer)).toMatchObject({ status: 401, code: 'unauthenticated' })
    },
  )

  it.each(on(handledIds.filter(id => allCalls[id].method === 'GET')))(
    '%s: HEAD passes the same gate as GET',
    async id => {
      const path = allCalls[id].path.replaceAll(/\{\w+\}/g, '1')
      const headers = { [organisationHeader]: 'ACME' }
      const { status } = await server.visitor().fetch(path, { method: 'HEAD', headers })
      expect([401, 403]).toContain(status)
    },
  )

  it.each(callsFor('public'))('%s: rejects a sign-in call without its header with 403', async id => {
    const answer = await send(new ConsoleClient(server.visitor(), '', undefined), id)
    expect(await rejectionOf(answer)).toMatchObject({ status: 403, code: 'header_missing' })
  })

  it.each(on([...callsFor('user'), ...administrators]))(
    '%s: rejects a session without organisation, in a foreign organisation or without subscription with 403',
    holds('M6.4', 'M7.1'),
    async id => {
      const newcomer = await server.as('newcomer', 'GLOBEX')
      const nameless = new ConsoleClient(designer.browser, designer.userId, undefined)
      const elsewhere = new ConsoleClient(designer.browser, designer.userId, 'CADMUS')
      expect(await rejectionOf(await send(nameless, id))).toMatchObject({ status: 403, code: 'header_missing' })
      expect(await rejectionOf(await send(elsewhere, id))).toMatchObject({ status: 403, code: 'no_subscription' })
      expect(await rejectionOf(await send(newcomer, id))).toMatchObject({ status: 403, code: 'no_subscription' })
    },
  )

  it.each(on(administrators))('%s: rejects a designer with 403', holds('M6.2'), async id => {
    expect(await rejectionOf(await send(designer, id))).toMatchObject({ status: 403, code: 'forbidden' })
    const nameless = new ConsoleClient(designer.browser, designer.userId, undefined, { [signInHeader]: '1' })
    const code = allCalls[id].access === 'console' ? 'forbidden' : 'header_missing'
    expect(await rejectionOf(await send(nameless, id))).toMatchObject({ status: 403, code })
  })

  const forScripts = [...callsFor('user'), ...callsFor('admin')].filter(id => declared(id).by !== 'session')

  it.each(on(forScripts.filter(id => !isReading(id))))('%s: rejects a read-only token with 403', async id => {
    const { script } = (await scripts()).reading
    expect(await rejectionOf(await send(script, id))).toMatchObject({ status: 403, code: 'read_only' })
  })

  it.each(on(forScripts.filter(isReading)))('%s: accepts a read-only token', async id => {
    const { script } = (await scripts()).reading
    expect((await rejectionOf(await send(script, id))).code).not.toMatch(/^(read_only|unauthenticated|forbidden)$/)
  })

  it.each(on(forScripts))(
    '%s: rejects a token in another organisation of its user and in an unknown one with 403',
    async id => {
      const { script, secret } = (await scripts()).plain
      for (const code of ['ACME', 'NOBODY']) {
        const elsewhere = new ConsoleClient(script.browser, '', code, { authorization: `Bearer ${secret}` })
        expect(await rejectionOf(await send(elsewhere, id))).toMatchObject({
          status: 403,
          code: 'foreign_organisation',
        })
      }
    },
  )

  it.each(on(callsFor('admin')))(
    "%s: rejects an administrator's token without administrator permission with 403",
    async id => {
      const { script } = (await scripts()).plain
      expect(await rejectionOf(await send(script, id))).toMatchObject({ status: 403, code: 'forbidden' })
    },
  )

  it.each(ofSessions)('%s: rejects personal and bootstrap tokens with 403', async id => {
    const { plain, reading } = await scripts()
    for (const client of [plain.script, server.bootstrap('ACME')]) {
      expect(await rejectionOf(await send(client, id))).toMatchObject({ status: 403, code: 'session_required' })
    }
    expect((await send(reading.script, id)).status).toBe(403)
  })

  it.each(callsFor('public'))('%s: rejects tokens with 403, because they neither sign in nor out', async id => {
    const { script } = (await scripts()).plain
    const headers = { [signInHeader]: '1' }
    const answer = await rejectionOf(await send(script, id, { ...requests[id](things), headers }))
    expect(answer).toMatchObject({ status: 403, code: 'session_required' })
  })

  it.each(on(callsFor('console')))(
    '%s: accepts an administrator without organisation and rejects a form of another site',
    async id => {
      const admin = await signInStranger(server, [], '', true)
      const own = new ConsoleClient(admin.browser, admin.userId, undefined, { [signInHeader]: '1' })
      const input = { ...requests[id](things), ...(allCalls[id].method === 'GET' ? {} : { body: { wrong: 1 } }) }
      // The call validates an admitted request; with an invalid body it changes nothing.
      expect([200, 400, 404]).toContain((await send(own, id, input)).status)
      const bare = new ConsoleClient(admin.browser, admin.userId, undefined)
      expect(await rejectionOf(await send(bare, id, input))).toMatchObject({ status: 403, code: 'header_missing' })
      const lost = new ConsoleClient(admin.browser, admin.userId, 'ACME', { [signInHeader]: '1' })
      expect(await rejectionOf(await send(lost, id, input))).toMatchObject({ status: 403, code: 'no_subscription' })
      const { script } = (await scripts()).reading
      expect(await rejectionOf(await send(script, id))).toMatchObject({ status: 403, code: 'session_required' })
    },
  )

  it.each(on(handledIds.filter(id => allCalls[id].method !== 'GET')))(
    '%s: rejects a page of another site with 403',
    async id => {
      const headers = { origin: 'https://evil.example', [signInHeader]: '1' }
      const answer = await send(designer, id, { ...requests[id](things), headers })
      expect(await rejectionOf(answer)).toMatchObject({ status: 403, code: 'foreign_origin' })
    },
  )

  it.each(on(callIds))('%s: rejects a foreign host name with 421', async id => {
    const cookie = `${cookieNames.session}=${designer.browser.cookies.get(cookieNames.session)?.value ?? ''}`
    const path = allCalls[id].path.replaceAll(/\{\w+\}/g, '1')
    const { method } = allCalls[id]
    const headers = { cookie, host: 'evil.example', [organisationHeader]: 'ACME', [signInHeader]: '1' }
    expect(await statusOf(new URL(path, server.url), { method, headers })).toBe(421)
  })

  it("ACME's data is unchanged after all rejected calls", async () => {
    const entity = (await designer.call(getEntity, { params: { id: things.entity } })).entity
    expect(entity.content).toBe(things.content)
    expect((await designer.call(getEntity, { params: { id: things.free } })).entity.latestVersion).toBe('1.0.0')
  })
})

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
