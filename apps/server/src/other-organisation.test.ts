import { adminUpdateOrganisation } from '@cadmus/model/contract/admin-organisation'
import { allCalls, type CallId } from '@cadmus/model/testing/calls'
import { type Call, allowsOtherOrganisation } from '@cadmus/model/contract/call'
import { databaseTypes } from '@cadmus/model/database-types'
import { listEntities, listEntityLogs } from '@cadmus/model/contract/entity'
import { listManifestLogs, listManifests } from '@cadmus/model/contract/manifest'
import { adminOrganisationHeader, signInHeader } from '@cadmus/model/contract/routes'
import { listTokens } from '@cadmus/model/contract/token'
import { errorAnswer } from '@cadmus/model/contract/shared'
import { holds } from '@cadmus/testing/holds'
import { isProving } from '@cadmus/testing/proof'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { ConsoleClient } from './testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from './testing/console.ts'
import {
  answers,
  type CallInput,
  createTestObjects,
  newName,
  requests,
  type TestObjects,
} from './testing/every-call.ts'
import { scriptOf } from './testing/personal-tokens.ts'
import { signInStranger } from './testing/unknown-user.ts'

const ids = Object.keys(requests).filter((id): id is CallId => id in allCalls)
const declared = (id: CallId): Call => allCalls[id]
const placed = ids.filter(id => allowsOtherOrganisation(declared(id)))
const ofSessions = ids.filter(id => declared(id).by === 'session')
const isReading = (id: CallId) => declared(id).method === 'GET' || declared(id).reads === true
const ofConsole = ids.filter(id => declared(id).access === 'console')
const ofAnybody = ids.filter(id => declared(id).access === 'public')
/** All codes in full proofs, otherwise one for each call, because all calls share the gate. */
const some = (id: CallId, codes: readonly string[]) =>
  isProving() ? codes : codes.filter((_, at) => at === ids.indexOf(id) % codes.length)
const answerOf = (id: CallId) => answers[id] ?? '200 ok'
const secretWord = 'Karmesin'
const parameter = z.object({ name: z.string(), required: z.boolean().optional() })
const description = z.object({
  paths: z.record(z.string(), z.record(z.string(), z.object({ parameters: z.array(parameter).optional() }))),
})

describe('Calls of administrators in any organisation', () => {
  it('are all calls within an organisation except those of access tokens', () => {
    expect(placed.length).toBeGreaterThan(60)
    expect(placed).toEqual(expect.arrayContaining(['getEntity', 'adminUpdateEntityContent', 'generateNavigator']))
    expect(ofSessions.toSorted()).toEqual(['beginOnboarding', 'createToken', 'listTokens', 'revokeToken'])
    for (const id of placed) expect(declared(id).access).toMatch(/^(?:user|admin)$/)
    for (const id of ids.filter(one => !placed.includes(one) && !ofSessions.includes(one)))
      expect(declared(id).access).toMatch(/^(?:public|console)$/)
  })
})

