import { createHash } from 'node:crypto'
import { adminCreateEntity, adminReloadEntity, adminValidateEntityContent } from '@cadmus/model/contract/admin-entity'
import { createEntity, deleteEntity, listEntities, listEntityLogs } from '@cadmus/model/contract/entity'
import { signInHeader } from '@cadmus/model/contract/routes'
import { signOut } from '@cadmus/model/contract/sso'
import { createToken, listTokens, revokeToken } from '@cadmus/model/contract/token'
import { holds } from '@cadmus/testing/holds'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { rememberProfile } from '../../auth/profile.ts'
import type { Permission } from '../../auth/who.ts'
import { tidyUp } from '../../jobs/reaper.ts'
import { ConsoleClient } from '../../testing/client.ts'
import { describeOnBothStores, signInAs, startConsole, type TestConsole } from '../../testing/console.ts'
import { organisationId } from '../../testing/entities.ts'
import { scriptOf, tokenBody, withSecret } from '../../testing/personal-tokens.ts'
import { signInStranger } from '../../testing/stranger.ts'

const day = 24 * 60 * 60 * 1000
const acme: Permission = { oc: 'ACME', on: 'Acme Trading', ng: 1 }

describeOnBothStores('Personal access tokens', store => {
  let server: TestConsole
  let designer: ConsoleClient
  beforeAll(async () => {
    server = await startConsole({ store })
    designer = await server.as('designer')
  })
  afterAll(() => server.stop())
  // Fifty requests a second are allowed.
  beforeEach(() => server.advance(4000))

  const somebody = (permissions: Permission[] = [acme], isAdmin = false) =>
    signInStranger(server, permissions, 'ACME', isAdmin)
  const read = (client: ConsoleClient) => client.send(listEntities, { query: { limit: 1 } })
  const nameOf = () => `Made${++made}`
  let made = 0
  const rows = () => server.context.store.shared.selectFrom('personal_token').selectAll().execute()

  /** The provider says something else of them at the next sign-in. */
  async function toldAnew(client: ConsoleClient, permissions: Permission[] | null, isAdmin = false) {
    const row = await server.context.store.shared
      .selectFrom('user_account')
      .selectAll()
      .where('id', '=', client.userId)
      .executeTakeFirstOrThrow()
    const { subject, username, fullname, email, avatar } = row
    await rememberProfile(server.context, 'tests', { subject, username, fullname, email, avatar, isAdmin, permissions })
  }

  it('are made with a secret of 256 bits that is answered once; the store keeps its SHA-256', async () => {
    const body = tokenBody({ name: '  Nightly export ', access: 'read' })
    const { token, secret } = await designer.call(createToken, { body })
    expect(secret).toMatch(/^cadmus_pat_[\w-]{43}$/)
    expect(Buffer.from(secret.slice('cadmus_pat_'.length), 'base64url')).toHaveLength(32)
    expect(token).toMatchObject({ name: 'Nightly export', access: 'read', isAdmin: false, lastUsedAt: null })
    expect(token.expiresAt).toBe(body.expiresAt)
    const listed = await (await designer.send(listTokens, {})).text()
    expect(listed).toContain('Nightly export')
    expect(listed).not.toContain(secret)
    const row = (await rows()).find(({ id }) => id === token.id)
    expect(row?.token_hash).toBe(createHash('sha256').update(secret).digest('base64url'))
    expect(JSON.stringify(await rows())).not.toContain(secret.slice('cadmus_pat_'.length))
  })

  it('let a script in without cookies and without any other header', holds('M7.2', 'E7.4'), async () => {
    const { secret } = await scriptOf(designer)
    const headers = { authorization: `Bearer ${secret}`, 'x-organisation-code': 'acme' }
    const list = await fetch(new URL('/1.0/cdm/entity?limit=1', server.url), { headers })
    expect(list.status).toBe(200)
    const body = JSON.stringify({ entity: { name: nameOf() } })
    const url = new URL('/1.0/cdm/entity', server.url)
    const json = { ...headers, 'content-type': 'application/json' }
    expect((await fetch(url, { method: 'POST', headers: json, body })).status).toBe(200)
    // What no browser sends by itself no other page can make it send.
    const origin = { ...json, origin: 'https://elsewhere.example' }
    const other = JSON.stringify({ entity: { name: nameOf() } })
    expect((await fetch(url, { method: 'POST', headers: origin, body: other })).status).toBe(200)
    const nameless = await fetch(url, { headers: { authorization: `Bearer ${secret}` } })
    expect([nameless.status, await nameless.json()]).toMatchObject([403, { code: 'header_missing' }])
  })

  it('of reading do all that changes nothing, and nothing else', async () => {
    const { script } = await scriptOf(designer, { access: 'read' })
    const { entity } = await designer.call(createEntity, { body: { entity: { name: nameOf() } } })
    expect((await script.send(listEntities, {})).status).toBe(200)
    expect((await script.send(listEntityLogs, {})).status).toBe(200)
    for (const refused of [
      await script.refusal(createEntity, { body: { entity: { name: nameOf() } } }),
      await script.refusal(deleteEntity, { params: { id: entity.id } }),
    ]) {
      expect(refused).toMatchObject({
        status: 403,
        answer: { code: 'read_only', message: 'This access token is read-only.' },
      })
    }
  })

  it('work as long as what the provider said last gives their user the organisation with a subscription', async () => {
    const user = await somebody()
    const { script } = await scriptOf(user)
    expect((await read(script)).status).toBe(200)
    for (const permissions of [[{ ...acme, ng: 0 }], [], [{ ...acme, oc: 'GLOBEX' }]]) {
      await toldAnew(user, permissions)
      expect(await script.refusal(listEntities, {})).toMatchObject({ status: 403, answer: { code: 'no_subscription' } })
    }
    await toldAnew(user, [acme])
    expect((await read(script)).status).toBe(200)
  })

  it('work as long as their user is a member, where the provider says nothing of organisations', async () => {
    const user = await somebody()
    const { script } = await scriptOf(user)
    await toldAnew(user, null)
    expect((await read(script)).status).toBe(403)
    const { shared } = server.context.store
    const place = { user_id: user.userId, organisation_id: await organisationId(server) }
    await shared
      .insertInto('membership')
      .values({ ...place, subscription: 3 })
      .execute()
    expect((await read(script)).status).toBe(200)
    await shared.updateTable('membership').set({ subscription: 0 }).where('user_id', '=', user.userId).execute()
    expect((await read(script)).status).toBe(403)
  })

  it('have the right of an administrator only when one ticked it, and as long as their user is one', async () => {
    const admin = await somebody([acme], true)
    const [ticked, plain] = [await scriptOf(admin, { isAdmin: true }), await scriptOf(admin)]
    const body = () => ({ body: { org: 'ACME', entity: { name: nameOf() } } })
    expect((await ticked.script.send(adminCreateEntity, body())).status).toBe(200)
    expect((await plain.script.refusal(adminCreateEntity, body())).status).toBe(403)
    const refused = await designer.refusal(createToken, { body: tokenBody({ isAdmin: true }) })
    expect(refused).toMatchObject({
      status: 403,
      answer: { message: "Only an administrator may make a token with an administrator's rights." },
    })
    await toldAnew(admin, [acme], false)
    expect((await ticked.script.refusal(adminCreateEntity, body())).status).toBe(403)
    expect((await read(ticked.script)).status).toBe(200)
  })

  it("of an administrator reach no other organisation, not by an administrator's calls either", async () => {
    const admin = await server.as('admin')
    const { script } = await scriptOf(admin, { isAdmin: true })
    const { entity } = await designer.call(createEntity, { body: { entity: { name: nameOf() } } })
    for (const org of ['ACME', 'NOWHERE']) {
      const refused = await script.refusal(adminCreateEntity, { body: { org, entity: { name: nameOf() } } })
      expect(refused).toMatchObject({ status: 403, answer: { code: 'foreign_organisation' } })
    }
    const given = { body: { id: entity.id, content: entity.content } }
    expect((await admin.send(adminValidateEntityContent, given)).status).toBe(200)
    expect((await script.refusal(adminValidateEntityContent, given)).status).toBe(404)
    expect((await script.refusal(adminReloadEntity, { params: { id: entity.id } })).status).toBe(404)
    expect((await script.send(adminCreateEntity, { body: { org: 'CADMUS', entity: { name: nameOf() } } })).status).toBe(
      200,
    )
  })

  it('are seen and revoked by their own user, in their own organisation', async () => {
    const user = await somebody([acme, { ...acme, oc: 'GLOBEX', on: 'Globex' }])
    const { id, script } = await scriptOf(user)
    const inGlobex = new ConsoleClient(user.browser, user.userId, 'GLOBEX')
    expect((await user.call(listTokens, {})).tokens.map(token => token.id)).toEqual([id])
    expect((await inGlobex.call(listTokens, {})).tokens).toEqual([])
    for (const stranger of [inGlobex, designer, await server.as('admin', 'ACME')]) {
      expect((await stranger.refusal(revokeToken, { params: { id } })).status).toBe(404)
    }
    expect((await read(script)).status).toBe(200)
    const { message } = await user.call(revokeToken, { params: { id } })
    expect(message).toMatch(/^The access token "Script \d+" was revoked\.$/)
    expect((await user.refusal(revokeToken, { params: { id } })).status).toBe(404)
    expect((await user.call(listTokens, {})).tokens).toEqual([])
  })

  it('have names of 1 to 100 characters, another each while they live', async () => {
    const user = await somebody([acme, { ...acme, oc: 'GLOBEX', on: 'Globex' }])
    const refusal = async (name: string, client = user) => {
      const { status, answer } = await client.refusal(createToken, { body: tokenBody({ name }) })
      return [status, answer.message]
    }
    expect(await refusal('  ')).toEqual([400, 'this is a required field'])
    expect(await refusal('x'.repeat(101))).toEqual([400, 'this must be 1 to 100 characters long.'])
    expect(await refusal('a\u200Bb')).toEqual([400, '"a‹U+200B›b" holds characters that are not seen.'])
    const { id } = await scriptOf(user, { name: 'Build', days: 2 })
    expect(await refusal(' BUILD ')).toEqual([409, 'An access token with the name "BUILD" already exists.'])
    const inGlobex = new ConsoleClient(user.browser, user.userId, 'GLOBEX')
    const elsewhere = 'An access token with the name "Build" already exists in the organisation ACME.'
    expect(await refusal('Build', inGlobex)).toEqual([409, elsewhere])
    await user.call(revokeToken, { params: { id } })
    const next = await scriptOf(user, { name: 'Build', days: 1 })
    expect((await scriptOf(await somebody(), { name: 'Build' })).id).not.toBe(next.id)
  })

  it('are over within a year; the name of one that is over may be used again', async () => {
    const user = await somebody()
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

  it('are fifty at most of a user in an organisation, and of one name one, however many are asked for at once', async () => {
    const user = await somebody()
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

  it('that are revoked while they are used are refused from then on, and never half', async () => {
    const { id, script } = await scriptOf(designer)
    const name = nameOf()
    const using = Array.from({ length: 30 }, async (_, at) => {
      const answer =
        at % 3 === 0
          ? await script.send(createEntity, { body: { entity: { name: `${name}_${at}` } } })
          : await read(script)
      return [at, answer.status] as const
    })
    await designer.call(revokeToken, { params: { id } })
    const after = await Promise.all(Array.from({ length: 10 }, () => read(script)))
    expect(after.map(({ status }) => status)).toEqual(after.map(() => 401))
    const used = await Promise.all(using)
    expect(used.filter(([, status]) => status !== 200 && status !== 401)).toEqual([])
    const { entity } = await designer.call(listEntities, { query: { search: name } })
    const stored = used.filter(([at, status]) => at % 3 === 0 && status === 200).map(([at]) => `${name}_${at}`)
    expect(entity.map(one => one.name).toSorted()).toEqual(stored.toSorted())
  })

  it('tell when they were used, to the minute', async () => {
    const user = await somebody()
    const { script } = await scriptOf(user)
    const lastUsed = async () => (await user.call(listTokens, {})).tokens[0]?.lastUsedAt ?? null
    expect(await lastUsed()).toBeNull()
    const before = server.context.now()
    await read(script)
    await expect.poll(lastUsed).not.toBeNull()
    const first = (await lastUsed()) ?? ''
    expect(Date.parse(first)).toBeGreaterThanOrEqual(before)
    server.advance(30_000)
    await read(script)
    server.advance(20_000)
    await read(script)
    expect(await lastUsed()).toBe(first)
    server.advance(20_000)
    await read(script)
    await expect.poll(lastUsed).not.toBe(first)
  })

  it('are named beside their user in the audit of what they change', async () => {
    const { script } = await scriptOf(designer, { name: 'Release train' })
    const name = nameOf()
    await script.call(createEntity, { body: { entity: { name } } })
    await designer.call(createEntity, { body: { entity: { name: nameOf() } } })
    const { entityLogs } = await designer.call(listEntityLogs, { query: { userId: designer.userId, limit: 2 } })
    const [byHand, byScript] = entityLogs
    expect(byScript).toMatchObject({ ENTITY_NAME: name, USER_EMAIL: 'designer@example.com' })
    expect(byScript?.USER_NAME).toBe(`${byHand?.USER_NAME} (token Release train)`)
    // The filter takes the beginning of a name: the user's finds both.
    const both = await designer.call(listEntityLogs, { query: { userName: byHand?.USER_NAME, limit: 2 } })
    expect(both.entityLogs).toEqual(entityLogs)
  })

  it('are in the log when they are made and revoked; their secrets are in no line of it and in no refusal', async () => {
    const { id, secret, script } = await scriptOf(designer, { name: 'To be logged' })
    const answers = [
      await script.send(createToken, { body: tokenBody() }),
      await script.send(createEntity, { body: { entity: { name: '' } } }),
      await new ConsoleClient(script.browser, '', 'NOBODY', { authorization: `Bearer ${secret}` }).send(
        listEntities,
        {},
      ),
      await withSecret(designer, `${secret}x`).send(listEntities, {}),
      await fetch(new URL(`/1.0/cdm/nowhere/${id}`, server.url), { headers: { authorization: `Bearer ${secret}` } }),
    ]
    await designer.call(revokeToken, { params: { id } })
    answers.push(await script.send(listEntities, {}))
    expect(answers.map(({ status }) => status)).toEqual([403, 400, 403, 401, 404, 401])
    for (const answer of answers) expect(await answer.text()).not.toContain(secret.slice(11, 40))
    const lines = server.log.filter(line => line.includes('To be logged'))
    expect(lines.map(line => JSON.parse(line).msg)).toEqual(['an access token was made', 'an access token was revoked'])
    expect(lines.map(line => JSON.parse(line))).toMatchObject([
      {
        user: designer.userId,
        organisation: 'ACME',
        token: { id, name: 'To be logged', access: 'read-write', isAdmin: false },
      },
      { user: designer.userId, organisation: 'ACME', token: { id, name: 'To be logged' } },
    ])
    expect(server.log.join('\n')).not.toContain(secret.slice(11, 40))
    expect(server.log.join('\n')).not.toContain(createHash('sha256').update(secret).digest('base64url'))
  })

  it('go on when their user signs out', async () => {
    const { browser, userId } = await signInAs(server.visitor(), 'newcomer')
    const { script } = await scriptOf(new ConsoleClient(browser, userId, 'ACME'))
    await new ConsoleClient(browser, '', undefined, { [signInHeader]: '1' }).call(signOut, {})
    expect((await new ConsoleClient(browser, userId, 'ACME').refusal(listTokens, {})).status).toBe(401)
    expect((await read(script)).status).toBe(200)
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
  ])('with %s are refused', async (_what, part) => {
    const user = await server.as('newcomer', 'ACME')
    const answer = await user.send(createToken, { body: { ...tokenBody(), ...part } })
    expect([answer.status, (await answer.text()).length < 3000]).toEqual([400, true])
    expect((await rows()).filter(row => row.name.startsWith('x'.repeat(101)))).toEqual([])
  })

  it.each(['0', '-1', 'x', '1e30', '9007199254740993', '%00', '1;drop'])('are revoked by no id %s', async id => {
    const answer = await designer.browser.fetch(`/1.0/cdm/token/${id}`, {
      method: 'DELETE',
      headers: { 'x-organisation-code': 'ACME' },
    })
    expect([400, 404]).toContain(answer.status)
  })

  it.each([
    ['Bearer', 401],
    ['Bearer ', 401],
    ['Bearer cadmus_pat_', 401],
    ['Bearer {secret} {secret}', 401],
    ['Basic {secret}', 401],
    ['{secret}', 401],
    ['Bearer {secret},', 401],
    ['bearer   {secret}', 200],
  ])('in the header %j are answered %i', async (header, status) => {
    const { secret } = await scriptOf(await somebody())
    const headers = { authorization: header.replaceAll('{secret}', secret), 'x-organisation-code': 'ACME' }
    expect((await server.visitor().fetch('/1.0/cdm/entity?limit=1', { headers })).status).toBe(status)
  })
})

describeOnBothStores('Personal access tokens as time passes', store => {
  let server: TestConsole
  beforeAll(async () => {
    server = await startConsole({ store })
  })
  afterAll(() => server.stop())

  const somebody = () => signInStranger(server, [acme], 'ACME')
  const given = (user: ConsoleClient, days = 300) => scriptOf(user, { days, now: server.context.now() })
  const rows = () => server.context.store.shared.selectFrom('personal_token').selectAll().execute()
  const read = (client: ConsoleClient) => client.send(listEntities, { query: { limit: 1 } })

  it('that are unknown, over, revoked or of a user who is gone are answered alike', async () => {
    const user = await somebody()
    const [over, revoked, orphan] = [await given(user, 1), await given(user), await given(user)]
    await user.call(revokeToken, { params: { id: revoked.id } })
    const unknown = withSecret(user, `cadmus_pat_${'A'.repeat(43)}`)
    const altered = withSecret(user, `${orphan.secret.slice(0, -2)}AA`)
    const longer = withSecret(user, `${orphan.secret}A`)
    expect((await read(over.script)).status).toBe(200)
    server.advance(day)
    await server.context.store.shared.deleteFrom('user_account').where('id', '=', user.userId).execute()
    const answers = await Promise.all(
      [over.script, revoked.script, orphan.script, unknown, altered, longer].map(async client => {
        const answer = await read(client)
        return [answer.status, await answer.text()]
      }),
    )
    const same = [401, '{"message":"The access token is not valid.","code":"unauthenticated"}']
    expect(answers).toEqual(answers.map(() => same))
  })

  it('are removed from the store thirty days after they were over or revoked', async () => {
    const user = await somebody()
    const [lasting, short, revoked] = [await given(user), await given(user, 1.5), await given(user)]
    await user.call(revokeToken, { params: { id: revoked.id } })
    const mine = async () => (await rows()).filter(row => row.user_id === user.userId).map(row => row.id)
    await tidyUp(server.context)
    expect((await mine()).toSorted()).toEqual([lasting.id, short.id, revoked.id].toSorted())
    server.advance(31 * day)
    await tidyUp(server.context)
    expect((await mine()).toSorted()).toEqual([lasting.id, short.id].toSorted())
    server.advance(2 * day)
    await tidyUp(server.context)
    expect(await mine()).toEqual([lasting.id])
    expect((await read(lasting.script)).status).toBe(200)
  })
})

describeOnBothStores('How often a script may ask', store => {
  let server: TestConsole
  beforeAll(async () => {
    server = await startConsole({ store, frozen: true })
  })
  afterAll(() => server.stop())

  it('is counted with all that its user asks; wrong tokens count for the address', async () => {
    const user = await signInStranger(server, [acme], 'ACME')
    const { script } = await scriptOf(user)
    const other = (await scriptOf(user)).script
    const answers = await Promise.all(
      Array.from({ length: 198 }, () => script.send(listEntities, { query: { limit: 1 } })),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    for (const client of [script, other, user]) {
      expect((await client.send(listEntities, {})).status).toBe(429)
    }
    const wrong = withSecret(user, `cadmus_pat_${'B'.repeat(43)}`)
    const tries = await Promise.all(Array.from({ length: 220 }, () => wrong.send(listEntities, {})))
    expect(new Set(tries.map(({ status }) => status))).toEqual(new Set([401, 429]))
  })
})
