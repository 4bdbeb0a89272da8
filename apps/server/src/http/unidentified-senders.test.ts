import { createEntity } from '@cadmus/model/contract/entity'
import { connect } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { allRoutes } from '../routes/all.ts'
import { startConsole, type TestConsole } from '../testing/console.ts'

const types = ['application/json', 'application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data; boundary=b']

describe('A body of an unidentified sender', () => {
  let server: TestConsole
  beforeAll(async () => {
    server = await startConsole({ stalled: 300 })
  })
  afterAll(() => server.stop())
  beforeEach(() => server.advance(10_000))

  const opened = (method: string, path: string, headers: Record<string, string>) => {
    const { host, port } = new URL(server.url)
    const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}`)
    const socket = connect(Number(port), '127.0.0.1')
    // The server may close the connection while the rest is being sent.
    socket.on('error', () => undefined)
    socket.write([`${method} ${path} HTTP/1.1`, ...lines, '', ''].join('\r\n'))
    return socket
  }
  /** The status; 0 if the connection closes without an answer. */
  const statusOf = (socket: ReturnType<typeof opened>) =>
    new Promise<number>(resolve => {
      socket.once('data', part => resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(String(part))?.[1])))
      socket.once('close', () => resolve(0))
    })
  const answered = (socket: ReturnType<typeof opened>) => statusOf(socket).finally(() => socket.destroy())
  /** The status, once the server has closed the connection. */
  const ended = async (socket: ReturnType<typeof opened>) => {
    const status = statusOf(socket)
    await new Promise(resolve => socket.once('close', resolve))
    return status
  }
  const expectEarlyRefusal = async (method: string, path: string, more: Record<string, string> = {}) => {
    for (const type of types) {
      const declared = opened(method, path, { ...more, 'content-type': type, 'content-length': '4900000' })
      const chunked = opened(method, path, { ...more, 'content-type': type, 'transfer-encoding': 'chunked' })
      chunked.write(`${(70_000).toString(16)}\r\n${' '.repeat(70_000)}`)
      const statuses = await Promise.all([declared, chunked].map(answered))
      expect([method, path, type, statuses.every(status => status >= 400 && status < 500)]).toEqual([
        method,
        path,
        type,
        true,
      ])
    }
  }

  it('is rejected by every call before more than 64 kB arrive, whatever its type', async () => {
    for (const { call } of allRoutes) {
      // A GET request has no body.
      if (call.method === 'GET') continue
      server.advance(4000)
      await expectEarlyRefusal(call.method, call.path.replaceAll(/\{\w+\}/g, '1'), { 'x-cadmus': '1' })
    }
  })

  it.each([
    ['POST', '/'],
    ['POST', '/nothing'],
    ['POST', '/1.0/cdm/nothing'],
    ['PUT', '/1.0/cdm/entity'],
    ['DELETE', '/health'],
    ['POST', '/metrics'],
    ['POST', '/openapi.json'],
    ['POST', '/api-reference'],
    ['POST', '/oidc/token'],
    ['POST', '/oidc/token/introspection'],
    ['POST', '/oidc/session/end/confirm'],
    ['POST', '/oidc/nothing'],
    ['POST', '/oidc/interaction/none/admin'],
  ])('is rejected before more than 64 kB arrive, whatever its type: %s %s', async (method, path) => {
    await expectEarlyRefusal(method, path)
  })

  it('is accepted once the sender is identified', async () => {
    // A busy machine may pause for as long as the other console waits.
    const patient = await startConsole()
    const designer = await patient.as('designer')
    const description = 'x'.repeat(1_000_000)
    const answer = await designer.send(createEntity, { body: { entity: { name: 'Large', description } } })
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('description')])
    await patient.stop()
  })

  it('is aborted with its connection when the sender stalls', async () => {
    for (const [path, type, status] of [
      ['/oidc/token', 'application/x-www-form-urlencoded', 0],
      ['/nothing', 'application/json', 404],
    ] as const) {
      const socket = opened('POST', path, { 'content-type': type, 'content-length': '100' })
      socket.write('{')
      expect([path, await ended(socket)]).toEqual([path, status])
    }
  })
})
