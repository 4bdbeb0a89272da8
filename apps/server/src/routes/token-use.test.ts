import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { createEntity, listEntities } from '@cadmus/model/contract/entity'
import { createToken, listTokens, revokeToken } from '@cadmus/model/contract/token'
import type { Permission } from '@cadmus/model/contract/sso'
import { runMaintenance } from '../jobs/job-recovery.ts'
import { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import { scriptOf, tokenBody, withSecret } from '../testing/personal-tokens.ts'
import { signInStranger } from '../testing/unknown-user.ts'

const day = 24 * 60 * 60 * 1000
const acme: Permission = { oc: 'ACME', on: 'Acme Trading', ng: 1 }

describeOnBothStores('Personal access tokens in use', store => {
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
  const read = (client: ConsoleClient) => client.send(listEntities, { query: { limit: 1 } })
  const nameOf = () => `Made${++made}`
  let made = 0

  it('personal access tokens are rejected completely once revoked during use', async () => {
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

  it('record the time of their last use, to the minute', async () => {
    const user = await otherUser()
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

  it('personal access tokens are logged when created and revoked, without their secrets, also in rejections', async () => {
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
    expect(lines.map(line => JSON.parse(line).msg)).toEqual(['access token created', 'access token revoked'])
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
})

describeOnBothStores('Expiry of personal access tokens', store => {
  let server: TestConsole
  beforeAll(async () => {
    server = await startConsole({ store })
  })
  afterAll(() => server.stop())

  const otherUser = () => signInStranger(server, [acme], 'ACME')
  const input = (user: ConsoleClient, days = 300) => scriptOf(user, { days, now: server.context.now() })
  const rows = () => server.context.store.shared.selectFrom('personal_token').selectAll().execute()
  const read = (client: ConsoleClient) => client.send(listEntities, { query: { limit: 1 } })

  it('answers unknown, expired, revoked and orphaned tokens alike', async () => {
    const user = await otherUser()
    const [over, revoked, orphan] = [await input(user, 1), await input(user), await input(user)]
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

  it('removes tokens from the store thirty days after expiry or revocation', async () => {
    const user = await otherUser()
    const [permanent, short, revoked] = [await input(user), await input(user, 1.5), await input(user)]
    await user.call(revokeToken, { params: { id: revoked.id } })
    const mine = async () => (await rows()).filter(row => row.user_id === user.userId).map(row => row.id)
    await runMaintenance(server.context)
    expect((await mine()).toSorted()).toEqual([permanent.id, short.id, revoked.id].toSorted())
    server.advance(31 * day)
    await runMaintenance(server.context)
    expect((await mine()).toSorted()).toEqual([permanent.id, short.id].toSorted())
    server.advance(2 * day)
    await runMaintenance(server.context)
    expect(await mine()).toEqual([permanent.id])
    expect((await read(permanent.script)).status).toBe(200)
  })
})

describeOnBothStores('The rate limit of scripts', store => {
  let server: TestConsole
  beforeAll(async () => {
    server = await startConsole({ store, frozen: true })
  })
  afterAll(() => server.stop())

  it('the rate limit of scripts is shared with all requests of the user; invalid tokens count for the address', async () => {
    const user = await signInStranger(server, [acme], 'ACME')
    const { script } = await scriptOf(user)
    const other = (await scriptOf(user)).script
    // Small batches, to stay below the limit of concurrent answers.
    for (let requested = 0; requested < 198; requested += 33) {
      const some = Array.from({ length: 33 }, () => script.send(listEntities, { query: { limit: 1 } }))
      expect(new Set((await Promise.all(some)).map(({ status }) => status))).toEqual(new Set([200]))
    }
    for (const client of [script, other, user]) {
      expect((await client.send(listEntities, {})).status).toBe(429)
    }
    const wrong = withSecret(user, `cadmus_pat_${'B'.repeat(43)}`)
    const tries = await Promise.all(Array.from({ length: 220 }, () => wrong.send(listEntities, {})))
    expect(new Set(tries.map(({ status }) => status))).toEqual(new Set([401, 429]))
  })
})
