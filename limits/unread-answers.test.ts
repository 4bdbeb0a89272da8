import { defineCall } from '@cadmus/model/contract/call'
import { organisationHeader } from '@cadmus/model/contract/routes'
import { connect, type Socket } from 'node:net'
import { expect, it } from 'vitest'
import * as z from 'zod'
import { handle } from '../apps/server/src/http/route.ts'
import { ssoRoutes } from '../apps/server/src/routes/sso.ts'
import type { ConsoleClient } from '../apps/server/src/testing/client.ts'
import { startConsole, type TestConsole } from '../apps/server/src/testing/console.ts'

const megabyte = 1024 * 1024

/** Larger than the buffers of the operating system. */
const largeCall = defineCall({
  id: 'probeLarge',
  method: 'GET',
  path: '/1.0/cdm/probe/large',
  tag: 'Probe',
  access: 'user',
  summary: 'A large answer.',
  answer: z.object({ text: z.string() }),
})
const large = handle(largeCall, async () => ({ text: 'x'.repeat(16 * megabyte) }))

it('60 unread answers of 16 MB take less than 800 MB', async () => {
  const server = await startConsole({ routes: [...ssoRoutes, large] })
  const designer = await server.as('designer')
  const before = process.memoryUsage().rss
  const requested = await Promise.all(Array.from({ length: 60 }, () => requestLarge(server, designer)))
  expect(requested.filter(({ head }) => head.startsWith('HTTP/1.1 200')).length).toBeGreaterThan(0)
  expect(requested.filter(({ head }) => head.startsWith('HTTP/1.1 429')).length).toBeGreaterThan(0)
  // Without a limit they would take 1 GB.
  expect(process.memoryUsage().rss - before).toBeLessThan(800 * megabyte)
  for (const { socket } of requested) socket.destroy()
  await server.stop()
})

/** Reads the beginning of the answer only. */
function requestLarge(server: TestConsole, client: ConsoleClient): Promise<{ head: string; socket: Socket }> {
  const { host, port } = new URL(server.url)
  const socket = connect({ host: '127.0.0.1', port: Number(port) })
  const cookie = [...client.browser.cookies].map(([name, { value }]) => `${name}=${value}`).join('; ')
  const headers = [`Host: ${host}`, `Cookie: ${cookie}`, `${organisationHeader}: ${client.organisation}`]
  socket.write(`GET ${largeCall.path} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`)
  return new Promise((resolve, reject) => {
    socket.once('error', reject)
    socket.once('data', data => {
      socket.pause()
      resolve({ head: data.toString('latin1'), socket })
    })
  })
}
