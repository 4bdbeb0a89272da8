import { postgresAvailability } from '@cadmus/testing/availability'
import { startPostgres } from '@cadmus/testing/postgres'
import { readFileSync } from 'node:fs'
import { Agent, type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { consoleSecret, startTestInstance, type TestInstance } from '../testing/instance.ts'
import { packageZip } from '../testing/package-zip.ts'
import { probe, probeEngines } from '../testing/probe.ts'

describe('instance management', () => {
  const { openEngine } = probeEngines()
  let instance: TestInstance
  beforeAll(async () => {
    instance = await startTestInstance({ openEngine, protocols: [probe] })
  })
  afterAll(() => instance.stop())
  const json = async (answer: Promise<Response>): Promise<unknown> => JSON.parse(await (await answer).text())
  const token = (fields: Record<string, string>) =>
    instance.fetch('/oauth/token', { method: 'POST', body: new URLSearchParams(fields) })
  const bearer = (shown: string) => ({ headers: { authorization: `Bearer ${shown}` } })
  const tokensOf = async (answer: Response) => {
    const read: { access_token: string; refresh_token: string; token_type: string; expires_in: number } = JSON.parse(
      await answer.text(),
    )
    return read
  }

  it('keeps the connection usable after a refused upload', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const body = `--b\r\nContent-Disposition: form-data; name="other"; filename="a.zip"\r\n\r\n${'x'.repeat(8 * 1024 * 1024)}\r\n--b--\r\n`
    const headers = { authorization: `Bearer ${consoleSecret}`, 'content-type': 'multipart/form-data; boundary=b' }
    const upload = () =>
      new Promise<IncomingMessage>((resolve, reject) => {
        const to = new URL('/esbapi/packages/upload', instance.url)
        request(to, { method: 'POST', agent, headers: { ...headers, 'content-length': body.length } }, answer =>
          answer.resume().once('end', () => resolve(answer)),
        )
          .once('error', reject)
          .end(body)
      })
    const ports = new Set<number | undefined>()
    for (let sent = 0; sent < 3; sent++) {
      const { statusCode, socket } = await upload()
      expect(statusCode).toBe(400)
      ports.add(socket.localPort)
    }
    expect(ports.size).toBe(1)
    agent.destroy()
  })

  it('refuses requests without a token, and a new instance has no users', async () => {
    for (const [method, path] of [
      ['GET', '/esbapi/packages'],
      ['GET', '/esbapi/packages/shop'],
      ['POST', '/esbapi/packages/upload'],
      ['PUT', '/esbapi/packages/shop/start'],
      ['DELETE', '/esbapi/packages/shop'],
      ['GET', '/esbapi/databases'],
      ['POST', '/esbapi/databases'],
      ['POST', '/esbapi/databases/test-connection'],
      ['GET', '/esbapi/users'],
    ] as const) {
      for (const shown of [
        {},
        bearer('wrong'),
        { headers: { authorization: 'Basic VE9ST01hcnRpbmk6VE9ST01hcnRpbmk=' } },
      ]) {
        const answer = await instance.fetch(path, { method, ...shown })
        expect([method, path, answer.status]).toEqual([method, path, 401])
        expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer realm=/)
      }
    }
    const client = { client_id: 'TOROMartini', client_secret: 'TOROMartini' }
    for (const username of ['TOROMartini', 'admin', '']) {
      const answer = await token({ grant_type: 'password', username, password: 'TOROMartini', ...client })
      expect([answer.status, await answer.json()]).toMatchObject([400, { error: 'invalid_grant' }])
    }
    expect(await json(instance.manage('GET', '/esbapi/users'))).toEqual({ items: [] })
  })

  it('issues tokens for a password or a refresh token, and admits only administrators', async () => {
    const save = (name: string, groups: string[]) =>
      json(instance.manage('POST', '/esbapi/users', { name, password: 'correct horse', groups }))
    expect(await save('ada', ['administrators'])).toEqual({ name: 'ada', groups: ['administrators'], tenant: null })
    await save('bob', ['customer:read'])
    const grant = { grant_type: 'password', username: 'ada', password: 'correct horse' }
    const answer = await token(grant)
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store'])
    const ada = await tokensOf(answer)
    expect(ada).toMatchObject({ token_type: 'bearer', expires_in: 3600 })
    expect((await instance.fetch('/esbapi/packages', bearer(ada.access_token))).status).toBe(200)
    // Access and refresh tokens are not interchangeable.
    expect((await instance.fetch('/esbapi/packages', bearer(ada.refresh_token))).status).toBe(401)
    expect((await token({ grant_type: 'refresh_token', refresh_token: ada.access_token })).status).toBe(400)
    const again = await tokensOf(await token({ grant_type: 'refresh_token', refresh_token: ada.refresh_token }))
    expect((await instance.fetch('/esbapi/packages', bearer(again.access_token))).status).toBe(200)
    const bob = await tokensOf(await token({ ...grant, username: 'bob' }))
    expect((await instance.fetch('/esbapi/packages', bearer(bob.access_token))).status).toBe(403)
    for (const [fields, status, error] of [
      [{ ...grant, client_id: 'other' }, 401, 'invalid_client'],
      [{ ...grant, client_secret: 'other' }, 401, 'invalid_client'],
      [{ ...grant, password: 'wrong horse' }, 400, 'invalid_grant'],
      [{ grant_type: 'client_credentials' }, 400, 'unsupported_grant_type'],
      [{ grant_type: 'refresh_token', refresh_token: `${ada.refresh_token}x` }, 400, 'invalid_grant'],
    ] as const) {
      const refused = await token(fields)
      expect([fields, refused.status, await refused.json()]).toMatchObject([fields, status, { error }])
    }
  })

  it('refuses a token after its expiry, a password change or the removal of its user', async () => {
    const grant = { grant_type: 'password', username: 'eve', password: 'correct horse' }
    const save = (password: string) =>
      instance.manage('POST', '/esbapi/users', { name: 'eve', password, groups: ['administrators'] })
    const isIn = async (shown: string) => (await instance.fetch('/esbapi/packages', bearer(shown))).status
    await save('correct horse')
    const first = await tokensOf(await token(grant))
    await instance.restart()
    expect(await isIn(first.access_token)).toBe(200)
    instance.advance(3_601_000)
    expect(await isIn(first.access_token)).toBe(401)
    const second = await tokensOf(await token({ grant_type: 'refresh_token', refresh_token: first.refresh_token }))
    expect(await isIn(second.access_token)).toBe(200)
    await save('another horse')
    expect(await isIn(second.access_token)).toBe(401)
    expect((await token({ grant_type: 'refresh_token', refresh_token: second.refresh_token })).status).toBe(400)
    const third = await tokensOf(await token({ ...grant, password: 'another horse' }))
    expect((await instance.manage('DELETE', '/esbapi/users/eve')).status).toBe(204)
    expect((await instance.manage('DELETE', '/esbapi/users/eve')).status).toBe(404)
    expect(await isIn(third.access_token)).toBe(401)
  })

  it('stores password hashes, returns none, and refuses invalid names and passwords', async () => {
    const groups = ['customer:read', 'a,b', 'ä %']
    await instance.manage('POST', '/esbapi/users', { name: 'zoe', password: 'correct horse', groups, tenant: 'north' })
    const users = await json(instance.manage('GET', '/esbapi/users'))
    expect(users).toMatchObject({ items: expect.arrayContaining([{ name: 'zoe', groups, tenant: 'north' }]) })
    expect(JSON.stringify(users)).not.toContain('scrypt')
    const file = readFileSync(join(instance.dataDir, 'users'), 'utf8')
    expect(file).toMatch(/^zoe:scrypt\$\d+\$\d+\$\d+\$[\w-]+\$[\w-]{43}:customer%3aread,/im)
    expect(file).not.toContain('correct horse')
    for (const wrong of [
      { name: 'a:b', password: 'correct horse' },
      { name: 'a\nb', password: 'correct horse' },
      { name: '', password: 'correct horse' },
      { name: 'short', password: '1234567' },
      { name: 'none' },
    ]) {
      expect((await instance.manage('POST', '/esbapi/users', wrong)).status).toBe(400)
    }
  })

  it('lists the core package and the uploaded packages', async () => {
    await instance.upload(packageZip({ name: 'listed', version: '1.2.3' }))
    await instance.settled('listed')
    const listed = { id: 'acme.listed', name: 'listed', version: '1.2.3', status: 'STARTED' }
    expect(await json(instance.manage('GET', '/esbapi/packages?size=1000'))).toMatchObject({
      items: [{ name: 'core', status: 'STARTED' }, listed],
    })
    expect(await json(instance.manage('GET', '/esbapi/packages?size=1'))).toMatchObject({ items: [{ name: 'core' }] })
    expect(await json(instance.manage('GET', '/esbapi/packages/listed'))).toMatchObject({
      ...listed,
      contextPath: '/listed',
      stateOnStartup: 'started',
    })
    expect((await instance.manage('GET', '/esbapi/packages?size=x')).status).toBe(400)
    for (const method of ['GET', 'DELETE']) {
      expect((await instance.manage(method, '/esbapi/packages/unknown')).status).toBe(404)
    }
    expect((await instance.manage('PUT', '/esbapi/packages/unknown/start')).status).toBe(404)
  })

  it('stores named databases without returning passwords, next to the embedded one', async () => {
    const url = 'jdbc:postgresql://db.example:5432/shop'
    const driverClassName = 'org.postgresql.Driver'
    const saved = await instance.manage('POST', '/esbapi/databases', {
      name: 'shop',
      url,
      username: 'keeper',
      password: 'hush-hush',
      driverClassName,
    })
    const detail = { name: 'shop', url, username: 'keeper', driverClassName, type: 'jdbc', status: 'STARTED' }
    expect([saved.status, await saved.json()]).toMatchObject([200, detail])
    await instance.restart()
    const shown = await json(instance.manage('GET', '/esbapi/databases/shop'))
    expect(shown).toMatchObject(detail)
    const list = await json(instance.manage('GET', '/esbapi/databases?size=1000'))
    expect(list).toEqual({
      items: ['embedded', 'shop'].map(name => ({ id: name, name, autoStart: true, status: 'STARTED', type: 'jdbc' })),
    })
    const sealed = readFileSync(join(instance.dataDir, 'databases.sealed'))
    expect([JSON.stringify([shown, list]), sealed].map(text => text.includes('hush-hush'))).toEqual([false, false])
    expect(instance.log.join()).not.toContain('hush-hush')
    expect(await json(instance.manage('GET', '/esbapi/databases/embedded'))).toMatchObject({ name: 'embedded' })
    expect((await instance.manage('DELETE', '/esbapi/databases/embedded')).status).toBe(409)
    expect((await instance.manage('DELETE', '/esbapi/databases/shop')).status).toBe(204)
    expect((await instance.manage('GET', '/esbapi/databases/shop')).status).toBe(404)
    expect((await instance.manage('DELETE', '/esbapi/databases/shop')).status).toBe(404)
    for (const wrong of [{}, { name: 'a b', url }, { name: 'x', url: 'jdbc:postgresql://h:5432/d?ssl=off' }]) {
      expect((await instance.manage('POST', '/esbapi/databases', wrong)).status).toBe(400)
    }
  })

  it.skipIf(!postgresAvailability().present)('tests a connection and reports an unreachable database', async () => {
    const test = (body: unknown) => instance.manage('POST', '/esbapi/databases/test-connection', body)
    const server = await startPostgres()
    const database = await server.createDatabase()
    const { hostname, port, pathname, username, password } = new URL(database.url)
    const there = { url: `jdbc:postgresql://${hostname}:${port}${pathname}`, username, password }
    expect((await test(there)).status).toBe(200)
    expect((await test({ name: 'embedded' })).status).toBe(200)
    const closed = await test({ ...there, url: `jdbc:postgresql://127.0.0.1:1${pathname}` })
    expect([closed.status, await closed.json()]).toEqual([
      400,
      {
        result: 'ERROR',
        message: `127.0.0.1:1 is not reachable or refuses this user access to ${pathname.slice(1)}.`,
      },
    ])
    expect((await test({})).status).toBe(400)
    expect((await test({ name: 'unknown' })).status).toBe(404)
    await database.drop()
  })

  it('refuses databases that CADMUS_ALLOWED_DATABASES does not name', async () => {
    await instance.restart({ CADMUS_ALLOWED_DATABASES: 'db.example:5432' })
    const save = (host: string) =>
      instance.manage('POST', '/esbapi/databases', { name: 'x', url: `jdbc:postgresql://${host}/d` })
    expect([(await save('db.example:5432')).status, (await save('169.254.169.254:5432')).status]).toEqual([200, 400])
    await instance.upload(
      packageZip({
        name: 'outside',
        properties: ['database.type=postgres', 'postgres.connection.url=jdbc:postgresql://127.0.0.1:5432/d'],
      }),
    )
    expect(await instance.settled('outside')).toMatchObject({
      status: 'START_FAILED',
      reason: 'This instance may not connect to 127.0.0.1:5432.',
    })
  })
})
