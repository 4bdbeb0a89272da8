import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestInstance, type TestInstance } from '../testing/instance.ts'
import { packageZip } from '../testing/package-zip.ts'
import { writeQuickUsers } from '../testing/quick-users.ts'

const types = [
  'application/json',
  'application/x-www-form-urlencoded',
  'text/plain',
  'text/xml',
  'multipart/form-data; boundary=b',
]

async function startShop(options: { stalled?: number } = {}): Promise<TestInstance> {
  const instance = await startTestInstance(options)
  writeQuickUsers(join(instance.dataDir, 'users'), [['keeper', 'shop%3aall', '']])
  await instance.upload(packageZip({ configuration: { security: 'BASIC' } }))
  await instance.settled('shop')
  return instance
}

describe('request body of an unauthenticated sender', () => {
  let instance: TestInstance
  beforeAll(async () => {
    instance = await startShop({ stalled: 300 })
  })
  afterAll(() => instance.stop())

  const opened = (method: string, path: string, headers: Record<string, string>): Socket => {
    const { port } = instance.context
    const lines = Object.entries({ host: `localhost:${port}`, ...headers }).map(([name, value]) => `${name}: ${value}`)
    const socket = connect(port, '127.0.0.1')
    // The server may close the connection during the upload.
    socket.on('error', () => undefined)
    socket.write([`${method} ${path} HTTP/1.1`, ...lines, '', ''].join('\r\n'))
    return socket
  }
  /** The status; 0 if the connection closes without an answer. */
  const statusOf = (socket: Socket) =>
    new Promise<number>(resolve => {
      socket.once('data', part => resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(String(part))?.[1])))
      socket.once('close', () => resolve(0))
    })
  const answered = (socket: Socket) => statusOf(socket).finally(() => socket.destroy())
  /** The status, after the server has closed the connection. */
  const ended = async (socket: Socket) => {
    const status = statusOf(socket)
    await new Promise(resolve => socket.once('close', resolve))
    return status
  }

  it.each([
    ['POST', '/oauth/token'],
    ['PUT', '/oauth/token'],
    ['POST', '/'],
    ['POST', '/nothing/here'],
    ['DELETE', '/health'],
    ['POST', '/api-explorer'],
    ['POST', '/api-explorer/calls/shop'],
    ['POST', '/api/shop/1.0/customer'],
    ['PATCH', '/api/shop/1.0/customer'],
    ['POST', '/api/nothing/1.0/customer'],
    ['POST', '/graphql/shop/1.0'],
    ['POST', '/graphql/nothing/1.0'],
    ['POST', '/soap/shop/1.0'],
    ['POST', '/soap/nothing/1.0'],
    ['POST', '/esbapi/packages/upload'],
    ['POST', '/esbapi/users'],
    ['POST', '/esbapi/nothing'],
  ])('a body is refused before more than 64 kB arrive: %s %s', async (method, path) => {
    for (const type of types) {
      const declared = opened(method, path, { 'content-type': type, 'content-length': '4900000' })
      expect([type, [401, 404, 405, 413, 415]]).toEqual([type, expect.arrayContaining([await answered(declared)])])
      const chunked = opened(method, path, { 'content-type': type, 'transfer-encoding': 'chunked' })
      chunked.write(`${(70_000).toString(16)}\r\n${' '.repeat(70_000)}`)
      expect([type, [401, 404, 405, 413, 415]]).toEqual([type, expect.arrayContaining([await answered(chunked)])])
    }
  })

  it('a large body is received from an authenticated sender', async () => {
    // A busy machine may pause for as long as the other instance waits.
    const patient = await startShop()
    const authorization = `Basic ${Buffer.from('keeper:correct horse').toString('base64')}`
    const body = JSON.stringify({ name: 'Ada', email: 'x'.repeat(1_000_000) })
    const headers = { 'content-type': 'application/json', authorization }
    expect((await patient.fetch('/api/shop/1.0/customer', { method: 'POST', headers, body })).status).toBe(200)
    const groups = Array.from({ length: 1000 }, (_, at) => `${at}`.padEnd(300, 'g'))
    const user = { name: 'ada', password: 'correct horse', groups }
    expect((await patient.manage('POST', '/esbapi/users', user)).status).toBe(200)
    await patient.stop()
  })

  it('a body whose sender stalls is aborted with its connection', async () => {
    for (const [path, type, status] of [
      ['/oauth/token', 'application/x-www-form-urlencoded', 0],
      ['/api/shop/1.0/customer', 'application/json', 0],
      ['/nothing', 'application/json', 404],
    ] as const) {
      const socket = opened('POST', path, { 'content-type': type, 'content-length': '100' })
      socket.write('{')
      expect([path, await ended(socket)]).toEqual([path, status])
    }
  })

  it('a body is refused from an address that requests tokens too often', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': '100' }
    const statuses = await Promise.all(
      Array.from({ length: 260 }, () => {
        const socket = opened('POST', '/oauth/token', headers)
        return answered(socket)
      }),
    )
    expect(statuses).toContain(429)
  })
})
