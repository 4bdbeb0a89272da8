import { organisationHeader, signInHeader } from '@cadmus/model/contract/routes'
import { authorize, signIn } from '@cadmus/model/contract/sso'
import { holds } from '@cadmus/testing/holds'
import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ssoRoutes } from '../routes/sso.ts'
import { ConsoleClient } from '../testing/client.ts'
import { bootstrapToken, describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import {
  probeAdmin,
  probeDownload,
  probeEcho,
  probeFailure,
  probeRoutes,
  probeSave,
  probeUpload,
  probeWho,
} from '../testing/probe.ts'

const json = { 'content-type': 'application/json' }

describeOnBothStores.whenProving('The gate of every call', store => {
  let console: TestConsole
  beforeAll(async () => {
    console = await startConsole({ store, routes: [...ssoRoutes, ...probeRoutes] })
  })
  afterAll(() => console.stop())

  it('answers 401 without session and token, and for an invalid token', holds('M7.2'), async () => {
    const visitor = new ConsoleClient(console.visitor(), '', 'ACME')
    expect((await visitor.refusal(probeWho, {})).status).toBe(401)
    const wrong = await visitor.refusal(probeWho, { headers: { authorization: 'Bearer wrong' } })
    expect(wrong).toMatchObject({ status: 401, answer: { code: 'unauthenticated' } })
    const basic = { authorization: `Basic ${bootstrapToken}` }
    expect((await visitor.refusal(probeWho, { headers: basic })).status).toBe(401)
  })

  it('rejects a call without organisation', holds('M7.1'), async () => {
    const designer = await console.as('designer')
    const nameless = new ConsoleClient(designer.browser, designer.userId, undefined)
    expect(await nameless.refusal(probeWho, {})).toMatchObject({ status: 403, answer: { code: 'header_missing' } })
    const change = await nameless.refusal(probeEcho, { params: { id: 1 }, body: { name: 'ab' } })
    expect(change.status).toBe(403)
  })

  it('rejects organisations without subscription, foreign and unknown ones alike', holds('M6.4'), async () => {
    for (const [user, code] of [
      ['newcomer', 'GLOBEX'],
      ['designer', 'CADMUS'],
      ['designer', 'NOBODY'],
      ['admin', 'GLOBEX'],
    ] as const) {
      const client = await console.as(user, code)
      expect(await client.refusal(probeWho, {})).toMatchObject({ status: 403, answer: { code: 'no_subscription' } })
    }
    const existing = await (await console.as('designer', 'acme')).call(probeWho, {})
    expect(existing).toMatchObject({ organisation: 'ACME', isAdmin: false, token: 'session' })
  })

  it('allows admin calls for administrators only', holds('M6.2'), async () => {
    expect((await (await console.as('designer')).refusal(probeAdmin, {})).status).toBe(403)
    expect(await (await console.as('admin')).call(probeAdmin, {})).toEqual({ ok: true })
  })

  it('accepts the bootstrap token as administrator in any existing organisation', async () => {
    const who = await console.bootstrap('GLOBEX').call(probeWho, {})
    expect(who).toEqual({ userId: 'bootstrap', isAdmin: true, organisation: 'GLOBEX', token: 'bootstrap' })
    expect((await console.bootstrap('NOBODY').refusal(probeWho, {})).status).toBe(403)
  })

  it("a call accepts only the caller's userId", async () => {
    const designer = await console.as('designer')
    const own = await designer.call(probeWho, { query: { userId: designer.userId } })
    expect(own.userId).toBe(designer.userId)
    const other = await designer.refusal(probeWho, { query: { userId: 'somebody' } })
    expect(other).toMatchObject({ status: 403, answer: { code: 'foreign_user' } })
  })

  it('rejects changes from pages of other sites, and sign-in calls without their header', async () => {
    const admin = await console.as('admin')
    for (const origin of ['https://evil.example', 'null', 'http://localhost:1']) {
      const refused = await admin.refusal(probeAdmin, { headers: { origin } })
      expect(refused).toMatchObject({ status: 403, answer: { code: 'foreign_origin' } })
    }
    expect((await admin.send(probeAdmin, { headers: { origin: console.url } })).status).toBe(200)
    const encrypted = console.url.replace('http:', 'https:')
    expect((await admin.send(probeAdmin, { headers: { origin: encrypted } })).status).toBe(403)
  })

  it('disables caching of personal answers and rejections', async () => {
    const designer = await console.as('designer')
    const answers = [
      await designer.send(probeWho, {}),
      await designer.send(probeAdmin, {}),
      await designer.send(probeDownload, {}),
      await console.visitor().fetch('/1.0/cdm/probe/who'),
      await console.visitor().fetch('/1.0/cdm/nothing'),
      await console.visitor().fetch('/ready'),
    ]
    expect(answers.map(({ headers }) => headers.get('cache-control'))).toEqual(answers.map(() => 'no-store'))
    const visitor = new ConsoleClient(console.visitor(), '', undefined)
    expect((await visitor.refusal(authorize, {})).answer.code).toBe('header_missing')
  })

  it('answers 421 to a request for another host', async () => {
    expect(await statusForHost(console, 'cadmus.evil.example')).toBe(421)
    expect(await statusForHost(console, `localhost.evil.example:${console.context.port}`)).toBe(421)
    expect(await statusForHost(console, 'localhost:1')).toBe(421)
    for (const name of ['evil@localhost', 'localhost:1@localhost', 'localhost/', 'evil.example#@localhost'])
      expect([name, await statusForHost(console, `${name}:${console.context.port}`)]).toEqual([name, 421])
    expect(await statusForHost(console, `localhost:${console.context.port}/x`)).toBe(421)
    const ours = `localhost:${console.context.port}`
    for (const path of [`http://${ours}/health`, 'http://evil.example/health', `//${ours}@evil.example/health`])
      expect([path, (await statusForHost(console, ours, path)) === 200]).toEqual([path, false])
    expect(await statusForHost(console, ours, `http://${ours}/health`)).toBe(421)
    for (const name of ['localhost', '127.0.0.1', '[::1]']) {
      expect(await statusForHost(console, `${name}:${console.context.port}`)).toBe(200)
    }
  })

  it('answers 428 to a save without If-Match, and passes its tag without quotes', async () => {
    const designer = await console.as('designer')
    const refused = await designer.refusal(probeSave, {})
    expect(refused).toMatchObject({ status: 428, answer: { code: 'base_required' } })
    const { answer, etag } = await designer.callWithTag(probeSave, { ifMatch: 'state-1' })
    expect([answer.base, etag]).toEqual(['state-1', 'state-2'])
    expect((await designer.call(probeSave, { headers: { 'if-match': 'W/"state-1"' } })).base).toBe('state-1')
    expect((await designer.call(probeSave, { ifMatch: '*' })).base).toBe('*')
  })

  it('reports the error of each field', async () => {
    const designer = await console.as('designer')
    const refused = await designer.refusal(probeEcho, { params: { id: 1 }, body: { name: 'a' } })
    expect(refused).toMatchObject({ status: 400, answer: { code: 'invalid', errors: [{ path: 'name' }] } })
    const param = await designer.refusal(probeEcho, { params: { id: 'x' }, body: { name: 'ab' } })
    expect(param.answer.errors?.[0]?.path).toBe('id')
    const query = await designer.refusal(probeEcho, { params: { id: 1 }, query: { limit: 1001 }, body: { name: 'ab' } })
    expect(query.answer.errors?.[0]?.path).toBe('limit')
    const answer = await designer.call(probeEcho, { params: { id: 7 }, body: { name: 'ab' } })
    expect(answer).toEqual({ id: 7, limit: 20, name: 'ab' })
  })

  it('answers 400 to JSON that is invalid, too deep, or modifies prototypes', async () => {
    const { browser } = await console.as('designer')
    const send = (body: string) =>
      browser.fetch('/1.0/cdm/probe/echo/1', {
        method: 'POST',
        body,
        headers: { ...json, [organisationHeader]: 'ACME' },
      })
    for (const body of [
      '{"name":',
      `{"name":"ab","more":${'['.repeat(100)}${']'.repeat(100)}}`,
      `{"name":"ab","more":${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}}`,
      '{"name":"ab","__proto__":{"admin":true}}',
      '{"name":"ab","constructor":{"prototype":{"admin":true}}}',
      '',
      'null',
    ]) {
      expect([body.slice(0, 60), (await send(body)).status]).toEqual([body.slice(0, 60), 400])
    }
    expect((await send(`{"name":"ab","more":${'['.repeat(99)}${']'.repeat(99)}}`)).status).toBe(200)
    expect((await send(`{"name":"${'['.repeat(500)}"}`)).status).toBe(200)
    // Many values in few bytes: rejected before parsing.
    const crowd = await send(`{"name":"ab","more":[${'[],'.repeat(400_000)}[]]}`)
    expect([crowd.status, await crowd.text()]).toEqual([400, expect.stringContaining('more than 300000 values')])
    expect((await send(`{"name":"ab","more":[${'1,'.repeat(290_000)}1]}`)).status).toBe(200)
    expect((await send(`{"name":"ab","more":"${'[],'.repeat(500_000)}"}`)).status).toBe(200)
  })

  it('answers 413 to a body over 5 MB', async () => {
    const designer = await console.as('designer')
    const body = { name: 'ab', more: 'x'.repeat(5 * 1024 * 1024) }
    expect(await designer.refusal(probeEcho, { params: { id: 1 }, body })).toMatchObject({
      status: 413,
      answer: { code: 'too_large' },
    })
  })

  it('answers 415 to an undeclared content type', async () => {
    const designer = await console.as('designer')
    for (const type of ['text/plain', 'application/xml', 'multipart/form-data; boundary=x']) {
      const { status } = await designer.browser.fetch('/1.0/cdm/probe/echo/1', {
        method: 'POST',
        body: '{"name":"ab"}',
        headers: { 'content-type': type, [organisationHeader]: 'ACME' },
      })
      expect([type, status]).toEqual([type, 415])
    }
    expect((await designer.refusal(probeUpload, { body: { importAs: 'CDM_SCHEMA' } })).status).toBe(415)
  })

  it('reads a form with one declared file and its fields', async () => {
    const designer = await console.as('designer')
    const bytes = new Uint8Array(6 * 1024 * 1024).fill(7)
    const fields = { importAs: 'CDM_SCHEMA' }
    const input = (part: string, name: string) => ({ files: { [part]: { name, bytes } }, fields })
    const answer = await designer.call(probeUpload, input('manifestFile', 'Shop.ZIP'))
    expect(answer).toEqual({ bytes: bytes.length, fileName: 'Shop.ZIP', field: 'CDM_SCHEMA' })
    expect((await designer.refusal(probeUpload, input('manifestFile', 'shop.exe'))).status).toBe(415)
    expect((await designer.refusal(probeUpload, input('other', 'shop.zip'))).status).toBe(400)
    expect((await designer.refusal(probeUpload, { files: {}, fields })).answer.errors).toEqual([
      { path: 'manifestFile', message: 'Required' },
    ])
  })

  it('accepts two concurrent forms per user, and the next when one has ended', async () => {
    const newcomer = await console.as('newcomer')
    const designer = await console.as('designer')
    const files = { manifestFile: { name: 'a.zip', bytes: new Uint8Array(10) } }
    const slow = { files, fields: { importAs: 'SLOW' } }
    const answers = await Promise.all([1, 2, 3].map(() => newcomer.send(probeUpload, slow)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 429])
    expect((await newcomer.send(probeUpload, { files })).status).toBe(200)
    expect((await designer.send(probeUpload, { files })).status).toBe(200)
  })

  it('sends a download under its name, including non-ASCII names', async () => {
    const designer = await console.as('designer')
    const response = await designer.send(probeDownload, {})
    expect(response.headers.get('content-type')).toBe('application/zip')
    expect(response.headers.get('content-disposition')).toBe(
      `attachment; filename="Gr__e__1_.zip"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%221%22.zip`,
    )
    expect(await response.text()).toBe('bytes')
  })

  it('answers 500 to an unknown error, with an id from the log and no details', async () => {
    const designer = await console.as('designer')
    for (const kind of ['unknown', 'answer'] as const) {
      const { status, answer } = await designer.refusal(probeFailure, { params: { kind } })
      expect(status).toBe(500)
      expect(Object.keys(answer).sort()).toEqual(['code', 'id', 'message'])
      expect(JSON.stringify(answer)).not.toMatch(/secret|select|must|\/srv/)
      expect(console.log.some(line => line.includes(answer.id ?? '?') && line.includes('request failed'))).toBe(true)
    }
    const existing = await designer.refusal(probeFailure, { params: { kind: 'known' } })
    expect(existing.answer).toEqual({ message: 'Known.', code: 'conflict' })
  })

  it('logs neither tokens nor the codes in addresses', async () => {
    const designer = await console.as('designer')
    await new ConsoleClient(console.visitor(), '', undefined, { [signInHeader]: '1' }).refusal(signIn, {
      query: { code: 'secret-code-of-the-test', state: 'secret-state-of-the-test' },
    })
    const log = console.log.join('\n')
    expect(log).not.toContain('secret-code-of-the-test')
    expect(log).not.toContain(bootstrapToken)
    const tokens = [...designer.browser.cookies.values()].map(({ value }) => value).filter(value => value.length > 8)
    expect(tokens.length).toBeGreaterThanOrEqual(2)
    for (const token of tokens) expect(log).not.toContain(token)
  })

  it('answers 404 to unknown calls, in the format of all errors', async () => {
    for (const path of ['/1.0/cdm/nothing', '/api/nothing.json', '/1.0/cdm/probe/who/more']) {
      const answer = await console.visitor().fetch(path, { headers: { accept: 'text/html' } })
      expect(answer.status).toBe(404)
      expect(await answer.json()).toEqual({ message: 'This was not found.', code: 'not_found' })
    }
    const unreadable = await console.visitor().fetch('/1.0/cdm/%zz')
    expect([unreadable.status, await unreadable.json()]).toEqual([
      400,
      { message: 'The request is malformed.', code: 'malformed' },
    ])
  })
})

describe('An upload', () => {
  it('answers 413 to a file over 100 MB', async () => {
    const console = await startConsole({ routes: [...ssoRoutes, ...probeRoutes] })
    const designer = await console.as('designer')
    const bytes = new Uint8Array(100 * 1024 * 1024 + 1)
    const refused = await designer.refusal(probeUpload, { files: { manifestFile: { name: 'a.zip', bytes } } })
    expect(refused.status).toBe(413)
    await console.stop()
  })
})

/** `fetch` does not allow setting Host. */
function statusForHost({ context }: TestConsole, host: string, path = '/health'): Promise<number> {
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port: context.port, path, headers: { host } }, answer => {
      answer.resume()
      resolve(answer.statusCode ?? 0)
    })
      .once('error', reject)
      .end()
  })
}
