import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestInstance, type TestInstance } from '../testing/instance.ts'

describe('HTTP server of an instance', () => {
  let instance: TestInstance
  beforeAll(async () => {
    instance = await startTestInstance()
  })
  afterAll(() => instance.stop())

  it('answers /health with headers against caching, framing and foreign scripts', async () => {
    const answer = await instance.fetch('/health')
    expect([answer.status, await answer.json()]).toEqual([200, { status: 'up' }])
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
  })

  it('answers only under its own host names', async () => {
    const { port } = instance.context
    for (const [host, status] of [
      [`localhost:${port}`, 200],
      [`127.0.0.1:${port}`, 200],
      ['evil.example', 421],
      [`evil.example:${port}`, 421],
      ['localhost:1', 421],
      // User info or a path in the Host header.
      [`evil@localhost:${port}`, 421],
      [`evil.example#@localhost:${port}`, 421],
      [`localhost:${port}/x`, 421],
    ] as const) {
      expect([host, await statusUnder(port, host)]).toEqual([host, status])
    }
    const twice = `localhost:${port}\r\nHost: localhost:${port}`
    expect(await statusUnder(port, twice)).toBe(400)
    // Absolute addresses, as sent to a proxy.
    for (const address of [`http://localhost:${port}/health`, 'http://evil.example/health']) {
      expect([address, await statusUnder(port, `localhost:${port}`, address)]).toEqual([address, 421])
    }
  })

  it('answers unknown and malformed addresses with a message that reveals no internals', async () => {
    const unknown = await instance.fetch('/nothing/here')
    expect([unknown.status, await unknown.json()]).toEqual([404, { result: 'ERROR', message: 'This was not found.' }])
    const malformed = await instance.fetch('/%E0%A4%A')
    expect([malformed.status, await malformed.json()]).toEqual([
      400,
      { result: 'ERROR', message: 'The request is malformed.' },
    ])
  })
})

function statusUnder(port: number, host: string, address = '/health'): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(`GET ${address} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
    })
    let text = ''
    socket.on('data', part => (text += String(part)))
    socket.once('error', reject)
    socket.once('close', () => resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1])))
  })
}
