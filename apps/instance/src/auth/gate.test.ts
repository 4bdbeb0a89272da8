import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestInstance, type TestInstance } from '../testing/instance.ts'
import { startIssuer } from '../testing/issuer.ts'
import { packageZip } from '../testing/package-zip.ts'
import { writeQuickUsers } from '../testing/quick-users.ts'
import { probe, probeEngines } from '../testing/probe.ts'

type Configuration = NonNullable<Parameters<typeof packageZip>[0]>['configuration']

describe('package access', () => {
  let issuer: Awaited<ReturnType<typeof startIssuer>>
  let instance: TestInstance
  beforeAll(async () => {
    issuer = await startIssuer()
    instance = await startTestInstance({
      env: { CADMUS_OIDC_ISSUER: issuer.url },
      openEngine: probeEngines().openEngine,
      protocols: [probe],
    })
    writeQuickUsers(join(instance.dataDir, 'users'), [
      ['reader', 'shop%3aread', 'north'],
      ['keeper', 'shop%3aall', ''],
      ['guest', '', ''],
    ])
    const scopes = { enableRbac: true, globalScopes: ['shop:all'] }
    const packages: [string, Configuration][] = [
      ['open', { security: 'NONE' }],
      ['basic', { security: 'BASIC' }],
      ['basicscoped', { security: 'BASIC', scopes: { ...scopes, globalScopes: ['shop:all'] } }],
      ['directory', { security: 'OAUTH2', scopes: { ...scopes, identityProvider: 'MARTINI_USER_DIRECTORY' } }],
      ['issued', { security: 'OAUTH2', scopes: { ...scopes, identityProvider: 'CADMUS' } }],
      ['unscoped', { security: 'OAUTH2', scopes: { enableRbac: true, identityProvider: 'CADMUS' } }],
    ]
    for (const [name, configuration] of packages) {
      const scopes = name === 'basicscoped' ? { selectOperationScopes: ['shop:read', 'shop:look'] } : {}
      await instance.upload(packageZip({ name, configuration, scopes }))
      await instance.settled(name)
    }
  })
  afterAll(async () => {
    await instance.stop()
    await issuer.stop()
  })
  const call = (path: string, authorization?: string) =>
    instance.fetch(`/probe/${path}`, authorization === undefined ? {} : { headers: { authorization } })
  const statusOf = async (path: string, authorization?: string) => (await call(path, authorization)).status
  const basic = (name: string, password = 'correct horse') =>
    `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`
  const directory = async (username: string) => {
    const fields = { grant_type: 'password', username, password: 'correct horse' }
    const answer = await instance.fetch('/oauth/token', { method: 'POST', body: new URLSearchParams(fields) })
    const { access_token: token }: { access_token: string } = JSON.parse(await answer.text())
    return `Bearer ${token}`
  }
  const aud = () => instance.url

  it('admits anonymous callers to a package without security', async () => {
    expect(await (await call('open/Customer/select')).json()).toMatchObject({ name: 'anonymous', tenant: null })
    expect(await statusOf('nothing/Customer/select')).toBe(404)
  })

  it('admits callers with the right password to a package with BASIC, with their tenant', async () => {
    expect(await (await call('basic', basic('reader'))).json()).toMatchObject({ name: 'reader', tenant: 'north' })
    for (const shown of [
      undefined,
      basic('reader', 'wrong horse'),
      basic('nobody'),
      'Basic !',
      'Basic bm9jb2xvbg==',
      await directory('reader'),
    ]) {
      const answer = await call('basic', shown)
      expect([shown, answer.status, answer.headers.get('www-authenticate')]).toEqual([
        shown,
        401,
        'Basic realm="basic", charset="UTF-8"',
      ])
    }
  })

  it('requires a scope of the operation or a global scope', async () => {
    const matrix: [string, string, number][] = [
      ['basicscoped', basic('keeper'), 200],
      ['basicscoped', basic('guest'), 403],
      ['directory', await directory('keeper'), 200],
      ['directory', await directory('guest'), 403],
      ['issued', `Bearer ${await issuer.token({ aud: aud(), scope: 'openid shop:all' })}`, 200],
      ['issued', `Bearer ${await issuer.token({ aud: aud(), scope: 'openid shop:al' })}`, 403],
      // Packages without scopes admit every authenticated caller.
      ['unscoped', `Bearer ${await issuer.token({ aud: aud() })}`, 200],
    ]
    for (const [name, shown, status] of matrix) {
      for (const operation of ['select', 'selectAll', 'insert', 'update', 'delete']) {
        expect([name, operation, await statusOf(`${name}/Customer/${operation}`, shown)]).toEqual([
          name,
          operation,
          status,
        ])
      }
      expect([name, await statusOf(name, shown)]).toEqual([name, 200])
    }
    for (const [path, status] of [
      ['Customer/select', 200],
      ['Customer/selectAll', 403],
      ['Customer/insert', 403],
      ['Order/select', 403],
    ] as const) {
      expect([path, await statusOf(`basicscoped/${path}`, basic('reader'))]).toEqual([path, status])
    }
    const refused = await call('directory/Customer/select', await directory('guest'))
    expect(await refused.json()).toEqual({
      result: 'ERROR',
      message: 'This operation requires one of the scopes: shop:all.',
    })
    expect(refused.headers.get('www-authenticate')).toContain('error="insufficient_scope"')
  })

  it('accepts issuer tokens for this instance, with their tenant', async () => {
    const token = await issuer.token({ aud: aud(), scope: 'shop:all', tenant: 'south' })
    expect(await (await call('issued', `Bearer ${token}`)).json()).toMatchObject({ name: 'ada', tenant: 'south' })
    const listed = await issuer.token({ aud: [`${aud()}/`, 'other'], scp: ['shop:all'] })
    expect(await statusOf('issued/Customer/select', `Bearer ${listed}`)).toBe(200)
  })

  it('refuses forged, foreign, expired and misused tokens', async () => {
    const good = { aud: aud(), scope: 'shop:all' }
    const now = Math.floor(Date.now() / 1000)
    const attacks: [string, string][] = [
      ['alg none', issuer.unsigned(good)],
      ['HS256 with the public key', await issuer.confused(good)],
      ['another key', await issuer.forged(good)],
      ['another audience', await issuer.token({ ...good, aud: 'http://localhost:1' })],
      ['no audience', await issuer.token({ scope: 'shop:all' })],
      ['expired', await issuer.token({ ...good, exp: now - 60 })],
      ['not yet', await issuer.token({ ...good, nbf: now + 600 })],
      ['another issuer', await issuer.token({ ...good, iss: 'https://id.example' })],
      ['an ID token', await issuer.token(good, { typ: 'JWT' })],
      ['no typ', await issuer.token(good, { typ: undefined })],
      ['an unknown key', await issuer.token(good, { kid: 'other' })],
      ['no JWT', 'nonsense'],
      ['one of the user directory', (await directory('keeper')).slice('Bearer '.length)],
    ]
    for (const [what, token] of attacks) {
      const answer = await call('issued/Customer/select', `Bearer ${token}`)
      expect([what, answer.status]).toEqual([what, 401])
      expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="issued", error="invalid_token"')
    }
    expect(await statusOf('issued')).toBe(401)
    expect(await statusOf('directory', `Bearer ${await issuer.token(good)}`)).toBe(401)
    const altered = (await issuer.token({ ...good, scope: '' })).split('.')
    altered[1] = Buffer.from(JSON.stringify({ ...good, iss: issuer.url, sub: 'ada', exp: now + 600 })).toString(
      'base64url',
    )
    expect(await statusOf('issued', `Bearer ${altered.join('.')}`)).toBe(401)
  })

  it('refuses a cached token after its expiry', async () => {
    const exp = Math.floor(Date.now() / 1000) + 30
    const shown = `Bearer ${await issuer.token({ aud: aud(), scope: 'shop:all', exp })}`
    expect(await statusOf('issued', shown)).toBe(200)
    instance.advance(36_000)
    expect(await statusOf('issued', shown)).toBe(401)
  })

  it('answers 503 while the issuer is unavailable, and recovers by itself', async () => {
    issuer.goAway(true)
    await instance.restart()
    const shown = async () => `Bearer ${await issuer.token({ aud: aud(), scope: 'shop:all' })}`
    const away = await call('issued', await shown())
    expect([away.status, away.headers.get('retry-after')]).toEqual([503, '5'])
    issuer.goAway(false)
    expect(await statusOf('issued', await shown())).toBe(200)
  })

  it('allows ten wrong passwords a minute for a name from an address, also in parallel', async () => {
    const guesses = await Promise.all(
      Array.from({ length: 30 }, (_, at) => statusOf('basic', basic('guest', `guess number ${at}`))),
    )
    expect(guesses.filter(status => status === 401)).toHaveLength(10)
    expect(guesses.filter(status => status === 429)).toHaveLength(20)
    const late = await call('basic', basic('guest'))
    expect([late.status, Number(late.headers.get('retry-after')) > 0]).toEqual([429, true])
    // Other users are unaffected, even with many calls.
    const right = await Promise.all(Array.from({ length: 30 }, () => statusOf('basic', basic('keeper'))))
    expect(new Set(right)).toEqual(new Set([200]))
    instance.advance(61_000)
    expect(await statusOf('basic', basic('guest'))).toBe(200)
  })

  it('refuses a cached password once it is changed', async () => {
    const save = (password: string) => instance.manage('POST', '/esbapi/users', { name: 'moving', password })
    await save('the first one')
    expect(await statusOf('basic', basic('moving', 'the first one'))).toBe(200)
    await save('the second one')
    expect(await statusOf('basic', basic('moving', 'the first one'))).toBe(401)
    expect(await statusOf('basic', basic('moving', 'the second one'))).toBe(200)
  })

  it('limits requests per second as configured', async () => {
    await instance.restart({ CADMUS_INSTANCE_REQUESTS_PER_SECOND: '5' })
    const answers = await Promise.all(Array.from({ length: 40 }, () => statusOf('open')))
    expect(answers.filter(status => status === 200).length).toBeGreaterThanOrEqual(20)
    expect(answers.filter(status => status === 429).length).toBeGreaterThanOrEqual(10)
  })
})
