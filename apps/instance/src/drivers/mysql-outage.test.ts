import { createServer, type Socket } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import type { Driver } from './driver.ts'
import { openMysql } from './mysql.ts'

/** Commands of the protocol, by the first byte. */
const commands = { query: 3, prepare: 22 }

const packet = (sequence: number, payload: Buffer) =>
  Buffer.concat([Buffer.from([payload.length, 0, 0, sequence]), payload])
const greeting = packet(
  0,
  Buffer.concat([
    Buffer.from('\x0a8.0.0\0'),
    // The number of the connection, 8 bytes of the challenge and the flags: protocol 4.1 with a plugin for sign-ins.
    Buffer.from([1, 0, 0, 0, ...Array.from({ length: 8 }, () => 1), 0, 0x09, 0xa2, 8, 2, 0, 0x08, 0, 21]),
    Buffer.alloc(10),
    Buffer.from(`${'a'.repeat(12)}\0mysql_native_password\0`),
  ]),
)
const done = (sequence: number) => packet(sequence, Buffer.from([0, 0, 0, 2, 0, 0, 0]))
const shutdown = (sequence: number) => packet(sequence, Buffer.from('\xff\x1d\x04#08S01Server shutdown', 'latin1'))

const opened: (() => Promise<unknown>)[] = []

afterEach(async () => {
  await Promise.all(opened.splice(0).map(close => close()))
})

/** A server that accepts every user. */
async function openOn(answer: (socket: Socket, command: number | undefined) => void): Promise<Driver> {
  const server = createServer(socket => {
    let isSignedIn = false
    socket.on('error', () => undefined)
    socket.on('data', data => {
      if (isSignedIn) return answer(socket, data[4])
      isSignedIn = true
      answer(socket, undefined)
    })
    socket.write(greeting)
  })
  await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('No port.')
  const place = { host: '127.0.0.1', port: address.port, database: 'shop', username: 'ann', password: 'secret' }
  const driver = openMysql({ dialect: 'mysql', ...place })
  opened.push(
    () => driver.close(),
    () => new Promise(resolve => server.close(resolve)),
  )
  return driver
}

it('a MySQL server that ends a connection right after the sign-in is reported as unavailable', async () => {
  const driver = await openOn(socket => void socket.end(Buffer.concat([done(2), shutdown(3)])))
  await expect(driver.check()).rejects.toMatchObject({ kind: 'unavailable' })
  await expect(driver.check()).rejects.toMatchObject({ kind: 'unavailable' })
})

it.each([
  ['while a statement is prepared', commands.prepare, [1]],
  ['while a statement runs', commands.query, []],
])('a MySQL server that closes a connection %s is reported as unavailable', async (_, last, parameters) => {
  let isSetUp = false
  const driver = await openOn((socket, command) => {
    if (command === last && isSetUp) socket.end()
    else socket.write(done(command === undefined ? 2 : 1))
    isSetUp ||= command === commands.query
  })
  await expect(driver.query({ text: 'SELECT ?', parameters })).rejects.toMatchObject({ kind: 'unavailable' })
  await expect(driver.transaction(({ query }) => query({ text: 'SELECT ?', parameters }))).rejects.toMatchObject({
    kind: 'unavailable',
  })
})
