import { createServer } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { adminGetOrganisation } from '@cadmus/model/contract/admin-organisation'
import {
  getInstanceDatabase,
  listInstanceDatabases,
  listInstancePackages,
  listWorkspacePackages,
  listWorkspaces,
  testInstance,
} from '@cadmus/model/contract/instance'
import { uploadPackage } from '@cadmus/model/contract/package'
import { holds } from '@cadmus/testing/holds'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import { type FakeInstance, startFakeInstance } from '../testing/fake-instance.ts'
import { aBuiltPackage } from '../testing/packages.ts'

const secret = 'of-the-hosted-instance-0123456789abcdef'

describeOnBothStores.whenProving('An instance', store => {
  let server: TestConsole
  let designer: ConsoleClient
  let hosted: FakeInstance
  let allowed: FakeInstance
  let secure: Awaited<ReturnType<typeof startListener>>
  let packageName: string
  beforeAll(async () => {
    hosted = await startFakeInstance()
    allowed = await startFakeInstance()
    secure = await startListener()
    const CADMUS_INSTANCES = `Local one=${hosted.url},Another=https://other.example.com/martini/`
    const CADMUS_ALLOWED_INSTANCES = `${allowed.url},https://${secure.host}`
    const env = { CADMUS_INSTANCES, CADMUS_INSTANCE_SECRET_LOCAL_ONE: secret, CADMUS_ALLOWED_INSTANCES }
    server = await startConsole({ store, env })
    designer = await server.as('designer')
    packageName = (await aBuiltPackage(designer, 'Uploaded')).name
  })
  afterAll(async () => {
    await server.stop()
    await Promise.all([hosted.close(), allowed.close(), secure.close()])
  })
  beforeEach(() => {
    server.advance(4000)
    for (const one of [hosted, allowed]) {
      one.seen.length = 0
      for (const key of Object.keys(one.answers)) delete one.answers[key]
    }
  })

  const packagesCall = 'GET /esbapi/packages'
  const ok = (json: unknown) => ({ status: 200, json })
  const refusal = async (instanceUrl: string, more: object = {}) => {
    const { status, answer } = await designer.refusal(testInstance, { body: { instanceUrl, ...more } })
    return { status, code: answer.code, message: answer.message }
  }

  it(
    'an instance is offered if configured by the operator',
    holds('M3.63', 'M3.64', 'M7.71', 'M7.72', 'M7.73'),
    async () => {
      const list = (query: object = {}) => designer.call(listWorkspaces, { query })
      const all = await list()
      const other = { name: 'Another', path: 'https://other.example.com/martini', hostname: 'other.example.com' }
      const local = { name: 'Local one', path: hosted.url, hostname: '127.0.0.1' }
      expect(all).toMatchObject({ totalElements: 2, page: 0, items: [other, local] })
      expect(all.items.map(({ id, url }) => [id, url])).toEqual([
        ['Another', other.path],
        ['Local one', local.path],
      ])
      expect((await list({ size: 1, page: 1 })).items).toEqual(all.items.slice(1))
      expect((await list({ search: 'LOCAL' })).items).toEqual(all.items.slice(1))
      expect((await list({ search: 'nowhere' })).items).toEqual([])
      for (const query of [{ size: 0 }, { page: -1 }, { size: 'all' }])
        expect((await designer.send(listWorkspaces, { query })).status).toBe(400)
      expect(JSON.stringify(all)).not.toContain(secret)
      const admin = await server.as('admin')
      expect((await admin.call(listWorkspaces, {})).items).toEqual(all.items)
    },
  )

  it(
    "lists an organisation's own packages, and others only as names in use",
    holds('M3.46', 'M3.47', 'M7.75', 'M7.79'),
    async () => {
      hosted.answers[packagesCall] = ok({
        items: [
          { id: 'acme.sales', name: 'sales', version: '1.0.0', status: 'STARTED', runningVersion: '1.0.0' },
          { id: 'acme.others', owner: 'another-uid', name: 'others', version: '3.0.0', status: 'STARTED' },
          { name: 'core', version: '2' },
          { id: 'x', name: 'cdm-client' },
          { name: 'billing' },
          { id: 'acme.stock', name: 'stock', version: '2.0.0', status: 'LOADED', runningVersion: '1.0.0' },
        ],
      })
      const body = { instanceUrl: `${hosted.url}/` }
      const { items } = await designer.call(listInstancePackages, { body })
      expect(items).toEqual([
        { id: 'billing', name: 'billing', versions: [], status: '', taken: true },
        { id: 'others', name: 'others', versions: [], status: '', taken: true },
        { id: 'acme.sales', name: 'sales', versions: ['1.0.0'], status: 'STARTED' },
        { id: 'acme.stock', name: 'stock', versions: ['2.0.0'], status: 'LOADED', runningVersion: '1.0.0' },
      ])
      expect((await designer.call(listWorkspacePackages, { body })).items).toEqual(items)
      expect(hosted.seen.map(({ authorization }) => authorization)).toEqual(Array(2).fill(`Bearer ${secret}`))
      expect(await designer.call(testInstance, { body })).toEqual({
        result: 'OK',
        message: `Connection successful to ${new URL(hosted.url).host}`,
      })
      expect(hosted.seen.at(-1)?.path).toMatch(/^\/esbapi\/packages/)
    },
  )

  it("offers the organisation's and shared databases, and no others", async () => {
    hosted.answers['GET /esbapi/databases'] = ok({ items: [{ name: 'all' }, { name: 'theirs', owner: 'another-uid' }] })
    const url = 'jdbc:postgresql://db:5432/theirs'
    hosted.answers['GET /esbapi/databases/theirs'] = ok({ name: 'theirs', url, owner: 'another-uid' })
    const body = { instanceUrl: hosted.url }
    expect((await designer.call(listInstanceDatabases, { body })).items).toEqual([{ id: 'all', name: 'all' }])
    const { answer } = await designer.refusal(getInstanceDatabase, { body: { ...body, name: 'theirs' } })
    expect(answer.message).toBe('The instance has no database "theirs".')
  })

  it('accepts user name and password, or a token', async () => {
    allowed.answers['POST /oauth/token'] = ok({ access_token: 'granted', token_type: 'bearer', expires_in: 60 })
    allowed.answers[packagesCall] = ok({ items: [{ name: 'core' }] })
    const credentials = { username: 'ann&a=b', password: 'Löwe %20' }
    await designer.call(testInstance, { body: { instanceUrl: allowed.url, credentials } })
    const [token, packages] = allowed.seen
    expect(Object.fromEntries(new URLSearchParams(token?.body.toString()))).toEqual({
      grant_type: 'password',
      ...credentials,
      client_id: 'TOROMartini',
      client_secret: 'TOROMartini',
    })
    expect([token?.authorization, packages?.authorization]).toEqual(['', 'Bearer granted'])
    await designer.call(testInstance, { body: { instanceUrl: allowed.url, token: 'given' } })
    expect(allowed.seen.at(-1)?.authorization).toBe('Bearer given')
    // A header cannot contain it.
    expect((await refusal(allowed.url, { token: 'x\r\nX-Other: 1' })).status).toBe(400)
    await designer.call(testInstance, { body: { instanceUrl: allowed.url } })
    expect(allowed.seen.at(-1)?.authorization).toBe('')
    expect(server.log.join('\n')).not.toMatch(/Löwe|granted|of-the-hosted/)
  })

  it('a message of the instance that repeats a password or token is passed on without it', async () => {
    allowed.answers['POST /oauth/token'] = ok({ access_token: 'granted-token' })
    const credentials = { username: 'ann', password: 'Löwe %20' }
    const form = new URLSearchParams({ password: credentials.password }).toString()
    const message = `No: ${form}, Bearer granted-token, ${credentials.password}.`
    allowed.answers[packagesCall] = { status: 422, json: { message } }
    const { message: shown } = await refusal(allowed.url, { credentials })
    expect(shown).toBe('No: password=•••, Bearer •••, •••.')
    expect(server.log.join('\n')).not.toMatch(/Löwe|L%C3%B6we|granted-token/)
  })

  it("a user's wrong passwords for an instance do not block other users", async () => {
    allowed.answers['POST /oauth/token'] = { status: 400, json: { error: 'invalid_grant' } }
    const body = { instanceUrl: allowed.url, credentials: { username: 'ada', password: 'wrong' } }
    const codes: string[] = []
    for (let attempt = 0; attempt < 8; attempt += 1)
      codes.push((await designer.refusal(testInstance, { body })).answer.code)
    expect(codes).toEqual([...Array(6).fill('instance_refused'), 'rate_limited', 'rate_limited'])
    expect(allowed.seen).toHaveLength(6)
    const admin = await server.as('admin')
    expect((await admin.refusal(testInstance, { body })).answer.code).toBe('instance_refused')
    allowed.answers['POST /oauth/token'] = ok({ access_token: 'granted' })
    allowed.answers[packagesCall] = ok({ items: [{ name: 'core' }] })
    expect((await admin.call(testInstance, { body })).result).toBe('OK')
    server.advance(60_000)
    expect((await designer.call(testInstance, { body })).result).toBe('OK')
  })

  it('an instance is rejected quickly if its answer exceeds any list of packages', async () => {
    const { host } = new URL(allowed.url)
    const unread = {
      status: 409,
      code: 'instance_failed',
      message: `The response of ${host} is not from an instance. Check the address.`,
    }
    for (const text of [
      JSON.stringify({ items: Array.from({ length: 60_000 }, () => ({ name: 'core' })) }),
      JSON.stringify({ items: [{ name: 'x'.repeat(3_000_000) }] }),
      `{"items":[],"more":${'['.repeat(200)}${']'.repeat(200)}}`,
    ]) {
      allowed.answers[packagesCall] = { status: 200, text }
      expect(await refusal(allowed.url)).toEqual(unread)
    }
    const name = 'p'.repeat(100)
    const items = Array.from({ length: 1000 }, (_, index) => ({
      id: index,
      name: `${name}${index}`,
      status: 'STARTED',
    }))
    allowed.answers[packagesCall] = ok({ items: items.map(item => ({ ...item, id: `${item.id}`, version: '1.0.0' })) })
    expect((await designer.call(listInstancePackages, { body: { instanceUrl: allowed.url } })).items).toHaveLength(1000)
  })

  it('an instance address without a scheme is called by https', holds('M4.44'), async () => {
    expect(await refusal(secure.host)).toMatchObject({ status: 409, code: 'instance_unreachable' })
    // The start of a TLS handshake: nothing was sent unencrypted.
    expect(secure.firstBytes).toEqual([0x16])
  })

  it(
    'an instance that is unreachable, rejecting, forbidden, empty or not an instance is reported as such',
    holds('M4.43', 'M7.78'),
    async () => {
      const { host } = new URL(allowed.url)
      allowed.answers['POST /oauth/token'] = { status: 400, json: { error: 'invalid_grant' } }
      const credentials = { username: 'ann', password: 'wrong' }
      expect(await refusal(allowed.url, { credentials })).toEqual({
        status: 409,
        code: 'instance_refused',
        message: `${host} rejected the user name and password, or the token.`,
      })
      const codes: string[] = []
      for (const answer of [
        { status: 401 },
        { status: 403 },
        ok({ items: [] }),
        ok({ packages: [] }),
        { status: 200, text: '<html>' },
        { status: 302, text: '' },
        { status: 500, json: { message: 'select password from users' } },
      ]) {
        allowed.answers[packagesCall] = answer
        const { status, code, message } = await refusal(allowed.url, { token: 'x' })
        expect(status).toBe(409)
        expect(message).not.toContain('select')
        codes.push(code)
      }
      expect(codes).toEqual([
        'instance_refused',
        'instance_not_allowed',
        'instance_empty',
        ...Array(4).fill('instance_failed'),
      ])
      allowed.answers[packagesCall] = ok({ items: [{ name: 'core' }] })
      const body = { instanceUrl: allowed.url, token: 'x' }
      expect((await designer.call(testInstance, { body })).message).toBe(`Connection successful to ${host}`)
      const removed = await startFakeInstance()
      await removed.close()
      await server.restart({
        CADMUS_PORT: new URL(server.url).port,
        CADMUS_ALLOWED_INSTANCES: `${allowed.url},${removed.url}`,
      })
      expect(await refusal(removed.url)).toEqual({
        status: 409,
        code: 'instance_unreachable',
        message: `${new URL(removed.url).host} could not be reached.`,
      })
    },
  )

  it.each([
    'http://127.0.0.1:1',
    'http://localhost:22',
    'http://[::1]:80',
    'http://[::ffff:127.0.0.1]',
    'http://10.0.0.1',
    'http://169.254.169.254/latest/meta-data',
    'http://0x7f000001',
    'http://2130706433',
  ])('an instance at a non-public address is called only if the operator allows it: %s', async instanceUrl => {
    expect(await refusal(instanceUrl)).toMatchObject({ status: 403, code: 'instance_forbidden' })
  })

  it('requires an http or https address, with https by default', holds('M3.66'), async () => {
    for (const instanceUrl of [
      'ftp://a.example',
      'javascript:alert(1)',
      'http://',
      'http://u:p@a.example',
      'http://a b',
      '::',
    ])
      expect(await refusal(instanceUrl)).toMatchObject({ status: 400, message: 'Must be a valid HTTP URL' })
    expect(await refusal(' ')).toMatchObject({ status: 400, message: 'You must select an instance' })
    // The host of the configured instance with another scheme is not trusted.
    expect(await refusal(new URL(hosted.url).host)).toMatchObject({ status: 403 })
    const body = { instanceUrl: hosted.url, version: '1.0.0', state: 'UNLOADED' }
    const answer = await designer.send(uploadPackage, { params: { name: packageName }, body })
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ errors: [{ path: 'state' }] })
  })

  it('returns its databases', holds('M3.48', 'M3.49', 'M3.50', 'M3.37', 'M7.76', 'M7.77'), async () => {
    hosted.answers['GET /esbapi/databases'] = ok({
      items: [
        { name: 'embedded', type: 'jdbc' },
        { id: '7', name: 'billing' },
      ],
    })
    const body = { instanceUrl: hosted.url }
    expect((await designer.call(listInstanceDatabases, { body })).items).toEqual([
      { id: '7', name: 'billing' },
      { id: 'embedded', name: 'embedded' },
    ])
    const typeOf = async (json: object) => {
      hosted.answers['GET /esbapi/databases/a%2Fb'] = ok(json)
      return (await designer.call(getInstanceDatabase, { body: { ...body, name: 'a/b' } })).database
    }
    const url = 'jdbc:postgresql://h/d'
    const admin = await server.as('admin')
    const { organisation } = await admin.call(adminGetOrganisation, { params: { code: 'ACME' } })
    const saved = { url, username: 'u', type: 'jdbc', password: 'hush' }
    // Databases saved for all can be used without showing their address.
    const hidden = { name: 'a/b', url: '', username: '', type: 'POSTGRESQL' }
    expect(await typeOf(saved)).toEqual(hidden)
    expect(await typeOf({ ...saved, owner: organisation.uid })).toEqual({
      name: 'a/b',
      url,
      username: 'u',
      type: 'POSTGRESQL',
    })
    const kinds = [
      {},
      { type: 'jdbc' },
      { url: 'jdbc:sqlserver://h' },
      { url: 'jdbc:h2:mem' },
      { driverClassName: 'com.microsoft.sqlserver.jdbc.SQLServerDriver' },
      { driverClassName: 'org.hsqldb.jdbc.JDBCDriver', type: 'jdbc' },
      { driverClassName: 'oracle.jdbc.driver.OracleDriver', type: 'jdbc' },
      { driverClassName: 'com.ibm.db2.jcc.DB2Driver' },
      { type: 'DB2' },
    ]
    const match: string[] = []
    for (const one of kinds) match.push((await typeOf(one)).type)
    expect(match).toEqual(['MYSQL', 'MYSQL', 'MSSQL', 'H2', 'MSSQL', 'HSQL', 'ORACLE', 'DB2', 'DB2'])
    const missing = { body: { ...body, name: 'none' } }
    expect((await designer.refusal(getInstanceDatabase, missing)).answer).toMatchObject({
      code: 'instance_failed',
      message: 'The instance has no database "none".',
    })
  })
})

/** Disconnects every caller; `firstBytes` holds the first byte of each connection. */
async function startListener(): Promise<{ host: string; firstBytes: number[]; close: () => Promise<void> }> {
  const started: number[] = []
  const listener = createServer(socket => {
    socket.once('data', bytes => {
      started.push(bytes[0] ?? 0)
      socket.destroy()
    })
  })
  await new Promise<void>(resolve => void listener.listen(0, '127.0.0.1', resolve))
  const address = listener.address()
  if (address === null || typeof address === 'string') throw new Error('Nothing listens on a port.')
  return {
    host: `127.0.0.1:${address.port}`,
    firstBytes: started,
    close: () => new Promise(resolve => void listener.close(() => resolve())),
  }
}
