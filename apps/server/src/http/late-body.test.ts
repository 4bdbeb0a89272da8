import { createEntity, importEntity, listEntities } from '@cadmus/model/contract/entity'
import { adminOrganisationHeader, organisationHeader, signInHeader } from '@cadmus/model/contract/routes'
import { refreshSession, signOut } from '@cadmus/model/contract/sso'
import { revokeToken } from '@cadmus/model/contract/token'
import { type OutgoingHttpHeaders, request } from 'node:http'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { deleteMembership, insertMembership } from '../store/membership.ts'
import { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import { organisationId } from '../testing/entities.ts'
import { scriptOf } from '../testing/personal-tokens.ts'
import { signInStranger } from '../testing/unknown-user.ts'
import { AnswerLimiter } from './answer-limiter.ts'

describeOnBothStores.whenProving('Permission check after a late body', store => {
  let server: TestConsole
  let designer: ConsoleClient
  beforeAll(async () => {
    server = await startConsole({ store })
    designer = await server.as('designer')
  })
  afterAll(() => server.stop())
  // Stays below the limit of fifty requests a second.
  beforeEach(() => server.advance(4000))

  let count = 0
  const entityBody = () => JSON.stringify({ entity: { name: `Late${++count}` } })
  const isStored = async () => {
    const { entity } = await designer.call(listEntities, { query: { search: `Late${count}` } })
    return entity.length === 1
  }
  const cookieOf = ({ browser }: ConsoleClient) =>
    [...browser.cookies].map(([name, { value }]) => `${name}=${value}`).join('; ')
  const atSignIn = ({ browser, userId }: ConsoleClient) =>
    new ConsoleClient(browser, userId, undefined, { [signInHeader]: '1' })

  /** Sends a body whose second half is sent on demand. Resolves once the sender was admitted. */
  const started = async (path: string, headers: OutgoingHttpHeaders, body: string) => {
    // An admitted caller holds a slot.
    const turns = vi.spyOn(AnswerLimiter.prototype, 'begin')
    const { promise: answered, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>()
    const sent = request(
      new URL(path, server.url),
      {
        method: 'POST',
        headers: { [organisationHeader]: 'ACME', 'content-length': Buffer.byteLength(body), ...headers },
      },
      answer => {
        let text = ''
        answer.on('data', part => (text += String(part)))
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }))
      },
    )
    sent.on('error', reject)
    const half = Math.floor(body.length / 2)
    sent.write(body.slice(0, half))
    await expect.poll(() => turns.mock.calls.length).toBe(1)
    turns.mockRestore()
    return {
      end: async () => {
        sent.end(body.slice(half))
        return answered
      },
      cutOff: async () => {
        sent.destroy()
        await answered.catch(() => undefined)
      },
    }
  }
  const json = { 'content-type': 'application/json' }
  const boundary = 'boundary'
  const document = JSON.stringify({ entityName: 'LateFile' })
  const head = 'Content-Disposition: form-data; name="entityFile"; filename="a.json"\r\nContent-Type: application/json'
  const form = `--${boundary}\r\n${head}\r\n\r\n${document}\r\n--${boundary}--\r\n`

  it('rejects a token revoked before its body has arrived, for JSON and forms', async () => {
    const bodies = [
      { path: createEntity.path, headers: json, body: entityBody() },
      { path: importEntity.path, headers: { 'content-type': `multipart/form-data; boundary=${boundary}` }, body: form },
    ]
    for (const { path, headers, body } of bodies) {
      const { id, secret } = await scriptOf(designer)
      const sent = await started(path, { ...headers, authorization: `Bearer ${secret}` }, body)
      await designer.call(revokeToken, { params: { id } })
      const { status, text } = await sent.end()
      expect([status, JSON.parse(text).message]).toEqual([401, 'The access token is not valid.'])
    }
    expect(await isStored()).toBe(false)
    const { entity } = await designer.call(listEntities, { query: { search: 'LateFile' } })
    expect(entity).toEqual([])
  })

  it('rejects a session that has ended since the headers and accepts a renewed one', async () => {
    const client = await server.as('newcomer', 'ACME')
    const renewed = await started(createEntity.path, { ...json, cookie: cookieOf(client) }, entityBody())
    await atSignIn(client).call(refreshSession, {})
    expect((await renewed.end()).status).toBe(200)
    expect(await isStored()).toBe(true)
    const ended = await started(createEntity.path, { ...json, cookie: cookieOf(client) }, entityBody())
    await atSignIn(client).call(signOut, {})
    expect((await ended.end()).status).toBe(401)
    expect(await isStored()).toBe(false)
  })

  it('rejects a caller whose membership or administrator permission was revoked before the body arrived', async () => {
    const id = await organisationId(server)
    const { shared } = server.context.store
    const member = await signInStranger(server, null, 'ACME')
    await insertMembership(shared, { user_id: member.userId, organisation_id: id, subscription: 3 })
    const stored = await started(createEntity.path, { ...json, cookie: cookieOf(member) }, entityBody())
    expect((await stored.end()).status).toBe(200)
    expect(await isStored()).toBe(true)
    const taken = await started(createEntity.path, { ...json, cookie: cookieOf(member) }, entityBody())
    await deleteMembership(shared, { organisationId: id, userId: member.userId, before: 3 })
    const { status, text } = await taken.end()
    expect([status, JSON.parse(text).code]).toEqual([403, 'no_subscription'])
    expect(await isStored()).toBe(false)
    const admin = await signInStranger(server, [{ oc: 'CADMUS', on: 'Cadmus', ng: 1 }], 'CADMUS', true)
    const headers = { ...json, cookie: cookieOf(admin), [organisationHeader]: 'CADMUS' }
    const elsewhere = await started(createEntity.path, { ...headers, [adminOrganisationHeader]: 'ACME' }, entityBody())
    await shared.updateTable('session').set({ is_admin: 0 }).where('user_id', '=', admin.userId).execute()
    expect((await elsewhere.end()).status).toBe(403)
    expect(await isStored()).toBe(false)
  })

  it('a body cut off by its sender changes nothing and is not a server error', async () => {
    const { secret } = await scriptOf(designer)
    const errors = () => server.log.filter(line => JSON.parse(line).level >= 50)
    const before = errors().length
    const answered = () => server.log.filter(line => line.includes('request refused')).length
    const refused = answered()
    const headers = { authorization: `Bearer ${secret}` }
    await (await started(createEntity.path, { ...json, ...headers }, entityBody())).cutOff()
    const type = { 'content-type': `multipart/form-data; boundary=${boundary}` }
    await (await started(importEntity.path, { ...type, ...headers }, form)).cutOff()
    await expect.poll(answered).toBeGreaterThanOrEqual(refused + 2)
    expect(errors().slice(before)).toEqual([])
    expect(await isStored()).toBe(false)
  })

  it('rejects several Authorization headers, whatever their values', async () => {
    const { secret } = await scriptOf(designer)
    const ask = (values: string[]) =>
      new Promise<{ status: number; text: string }>((resolve, reject) => {
        const headers = [organisationHeader, 'ACME', 'Host', new URL(server.url).host]
        for (const value of values) headers.push('Authorization', value)
        const sent = request(new URL(listEntities.path, server.url), { headers }, answer => {
          let text = ''
          answer.on('data', part => (text += String(part)))
          answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }))
        })
        sent.on('error', reject)
        sent.end()
      })
    expect((await ask([`Bearer ${secret}`])).status).toBe(200)
    for (const values of [
      [`Bearer ${secret}`, 'Bearer x'],
      ['Bearer x', `Bearer ${secret}`],
      [`Bearer ${secret}`, `Bearer ${secret}`],
    ]) {
      const { status, text } = await ask(values)
      expect([status, JSON.parse(text)]).toEqual([
        400,
        { message: 'The request has more than one Authorization header.', code: 'malformed' },
      ])
    }
  })
})
