import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { createToken, listTokens, revokeToken } from '@cadmus/model/contract/token'
import type { Permission } from '@cadmus/model/contract/sso'
import { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import { scriptOf, tokenBody } from '../testing/personal-tokens.ts'
import { signInStranger } from '../testing/unknown-user.ts'

const day = 24 * 60 * 60 * 1000
const acme: Permission = { oc: 'ACME', on: 'Acme Trading', ng: 1 }

describeOnBothStores.whenProving('Requested personal access tokens', store => {
  let server: TestConsole
  let designer: ConsoleClient
  beforeAll(async () => {
    server = await startConsole({ store })
    designer = await server.as('designer')
  })
  afterAll(() => server.stop())
  // Stays below the limit of fifty requests a second.
  beforeEach(() => server.advance(4000))

  const otherUser = (permissions: Permission[] = [acme], isAdmin = false) =>
    signInStranger(server, permissions, 'ACME', isAdmin)
  const rows = () => server.context.store.shared.selectFrom('personal_token').selectAll().execute()

  it('requested personal access tokens have names of 1 to 100 characters, unique while valid', async () => {
    const user = await otherUser([acme, { ...acme, oc: 'GLOBEX', on: 'Globex' }])
    const refusal = async (name: string, client = user) => {
      const { status, answer } = await client.refusal(createToken, { body: tokenBody({ name }) })
      return [status, answer.message]
    }
    expect(await refusal('  ')).toEqual([400, 'this is a required field'])
    expect(await refusal('x'.repeat(101))).toEqual([400, 'this must be 1 to 100 characters long.'])
    expect(await refusal('a\u200Bb')).toEqual([400, '"a‹U+200B›b" contains invisible characters.'])
    const { id } = await scriptOf(user, { name: 'Build', days: 2 })
    expect(await refusal(' BUILD ')).toEqual([409, 'An access token with the name "BUILD" already exists.'])
    const inGlobex = new ConsoleClient(user.browser, user.userId, 'GLOBEX')
    const elsewhere = 'An access token with the name "Build" already exists in the organisation ACME.'
    expect(await refusal('Build', inGlobex)).toEqual([409, elsewhere])
    await user.call(revokeToken, { params: { id } })
    const next = await scriptOf(user, { name: 'Build', days: 1 })
    expect((await scriptOf(await otherUser(), { name: 'Build' })).id).not.toBe(next.id)
  })

  it('expire within a year, after which their name can be reused', async () => {
    const user = await otherUser()
    const refusal = async (expiresAt: string) =>
      (await user.refusal(createToken, { body: { ...tokenBody(), expiresAt } })).answer
    const away = (milliseconds: number) => new Date(server.context.now() + milliseconds).toISOString()
    expect(await refusal(away(0))).toMatchObject({
      message: 'The expiry must be in the future.',
      errors: [{ path: 'expiresAt', message: 'The expiry must be in the future.' }],
    })
    expect((await refusal(away(367 * day))).message).toBe('An access token expires within a year.')
    const row = { name: 'Twice', access: 'read' as const }
    await user.call(createToken, { body: { ...row, expiresAt: away(20_000) } })
    expect((await user.refusal(createToken, { body: { ...row, expiresAt: away(day) } })).status).toBe(409)
    server.advance(30_000)
    await user.call(createToken, { body: { ...row, expiresAt: away(day) } })
    expect((await user.call(listTokens, {})).tokens.map(({ name }) => name)).toEqual(['Twice', 'Twice'])
  })

  it('requested personal access tokens are limited to fifty per user and organisation and one per name, also for concurrent requests', async () => {
    const user = await otherUser()
    const ask = (name: string) => user.send(createToken, { body: tokenBody({ name }) })
    const statuses = async (answers: Promise<Response>[]) =>
      (await Promise.all(answers)).map(({ status }) => status).toSorted((a, b) => a - b)
    expect(await statuses(Array.from({ length: 6 }, () => ask('Same')))).toEqual([200, 409, 409, 409, 409, 409])
    const many = (length: number, word: string) => Array.from({ length }, (_, at) => ask(`${word} ${at}`))
    expect(new Set(await statuses(many(40, 'First')))).toEqual(new Set([200]))
    server.advance(4000)
    const last = await statuses(many(20, 'Second'))
    expect(last.filter(status => status === 200)).toHaveLength(9)
    expect(last.filter(status => status === 409)).toHaveLength(11)
    const { message } = (await user.refusal(createToken, { body: tokenBody({ name: 'One more' }) })).answer
    expect(message).toBe('A user has at most 50 access tokens in an organisation; you have 50. Revoke one first.')
    expect((await user.call(listTokens, {})).tokens).toHaveLength(50)
  })

  it.each([
    ['no name', { name: undefined }],
    ['a name that is a number', { name: 7 }],
    ['a name of a million characters', { name: 'x'.repeat(1_000_000) }],
    ['a name with a NUL', { name: 'a\0b' }],
    ['a name with half a character', { name: 'a\uD800' }],
    ['another access', { access: 'admin' }],
    ['a tick that is a word', { isAdmin: 'true' }],
    ['no expiry', { expiresAt: undefined }],
    ['an expiry that is no time', { expiresAt: 'tomorrow' }],
    ['an expiry that is a number', { expiresAt: 4_102_444_800_000 }],
    ['an expiry without a zone', { expiresAt: '2030-01-01T00:00:00' }],
    ['an expiry at the end of time', { expiresAt: '9999-12-31T23:59:59Z' }],
    ['an expiry on a day that is not', { expiresAt: '2027-02-31T00:00:00Z' }],
  ])('requested tokens with %s are rejected', async (_what, part) => {
    const user = await server.as('newcomer', 'ACME')
    const answer = await user.send(createToken, { body: { ...tokenBody(), ...part } })
    expect([answer.status, (await answer.text()).length < 3000]).toEqual([400, true])
    expect((await rows()).filter(row => row.name.startsWith('x'.repeat(101)))).toEqual([])
  })

  it.each(['0', '-1', 'x', '1e30', '9007199254740993', '%00', '1;drop'])(
    'requested personal access tokens cannot be revoked by the id %s',
    async id => {
      const answer = await designer.browser.fetch(`/1.0/cdm/token/${id}`, {
        method: 'DELETE',
        headers: { 'x-organisation-code': 'ACME' },
      })
      expect([400, 404]).toContain(answer.status)
    },
  )

  it.each([
    ['Bearer', 401],
    ['Bearer ', 401],
    ['Bearer cadmus_pat_', 401],
    ['Bearer {secret} {secret}', 401],
    ['Basic {secret}', 401],
    ['{secret}', 401],
    ['Bearer {secret},', 401],
    ['bearer   {secret}', 200],
  ])('tokens in the header %j are answered with %i', async (header, status) => {
    const { secret } = await scriptOf(await otherUser())
    const headers = { authorization: header.replaceAll('{secret}', secret), 'x-organisation-code': 'ACME' }
    expect((await server.visitor().fetch('/1.0/cdm/entity?limit=1', { headers })).status).toBe(status)
  })
})
