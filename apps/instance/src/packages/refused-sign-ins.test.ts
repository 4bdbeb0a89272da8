import { mariadbAvailability, postgresAvailability } from '@cadmus/testing/availability'
import { startMariadb } from '@cadmus/testing/mariadb'
import { startPostgres } from '@cadmus/testing/postgres'
import { connect, createServer, type Socket } from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { propertiesOf, serverSettings } from '../testing/databases.ts'
import { startTestInstance } from '../testing/instance.ts'
import { packageZip } from '../testing/package-zip.ts'

/** Statements of an administrator; § is the name of the database, rotated_§ the user of the package. */
const servers = [
  {
    name: 'PostgreSQL',
    dialect: 'postgresql',
    present: postgresAvailability().present,
    start: startPostgres,
    // The server for tests trusts every password.
    create: ['CREATE ROLE rotated_§ LOGIN', 'GRANT CREATE ON SCHEMA public TO rotated_§'],
    refuse: ['ALTER ROLE rotated_§ NOLOGIN'],
    admit: ['ALTER ROLE rotated_§ LOGIN'],
    remove: ['DROP OWNED BY rotated_§ CASCADE', 'DROP ROLE rotated_§'],
  },
  {
    name: 'MariaDB',
    dialect: 'mysql',
    present: mariadbAvailability().present,
    start: startMariadb,
    create: ["CREATE USER rotated_§@'%' IDENTIFIED BY 'former'", "GRANT ALL ON `§`.* TO rotated_§@'%'"],
    refuse: ["ALTER USER rotated_§@'%' IDENTIFIED BY 'new'"],
    admit: ["ALTER USER rotated_§@'%' IDENTIFIED BY 'former'"],
    remove: ["DROP USER rotated_§@'%'"],
  },
] as const

/** A proxy that counts connections and can cut them. */
async function startProxy(port: number) {
  const open = new Set<Socket>()
  const counts = { connections: 0 }
  const server = createServer(near => {
    counts.connections += 1
    const far = connect(port, '127.0.0.1')
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        open.delete(socket)
        other.destroy()
      })
      socket.pipe(other)
    }
  })
  await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('No port.')
  const cut = () => {
    for (const socket of open) socket.destroy()
  }
  return { port: address.port, counts, cut, stop: () => (cut(), new Promise(resolve => server.close(resolve))) }
}

const message =
  'The database refuses the sign-in of the package. Ask its administrator to correct its user or password.'