describeOnBothStores.whenProving('An administrator in another organisation', store => {
  let server: TestConsole
  let designer: ConsoleClient
  let admin: ConsoleClient
  let ticked: ConsoleClient
  let plain: ConsoleClient
  let reading: ConsoleClient
  // The gate rejects before the store is used, so a few calls suffice for the second store.
  const verdict = store === 'sqlite' ? placed : (['listEntities', 'updateEntity', 'adminCreateEntity'] as const)
  beforeAll(async () => {
    server = await startConsole({ store })
    designer = await server.as('designer')
    admin = await signInStranger(server, [{ oc: 'CADMUS', on: 'Cadmus', ng: 1 }], 'CADMUS', true)
    // Exceeds the demo licence and permits every build.
    const licence = { manifestLimit: null, rest: true, graphql: true, databaseTypes: [...databaseTypes] }
    const limits = { params: { code: 'ACME' }, body: { licence }, ifMatch: '*' }
    await admin.call(adminUpdateOrganisation, limits)
    ticked = (await scriptOf(admin, { isAdmin: true })).script
    plain = (await scriptOf(admin)).script
    reading = (await scriptOf(admin, { isAdmin: true, access: 'read' })).script
  })
  afterAll(() => server.stop())
  // Stays below the limit of fifty requests a second.
  beforeEach(() => server.advance(4000))

  const inside = (code: string) => ({ [adminOrganisationHeader]: code })
  const send = async (client: ConsoleClient, id: CallId, input: CallInput, headers: Record<string, string> = {}) => {
    const answer = await client.send(allCalls[id], { ...input, headers: { ...headers, ...input.headers } })
    const text = await answer.text()
    return answer.ok
      ? { status: answer.status, code: 'ok', message: '', text }
      : { status: answer.status, ...errorAnswer.parse(JSON.parse(text)), text }
  }
  /** The same administrator, with only the header of another organisation. */
  const elsewhere = (code = 'ACME') => new ConsoleClient(admin.browser, admin.userId, undefined, inside(code))
  const ofCadmus = async () => {
    const { totalElements: entities } = await admin.call(listEntities, { query: { filter: 'PRIVATE' } })
    const { totalElements: manifests } = await admin.call(listManifests, { query: { filter: 'PRIVATE' } })
    const { totalElements: entries } = await admin.call(listEntityLogs, {})
    const { totalElements: others } = await admin.call(listManifestLogs, {})
    return { entities, manifests, entries, others }
  }

  it.each(placed)(
    "%s: an administrator gets a member's answer in another organisation and changes nothing in their own",
    holds('M1.21', 'M6.2'),
    async id => {
      const [mine, theirs] = isReading(id) || answerOf(id) !== '200 ok' ? await looked() : await twoOf(id)
      const before = await ofCadmus()
      const isAdmins = declared(id).access === 'admin'
      const there = isAdmins ? server.bootstrap('ACME') : designer
      const expected = await send(there, id, requests[id](mine))
      expect(`${expected.status} ${expected.code}`).toBe(answerOf(id))
      const result = await send(elsewhere(), id, requests[id](theirs))
      expect([result.status, result.code]).toEqual([expected.status, expected.code])
      expect(result.code).not.toMatch(/^(?:forbidden|header_missing|no_subscription|unauthenticated)$/)
      expect(await ofCadmus()).toEqual(before)
    },
  )

  it.each(ofSessions)('%s: answers a designer and a signed-in administrator', async id => {
    for (const client of [designer, await signInStranger(server, [{ oc: 'ACME', on: 'Acme', ng: 1 }], 'ACME', true)]) {
      const { id: token } = await scriptOf(client, { name: newName() })
      const result = await send(client, id, requests[id]({ ...(await looked())[0], token }))
      expect(`${result.status} ${result.code}`).toBe(answerOf(id))
    }
  })

  it.each(ofConsole)('%s: answers an administrator without organisation', async id => {
    const { browser, userId } = await signInStranger(server, [], '', true)
    const nowhere = new ConsoleClient(browser, userId, undefined)
    for (const [client, headers] of [
      [nowhere, { [signInHeader]: '1' }],
      [server.bootstrap('ACME'), {}],
    ] as const) {
      const result = await send(client, id, requests[id]((await looked())[0]), headers)
      expect(`${result.status} ${result.code}`).toBe(answerOf(id))
    }
  })

  it.each(ofAnybody)('%s: answers anonymous callers, with 401 if it needs a session', async id => {
    const input = requests[id]((await looked())[0])
    const visitor = await send(new ConsoleClient(server.visitor(), '', undefined), id, input, { [signInHeader]: '1' })
    const isOfSession = id === 'getSession' || id === 'refreshSession'
    expect(`${visitor.status} ${visitor.code}`).toBe(isOfSession ? '401 unauthenticated' : answerOf(id))
    // An otherwise unused user, because one of these calls ends the session.
    const result = await send(await server.as('newcomer', 'GLOBEX'), id, input, { [signInHeader]: '1' })
    expect(`${result.status} ${result.code}`).toBe(answerOf(id))
  })

  it.each(verdict)('%s: rejects other users with 403, whatever organisation the header names', async id => {
    const things = await unrelated()
    for (const code of some(id, ['ACME', 'CADMUS', 'NOWHERE', ''])) {
      const result = await send(designer, id, requests[id](things), inside(code))
      expect(result).toMatchObject({ status: 403, code: 'forbidden' })
      expect(result.text).not.toContain(secretWord)
    }
    const visitor = new ConsoleClient(server.visitor(), '', 'ACME')
    expect(await send(visitor, id, requests[id](things), inside('ACME'))).toMatchObject({ status: 401 })
  })

  it.each(verdict)("%s: an administrator's token is limited to its organisation", async id => {
    const things = await unrelated()
    const input = requests[id](things)
    for (const code of some(id, ['ACME', 'NOWHERE', ''])) {
      const result = await send(ticked, id, input, inside(code))
      expect(result).toMatchObject({ status: 403, code: 'foreign_organisation' })
      const read = await send(reading, id, input, inside(code))
      expect(read).toMatchObject({ status: 403, code: isReading(id) ? 'foreign_organisation' : 'read_only' })
      expect(await send(plain, id, input, inside(code))).toMatchObject({ status: 403, code: 'forbidden' })
    }
    const named = { ...input, ...(declared(id).method === 'GET' ? {} : { body: { wrong: 1 } }) }
    const own = await send(ticked, id, named, inside('cadmus'))
    expect(own.code).not.toMatch(/forbidden|foreign_organisation|header_missing|no_subscription/)
  })

  it.each(verdict)('%s: answers 404 for an unknown and an empty organisation', async id => {
    const things = await unrelated()
    for (const client of [admin, server.bootstrap('ACME')]) {
      for (const code of some(id, ['NOWHERE', '', 'ACME,CADMUS', "ACME' OR '1'='1", '0', '*']))
        expect(await send(client, id, requests[id](things), inside(code))).toMatchObject({
          status: 404,
          code: 'not_found',
          message: 'The organisation was not found.',
        })
    }
  })

  it.each(ofSessions)('%s: answers 403, because access tokens belong to an organisation of the user', async id => {
    const things = await unrelated()
    const result = await send(admin, id, requests[id](things), inside('ACME'))
    expect(result).toMatchObject({ status: 403, code: 'foreign_organisation' })
    expect((await admin.call(listTokens, {})).tokens).toHaveLength(3)
  })

  it('the API description lists the organisation header as optional for exactly the calls of administrators', async () => {
    const text = await (await server.visitor().fetch('/openapi.json')).text()
    const { paths } = description.parse(JSON.parse(text))
    for (const id of ids) {
      const { path, method } = declared(id)
      const { parameters = [] } = paths[path]?.[method.toLowerCase()] ?? {}
      const result = parameters.filter(({ name }) => name.toLowerCase() === 'x-admin-organisation')
      expect([id, result.map(({ required }) => required ?? false)]).toEqual([id, placed.includes(id) ? [false] : []])
    }
  })

  const one = (withPackage = true) => createTestObjects(server, designer, newWord(), { withPackage })
  /** A pair of objects for a call that changes one of them. */
  const twoOf = async (id: CallId) => {
    const withPackage = declared(id).path.includes('package')
    return [await one(withPackage), await one(withPackage)] as const
  }
  /** A shared pair for calls that only read or are rejected. */
  let pair: Promise<readonly [TestObjects, TestObjects]> | undefined
  const looked = () => (pair ??= one().then(async first => [first, await one()] as const))

  let ready: Promise<TestObjects> | undefined
  /** Objects of ACME that no call in this test may reach. */
  const unrelated = () => (ready ??= one())
})

let words = 0
function newWord(): string {
  return `${secretWord}${++words}`
}
