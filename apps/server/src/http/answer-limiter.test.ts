import { defineCall } from '@cadmus/model/contract/call'
import { organisationHeader } from '@cadmus/model/contract/routes'
import { connect, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { ssoRoutes } from '../routes/sso.ts'
import type { ConsoleClient } from '../testing/client.ts'
import { startConsole, type TestConsole } from '../testing/console.ts'
import { probeRoutes, probeWho } from '../testing/probe.ts'
import { limitOutgoing, AnswerLimiter } from './answer-limiter.ts'
import { handle } from './route.ts'

const megabyte = 1024 * 1024
const size = 16 * megabyte

/** Larger than the system's socket buffers. */
const probeLarge = defineCall({
  id: 'probeLarge',
  method: 'GET',
  path: '/1.0/cdm/probe/large',
  tag: 'Probe',
  access: 'user',
  summary: 'A large answer.',
  answer: z.object({ text: z.string() }),
})

const large = handle(probeLarge, async () => ({ text: 'x'.repeat(size) }))

const gated = { ...Promise.withResolvers<void>(), requested: Promise.withResolvers<AbortSignal>(), checked: 0 }

const probeGated = defineCall({
  ...probeLarge,
  id: 'probeGated',
  path: '/1.0/cdm/probe/gated',
  answer: z.object({ text: z.string().refine(() => (gated.checked += 1)) }),
})

const waiting = handle(probeGated, async (_input, { signal }) => {
  gated.requested.resolve(signal)
  await gated.promise
  return { text: '' }
})

describe('Unread answers', () => {
  let server: TestConsole
  let designer: ConsoleClient
  let sockets: Socket[] = []
  beforeAll(async () => {
    server = await startConsole({ routes: [...ssoRoutes, ...probeRoutes, large, waiting], stalled: 2500 })
    designer = await server.as('designer')
  })
  afterAll(async () => {
    for (const socket of sockets) socket.destroy()
    await server.stop()
  })

  it('unread answers are neither validated nor serialised for a caller who has disconnected', async () => {
    const socket = ask(server, designer, 'keep-alive', probeGated.path)
    const signal = await gated.requested.promise
    const left = new Promise(resolve => signal.addEventListener('abort', resolve))
    socket.destroy()
    await left
    gated.resolve()
    expect((await designer.send(probeWho, {})).status).toBe(200)
    expect(gated.checked).toBe(0)
    expect((await designer.send(probeGated, {})).status).toBe(200)
    expect(gated.checked).toBe(1)
  })

  it('do not delay other callers, and are cut off', async () => {
    sockets = Array.from({ length: 60 }, () => ask(server, designer))
    const heads = await Promise.all(sockets.map(readHead))
    const refused = heads.filter(head => head.startsWith('HTTP/1.1 429'))
    expect(refused.length).toBeGreaterThan(0)
    expect(refused[0]).toMatch(/^retry-after: 1\r$/im)
    const newcomer = await server.as('newcomer')
    expect((await newcomer.send(probeWho, {})).status).toBe(200)
    const answered = sockets.filter((_, index) => heads[index]?.startsWith('HTTP/1.1 200'))
    expect(answered.length).toBeGreaterThan(0)
    await until(async () => ((await isRefused(server, designer)) ? null : true))
    expect(await until(async () => (answered.every(isCut) ? true : null))).toBe(true)
  })

  it('a slow reader receives its whole answer', async () => {
    server.advance(10_000)
    const socket = ask(server, designer, 'close')
    let taken = 0
    let rest = 0
    await new Promise((resolve, reject) => {
      socket.on('close', resolve).on('error', reject)
      socket.on('data', data => {
        taken += data.length
        rest += data.length
        if (rest < megabyte) return
        rest = 0
        socket.pause()
        setTimeout(() => socket.resume(), 220)
      })
    })
    expect(taken).toBeGreaterThan(size)
  })

  it('a caller that sends without reading is cut off', async () => {
    server.advance(10_000)
    const socket = ask(server, designer)
    sockets.push(socket)
    expect(await readHead(socket)).toMatch(/^HTTP\/1\.1 200/)
    // Sends the next request slowly, as long as the server accepts it.
    socket.write('GET /health HTTP/1.1\r\nX-Slow: ')
    const sending = setInterval(() => socket.write('x'), 200)
    await new Promise(resolve => socket.once('close', resolve))
    clearInterval(sending)
  })

  it('an answer delayed by the server itself is not cut off', async () => {
    const app = fastify()
    limitOutgoing(app, 200)
    app.get('/', async (_request, reply) => reply.send(Readable.from(slowly())))
    const url = await app.listen({ port: 0, host: '127.0.0.1' })
    expect(await (await fetch(url)).text()).toBe('beginning, end')
    await app.close()
  })

  it('release their slot however they end, including those queued on one connection', async () => {
    // With the default timeout, so that nothing is cut off before the check.
    const patient = await startConsole({ routes: [...ssoRoutes, ...probeRoutes, large] })
    const reader = await patient.as('designer')
    const queues = [1, 2, 3, 4].map(() => ask(patient, reader))
    for (const socket of queues) socket.write(requestOf(patient, reader))
    await Promise.all(queues.map(readHead))
    await until(async () => ((await isRefused(patient, reader)) ? true : null))
    for (const socket of queues) socket.destroy()
    expect(await until(async () => ((await isRefused(patient, reader)) ? null : true))).toBe(true)
    // Disconnected before identification.
    for (let i = 0; i < 60; i++) {
      const socket = ask(patient, reader)
      socket.write('', () => socket.destroy())
    }
    expect(await until(async () => ((await isRefused(patient, reader)) ? null : true))).toBe(true)
    await patient.stop()
  })
})

describe('AnswerLimiter', () => {
  it('rejects answers above the limit, and bytes above the limit while other answers wait', () => {
    const outgoing = new AnswerLimiter({ answers: 2, bytes: 100 })
    const first = outgoing.begin('a')
    const second = outgoing.begin('a')
    expect(() => outgoing.begin('a')).toThrow('Too many of your requests are in progress')
    outgoing.begin('b').hold(1000)
    first.hold(1000)
    expect(() => second.hold(1)).toThrow('Too many of your requests are in progress')
    first.end()
    first.end()
    second.hold(100)
    outgoing.begin('a')
    expect(() => outgoing.begin('a')).toThrow('Too many of your requests are in progress')
  })
})

async function* slowly() {
  yield 'beginning, '
  await new Promise(resolve => setTimeout(resolve, 600))
  yield 'end'
}

/** Whether a further large answer is rejected. Avoids the rate limit. */
async function isRefused(server: TestConsole, client: ConsoleClient): Promise<boolean> {
  server.advance(1000)
  // Uncompressed, because compression would dominate the test time.
  const answer = await client.send(probeLarge, { headers: { 'accept-encoding': 'identity' } })
  await answer.arrayBuffer()
  return answer.status === 429
}

function requestOf(
  server: TestConsole,
  client: ConsoleClient,
  connection = 'keep-alive',
  path = probeLarge.path,
): string {
  const cookie = [...client.browser.cookies].map(([name, { value }]) => `${name}=${value}`).join('; ')
  const headers = [
    `Host: ${new URL(server.url).host}`,
    `Cookie: ${cookie}`,
    `${organisationHeader}: ${client.organisation}`,
    `Connection: ${connection}`,
  ]
  return `GET ${path} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`
}

function ask(server: TestConsole, client: ConsoleClient, connection?: string, path?: string): Socket {
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(server.url).port) })
  socket.on('error', () => undefined)
  socket.write(requestOf(server, client, connection, path))
  return socket
}

/** Reads the start of an answer without the rest; '' if the connection ends first. */
function readHead(socket: Socket): Promise<string> {
  return new Promise(resolve => {
    socket.once('close', () => resolve(''))
    socket.once('data', data => {
      socket.pause()
      resolve(data.toString('latin1'))
    })
  })
}

/**
 * Whether the server has closed the connection, without reading pending data: a write to a closed connection fails at
 * the next write. Blank lines before a request are ignored.
 */
function isCut(socket: Socket): boolean {
  if (!socket.destroyed) socket.write('\r\n')
  return socket.destroyed
}

async function until<T>(ask: () => Promise<T | null>): Promise<T> {
  for (const end = Date.now() + 50_000; Date.now() < end;) {
    const result = await ask()
    if (result !== null) return result
    await new Promise(resolve => setTimeout(resolve, 50))
  }
  throw new Error('It did not come to pass.')
}
