import { createServer, type Server } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callRemote, isGloballyRoutable, RemoteError } from './call-remote.ts'

describe('isGloballyRoutable', () => {
  it('accepts public addresses only', () => {
    for (const address of ['93.184.216.34', '1.1.1.1', '2606:4700::1111', '172.32.0.1', '100.128.0.1']) {
      expect([address, isGloballyRoutable(address)]).toEqual([address, true])
    }
    for (const address of [
      '127.0.0.1',
      '10.0.0.1',
      '172.16.0.1',
      '192.168.1.1',
      '169.254.169.254',
      '100.64.0.1',
      '0.0.0.0',
      '224.0.0.1',
      '255.255.255.255',
      '::1',
      '::',
      'fe80::1',
      'fc00::1',
      'fd12::1',
      'ff02::1',
      '::ffff:127.0.0.1',
      '::ffff:8.8.8.8',
      '64:ff9b::7f00:1',
      '2002:7f00:1::',
      '2001:db8::1',
    ]) {
      expect([address, isGloballyRoutable(address)]).toEqual([address, false])
    }
  })
})

describe('callRemote', () => {
  let server: Server
  let port = 0
  let requested = 0
  beforeAll(async () => {
    server = createServer((request, answer) => {
      requested += 1
      if (request.url === '/redirect') answer.writeHead(302, { location: 'http://169.254.169.254/' }).end()
      else answer.writeHead(200, { 'content-type': 'text/plain' }).end('hello')
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    if (address !== null && typeof address === 'object') ({ port } = address)
  })
  afterAll(() => void server.close())
  const get = { method: 'GET', headers: {}, body: null }

  it('reaches a trusted address and follows no redirect', async () => {
    const answer = await callRemote(new URL(`http://127.0.0.1:${port}/`), get, true)
    expect([answer.status, answer.body.toString()]).toEqual([200, 'hello'])
    expect((await callRemote(new URL(`http://127.0.0.1:${port}/redirect`), get, true)).status).toBe(302)
  })

  it('rejects untrusted numbers and names of this machine and network', async () => {
    const before = requested
    for (const host of ['127.0.0.1', 'localhost', '[::1]', '2130706433', '0x7f.1', '[::ffff:127.0.0.1]', '0.0.0.0']) {
      await expect(callRemote(new URL(`http://${host}:${port}/`), get, false)).rejects.toBeInstanceOf(RemoteError)
    }
    expect(requested).toBe(before)
    await expect(callRemote(new URL('file:///etc/passwd'), get, true)).rejects.toThrow('Only http and https')
  })
})
