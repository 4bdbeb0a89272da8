import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import {
  adminCreateEntity,
  adminReloadEntity,
  adminValidateEntityContent,
} from '@cadmus/model/contract/admin-documents'
import { createEntity, deleteEntity, listEntities, listEntityLogs } from '@cadmus/model/contract/entity'
import { signInHeader } from '@cadmus/model/contract/routes'
import { signOut } from '@cadmus/model/contract/sso'
import { createToken, listTokens, revokeToken } from '@cadmus/model/contract/token'
import { holds } from '@cadmus/testing/holds'
import type { Permission } from '@cadmus/model/contract/sso'
import { saveProfile } from '../auth/profile.ts'
import { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, signInAs, startConsole, type TestConsole } from '../testing/console.ts'
import { organisationId } from '../testing/entities.ts'
import { scriptOf, tokenBody } from '../testing/personal-tokens.ts'
import { signInStranger } from '../testing/unknown-user.ts'

const acme: Permission = { oc: 'ACME', on: 'Acme Trading', ng: 1 }

describeOnBothStores.whenProving('Personal access tokens', store => {
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
  const rows = () => server.context.store.shared.selectFrom('personal_token').selectAll().execute()

  /** Simulates other claims of the provider at the next sign-in. */
  async function setProviderClaims(client: ConsoleClient, permissions: Permission[] | null, isAdmin = false) {
    const row = await server.context.store.shared
      .selectFrom('user_account')
      .selectAll()
      .where('id', '=', client.userId)
      .executeTakeFirstOrThrow()
    const { subject, username, fullname, email, avatar } = row
    await saveProfile(server.context, 'tests', { subject, username, fullname, email, avatar, isAdmin, permissions })
  }

  it('personal access tokens are created with a secret of 256 bits, returned once; the store keeps its SHA-256', async () => {
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

  it('authenticate a script without cookies or other headers', holds('M7.2', 'E7.4'), async () => {
    const { secret } = await scriptOf(designer)
    const headers = { authorization: `Bearer ${secret}`, 'x-organisation-code': 'acme' }
    const list = await fetch(new URL('/1.0/cdm/entity?limit=1', server.url), { headers })
    expect(list.status).toBe(200)
    const body = JSON.stringify({ entity: { name: nameOf() } })
    const url = new URL('/1.0/cdm/entity', server.url)
    const json = { ...headers, 'content-type': 'application/json' }
    expect((await fetch(url, { method: 'POST', headers: json, body })).status).toBe(200)
    // Browsers never send the header by themselves, so other sites cannot misuse it.
    const origin = { ...json, origin: 'https://elsewhere.example' }
    const other = JSON.stringify({ entity: { name: nameOf() } })
    expect((await fetch(url, { method: 'POST', headers: origin, body: other })).status).toBe(200)
    const nameless = await fetch(url, { headers: { authorization: `Bearer ${secret}` } })
    expect([nameless.status, await nameless.json()]).toMatchObject([403, { code: 'header_missing' }])
  })

  it('read-only tokens allow all calls without side effects and no others', async () => {
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

  it("work while the provider's last claims give their user the organisation with a subscription", async () => {
    const user = await otherUser()
    const { script } = await scriptOf(user)
    expect((await read(script)).status).toBe(200)
    for (const permissions of [[{ ...acme, ng: 0 }], [], [{ ...acme, oc: 'GLOBEX' }]]) {
      await setProviderClaims(user, permissions)
      expect(await script.refusal(listEntities, {})).toMatchObject({ status: 403, answer: { code: 'no_subscription' } })
    }
    await setProviderClaims(user, [acme])
    expect((await read(script)).status).toBe(200)
  })

  it('work while their user is a member, if the provider sends no organisations', async () => {
    const user = await otherUser()
    const { script } = await scriptOf(user)
    await setProviderClaims(user, null)
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

  it('tokens have administrator permission only if requested, and while their user is an administrator', async () => {
    const admin = await otherUser([acme], true)
    const [ticked, plain] = [await scriptOf(admin, { isAdmin: true }), await scriptOf(admin)]
    const body = () => ({ body: { org: 'ACME', entity: { name: nameOf() } } })
    expect((await ticked.script.send(adminCreateEntity, body())).status).toBe(200)
    expect((await plain.script.refusal(adminCreateEntity, body())).status).toBe(403)
    const refused = await designer.refusal(createToken, { body: tokenBody({ isAdmin: true }) })
    expect(refused).toMatchObject({
      status: 403,
      answer: { message: 'Only administrators can create a token with administrator rights.' },
    })
    await setProviderClaims(admin, [acme], false)
    expect((await ticked.script.refusal(adminCreateEntity, body())).status).toBe(403)
    expect((await read(ticked.script)).status).toBe(200)
  })

  it('tokens of an administrator cannot access other organisations, not even through administrator calls', async () => {
    const admin = await server.as('admin')
    const { script } = await scriptOf(admin, { isAdmin: true })
    const { entity } = await designer.call(createEntity, { body: { entity: { name: nameOf() } } })
    for (const org of ['ACME', 'NOWHERE']) {
      const refused = await script.refusal(adminCreateEntity, { body: { org, entity: { name: nameOf() } } })
      expect(refused).toMatchObject({ status: 403, answer: { code: 'foreign_organisation' } })
    }
    const input = { body: { id: entity.id, content: entity.content } }
    expect((await admin.send(adminValidateEntityContent, input)).status).toBe(200)
    expect((await script.refusal(adminValidateEntityContent, input)).status).toBe(404)
    expect((await script.refusal(adminReloadEntity, { params: { id: entity.id } })).status).toBe(404)
    expect((await script.send(adminCreateEntity, { body: { org: 'CADMUS', entity: { name: nameOf() } } })).status).toBe(
      200,
    )
  })

  it('personal access tokens are listed and revoked by their own user, in their own organisation', async () => {
    const user = await otherUser([acme, { ...acme, oc: 'GLOBEX', on: 'Globex' }])
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

  it('personal access tokens are named beside their user in the audit of their changes', async () => {
    const { script } = await scriptOf(designer, { name: 'Release train' })
    const name = nameOf()
    await script.call(createEntity, { body: { entity: { name } } })
    await designer.call(createEntity, { body: { entity: { name: nameOf() } } })
    const { entityLogs } = await designer.call(listEntityLogs, { query: { userId: designer.userId, limit: 2 } })
    const [byHand, byScript] = entityLogs
    expect(byScript).toMatchObject({ ENTITY_NAME: name, USER_EMAIL: 'designer@example.com' })
    expect(byScript?.USER_NAME).toBe(`${byHand?.USER_NAME} (token Release train)`)
    // The filter matches a prefix of the name, so the user's name finds both.
    const both = await designer.call(listEntityLogs, { query: { userName: byHand?.USER_NAME, limit: 2 } })
    expect(both.entityLogs).toEqual(entityLogs)
  })

  it('personal access tokens are valid after their user signs out', async () => {
    const { browser, userId } = await signInAs(server.visitor(), 'newcomer')
    const { script } = await scriptOf(new ConsoleClient(browser, userId, 'ACME'))
    await new ConsoleClient(browser, '', undefined, { [signInHeader]: '1' }).call(signOut, {})
    expect((await new ConsoleClient(browser, userId, 'ACME').refusal(listTokens, {})).status).toBe(401)
    expect((await read(script)).status).toBe(200)
  })

  it('the description lists tokens as valid for all calls of an organisation except the calls for tokens', async () => {
    const api: unknown = await (await fetch(new URL('/openapi.json', server.url))).json()
    const token = { type: 'http', scheme: 'bearer' }
    const session = { type: 'apiKey', in: 'cookie', name: 'cadmus_session' }
    expect(api).toMatchObject({ components: { securitySchemes: { token, session } } })
    const either = [{ session: [] }, { token: [] }]
    expect(api).toMatchObject({
      paths: {
        '/1.0/cdm/entity': { get: { security: either }, post: { security: either } },
        '/1.0/cdm/token': { get: { security: [{ session: [] }] }, post: { security: [{ session: [] }] } },
        '/1.0/cdm/sso/session': { get: { security: [] } },
      },
    })
  })
})