describe.each(servers)('refused sign-ins on $name', ({ dialect, present, start, create, refuse, admit, remove }) => {
  afterEach(() => vi.restoreAllMocks())

  async function startPackage() {
    const { url, query, drop } = await (await start()).createDatabase()
    const settings = serverSettings(dialect, url)
    const run = async (texts: readonly string[]) => {
      for (const text of texts) await query(text.replaceAll('§', settings.database))
    }
    await run(create)
    const proxy = await startProxy(settings.port)
    const instance = await startTestInstance()
    const user = { ...settings, port: proxy.port, username: `rotated_${settings.database}`, password: 'former' }
    await instance.upload(packageZip({ properties: propertiesOf(user) }))
    expect(await instance.settled('shop')).toMatchObject({ status: 'STARTED' })
    const read = async () => {
      const answer = await instance.fetch('/api/shop/1.0/customer')
      return [answer.status, JSON.parse(await answer.text()).message]
    }
    expect((await read())[0]).toBe(200)
    return {
      instance,
      proxy,
      read,
      user,
      url,
      run,
      stop: async () => {
        await instance.stop()
        await proxy.stop()
        await run(remove)
        await drop()
      },
    }
  }

  async function startRefused() {
    const started = await startPackage()
    await started.run(refuse)
    started.proxy.cut()
    await expect.poll(started.read).toEqual([503, message])
    let later = 0
    const began = Date.now()
    vi.spyOn(Date, 'now').mockImplementation(() => began + later)
    return { ...started, advance: (milliseconds: number) => void (later += milliseconds) }
  }

  it.skipIf(!present)('are shared by concurrent first calls after the password was changed', async () => {
    const { proxy, read, run, stop } = await startPackage()
    await run(refuse)
    proxy.cut()
    const before = proxy.counts.connections
    const answers = await Promise.all(Array.from({ length: 40 }, read))
    expect(new Set(answers.map(([status]) => status))).toEqual(new Set([503]))
    expect(answers.map(String)).toContain(`503,${message}`)
    expect(proxy.counts.connections - before).toBe(1)
    await stop()
  })

  it.skipIf(!present)('do not affect calls on open connections', async () => {
    const { proxy, read, run, stop } = await startPackage()
    await run(refuse)
    const before = proxy.counts.connections
    const answers = await Promise.all(Array.from({ length: 40 }, read))
    expect(new Set(answers.map(([status]) => status))).toEqual(new Set([200]))
    expect(proxy.counts.connections - before).toBe(1)
    await stop()
  })

  it.skipIf(!present)('are repeated by one call after 3 seconds, doubling, while all callers get 503', async () => {
    const { instance, proxy, read, run, advance, stop } = await startRefused()
    const attempts = async (calls: number) => {
      const before = proxy.counts.connections
      expect(new Set((await Promise.all(Array.from({ length: calls }, read))).map(String))).toEqual(
        new Set([`503,${message}`]),
      )
      return proxy.counts.connections - before
    }
    expect(await attempts(20)).toBe(0)
    const post = (path: string, body: string, type: string) =>
      instance.fetch(path, { method: 'POST', headers: { 'content-type': type }, body })
    const graphql = await post('/graphql/shop/1.0', '{"query":"{ customerList { total } }"}', 'application/json')
    const soap = await post(
      '/soap/shop/1.0',
      '<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body><SelectAllCustomer xmlns="urn:cadmus:shop:1.0"/></e:Body></e:Envelope>',
      'text/xml',
    )
    const insert = await post('/api/shop/1.0/customer', '{"name":"Ann"}', 'application/json')
    expect([graphql.status, insert.status]).toEqual([503, 503])
    for (const answer of [graphql, soap, insert]) expect(await answer.text()).toContain(message)
    expect(await attempts(1)).toBe(0)
    advance(3000)
    expect(await attempts(5)).toBe(1)
    advance(5000)
    expect(await attempts(5)).toBe(0)
    advance(1000)
    expect(await attempts(5)).toBe(1)
    await run(admit)
    expect(await attempts(1)).toBe(0)
    advance(12_000)
    expect((await read())[0]).toBe(200)
    await stop()
  })

  it.skipIf(!present)(
    'are not repeated by starts, uploads, previews and tests of other packages until the pause ends',
    async () => {
      const { instance, proxy, read, run, advance, user, stop } = await startRefused()
      await run(admit)
      const before = proxy.counts.connections
      const place = dialect === 'mysql' ? 'mysql' : 'postgresql'
      const zip = (name: string) => packageZip({ name, properties: propertiesOf(user) })
      await instance.upload(zip('other'))
      await instance.upload(zip('third'))
      await instance.manage('PUT', '/esbapi/packages/shop/start')
      for (const name of ['other', 'third', 'shop']) {
        expect(await instance.settled(name)).toMatchObject({
          status: 'START_FAILED',
          reason: expect.stringMatching(/The same password is tried again in 3 s at the earliest/),
        })
      }
      expect((await instance.preview(zip('shop'))).status).toBe(200)
      const url = `jdbc:${place}://127.0.0.1:${user.port}/${user.database}`
      const tested = await instance.manage('POST', '/esbapi/databases/test-connection', { ...user, url })
      expect([tested.status, proxy.counts.connections - before]).toEqual([400, 0])
      advance(3000)
      expect((await instance.manage('PUT', '/esbapi/packages/shop/start')).status).toBe(202)
      expect(await instance.settled('shop')).toMatchObject({ status: 'STARTED' })
      expect((await read())[0]).toBe(200)
      await stop()
    },
  )

  it.skipIf(!present)('are reported by a start, which takes the replaced credentials of a named database', async () => {
    const { instance, read, user, url, stop } = await startRefused()
    await instance.manage('PUT', '/esbapi/packages/shop/start')
    expect(await instance.settled('shop')).toMatchObject({
      status: 'START_FAILED',
      reason: expect.stringContaining('The database refuses the sign-in of the package'),
      runningVersion: '1.0.0',
    })
    expect(await read()).toEqual([503, message])
    // Uses the user of the tests, which may sign in.
    const { username, password } = serverSettings(dialect, url)
    const place = dialect === 'mysql' ? 'mysql' : 'postgresql'
    const named = { name: 'test', url: `jdbc:${place}://127.0.0.1:${user.port}/${user.database}`, username, password }
    expect((await instance.manage('POST', '/esbapi/databases', named)).status).toBe(200)
    await instance.manage('PUT', '/esbapi/packages/shop/start')
    expect(await instance.settled('shop')).toMatchObject({ status: 'STARTED' })
    expect((await read())[0]).toBe(200)
    await stop()
  })
})
