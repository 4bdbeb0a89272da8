import { once } from 'node:events'
import { createServer, Socket } from 'node:net'
import { limits } from '@cadmus/model/limits'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { beginAnswer } from './answer-size.ts'
import type { ServerDatabase } from './driver.ts'
import { openDriver } from './open.ts'

afterEach(() => void vi.useRealTimers())

/** A server that only accepts connections. */
async function startServer(accept: (socket: Socket) => void) {
  const sockets: Socket[] = []
  const server = createServer({ noDelay: true }, socket => {
    sockets.push(socket)
    socket.on('error', () => undefined)
    accept(socket)
  })
  await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('No port.')
  const open = (dialect: ServerDatabase) =>
    openDriver({
      dialect,
      host: '127.0.0.1',
      port: address.port,
      database: 'shop',
      username: 'ann',
      password: 'secret',
    })
  return { sockets, open, stop: () => new Promise(resolve => server.close(resolve)) }
}

const zeros = Buffer.alloc(65_536)
/** A packet of 4096 bytes that is not the last of its message. */
const tdsPacket = Buffer.concat([Buffer.from([4, 0, 16, 0, 0, 0, 0, 0]), Buffer.alloc(4088)])

const floods = [
  { dialect: 'postgresql', head: Buffer.from([0x52, 0x3f, 0xff, 0xff, 0xff]), body: zeros },
  // Protocol version 10, then a server version that never ends.
  { dialect: 'mysql', head: Buffer.from([0xff, 0xff, 0xff, 0, 0x0a]), body: zeros.map(() => 0x61) },
  { dialect: 'mssql', head: tdsPacket, body: tdsPacket },
] as const

describe.each(floods)('a $dialect server', ({ dialect, head, body }) => {
  it('is disconnected soon if it sends endless data before the sign-in', async () => {
    const { sockets, open, stop } = await startServer(async socket => {
      socket.write(head)
      for (let sent = 0; sent < 4096 && !socket.destroyed; sent += 1) {
        if (!socket.write(body))
          await Promise.race([once(socket, 'drain'), once(socket, 'close')]).catch(() => undefined)
      }
    })
    const driver = await open(dialect)
    await expect(driver.check()).rejects.toMatchObject({ kind: 'unavailable' })
    const [socket] = sockets
    if (socket && !socket.destroyed) await once(socket, 'close').catch(() => undefined)
    // Bytes buffered by the operating system count as sent.
    expect(socket?.bytesWritten).toBeLessThan(16 * 1024 * 1024)
    await driver.close()
    await stop()
  })
})

it('a PostgreSQL server that refuses the sign-in but stays connected is disconnected', async () => {
  const text = Buffer.from('SFATAL\0C28P01\0Mrefused\0\0')
  const refusal = Buffer.concat([Buffer.from([0x45, 0, 0, 0, text.length + 4]), text])
  const { sockets, open, stop } = await startServer(socket => socket.once('data', () => socket.write(refusal)))
  const driver = await open('postgresql')
  await expect(driver.check()).rejects.toMatchObject({ kind: 'refused' })
  const [socket] = sockets
  if (socket && !socket.destroyed) await once(socket, 'close')
  await driver.close()
  await stop()
})

it('a MySQL server that never answers the statements of a new session is disconnected in time', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const packet = (sequence: number, payload: Buffer) =>
    Buffer.concat([Buffer.from([payload.length, 0, 0, sequence]), payload])
  const capabilities = [1, 0, 0, 0, ...Array.from({ length: 8 }, () => 1), 0, 0x09, 0xa2, 8, 2, 0, 0x08, 0, 21]
  const greeting = [Buffer.from('\x0a8.0.0\0'), Buffer.from(capabilities), Buffer.alloc(10)]
  const statement = Promise.withResolvers<void>()
  const { sockets, open, stop } = await startServer(socket => {
    socket.write(packet(0, Buffer.concat([...greeting, Buffer.from(`${'a'.repeat(12)}\0mysql_native_password\0`)])))
    socket.once('data', () => {
      socket.write(packet(2, Buffer.from([0, 0, 0, 2, 0, 0, 0])))
      socket.once('data', () => statement.resolve())
    })
  })
  const driver = await open('mysql')
  const checked = driver.check().catch((error: unknown) => error)
  await statement.promise
  await vi.advanceTimersByTimeAsync(10_000)
  expect(await checked).toMatchObject({ kind: 'unavailable' })
  const [socket] = sockets
  if (socket && !socket.destroyed) await once(socket, 'close')
  await driver.close()
  await stop()
})

it('a socket that replaces the one of the sign-in, as for TLS, is bounded too', () => {
  let bytesRead = 0
  const socket = Object.defineProperty(new Socket(), 'bytesRead', { get: () => bytesRead })
  socket.on('error', () => undefined)
  beginAnswer(socket)
  for (bytesRead of [limits.databaseAnswer, limits.databaseAnswer + 1]) {
    expect(socket.destroyed).toBe(false)
    socket.emit('data', Buffer.alloc(0))
  }
  expect(socket.destroyed).toBe(true)
})
