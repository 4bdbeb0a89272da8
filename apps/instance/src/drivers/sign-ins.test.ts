import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { ConnectionPool, SignIns } from './connection-pool.ts'
import { DatabaseError } from './driver.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
afterEach(() => void vi.useRealTimers())

/** A server with a user whose password is refused while `isRefusing`. */
function startServer() {
  const server = { attempts: 0, isRefusing: true }
  const connector = {
    async connect() {
      server.attempts += 1
      await Promise.resolve()
      if (server.isRefusing) throw new DatabaseError('refused', new Error('wrong password'))
      return server.attempts
    },
    disconnect: () => undefined,
    isReusable: () => true,
  }
  const signIns = new SignIns()
  const openPool = () => new ConnectionPool(connector, signIns)
  return { server, openPool }
}

const kindOf = (work: Promise<unknown>) =>
  work.then(
    () => 'answered',
    (error: unknown) => (error instanceof DatabaseError ? error.kind : error),
  )

it('each refused sign-in doubles the pause before the next one', async () => {
  const { server, openPool } = startServer()
  const pool = openPool()
  for (let second = 0; second < 60; second += 1) {
    expect(await kindOf(pool.take())).toBe('refused')
    vi.advanceTimersByTime(1000)
  }
  // After 0, 3, 9, 21 and 45 seconds.
  expect(server.attempts).toBe(5)
})

it('pauses begin anew with 3 seconds if the last one ended more than 5 minutes ago', async () => {
  const { server, openPool } = startServer()
  const pool = openPool()
  for (const pause of [3000, 600_000, 3000, 0]) {
    await kindOf(pool.take())
    vi.advanceTimersByTime(pause)
  }
  expect(server.attempts).toBe(4)
})

it('calls on several databases of a server make one refused sign-in of their user', async () => {
  const { server, openPool } = startServer()
  const calls = [openPool(), openPool()].flatMap(pool => Array.from({ length: 20 }, () => kindOf(pool.take())))
  expect(new Set(await Promise.all(calls))).toEqual(new Set(['refused']))
  expect(server.attempts).toBe(1)
})

it('a sign-in that the server does not answer ends after 10 seconds, so that others are made and its pool closes', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] })
  const unanswered = Promise.withResolvers<string>()
  const disconnected: string[] = []
  const connect = vi.fn(() => Promise.resolve('second')).mockReturnValueOnce(unanswered.promise)
  const disconnect = (connection: string) => void disconnected.push(connection)
  const signIns = new SignIns()
  const [pool, other] = [0, 1].map(() => new ConnectionPool({ connect, disconnect, isReusable: () => true }, signIns))
  if (!pool || !other) throw new Error('No pools.')
  const first = kindOf(pool.take())
  await vi.advanceTimersByTimeAsync(10_000)
  expect(await first).toBe('unavailable')
  expect(await kindOf(other.take())).toBe('answered')
  await pool.close()
  unanswered.resolve('first')
  await unanswered.promise
  expect(disconnected).toEqual(['first'])
})

it('calls are answered on open connections while further sign-ins are refused', async () => {
  const { server, openPool } = startServer()
  const pool = openPool()
  server.isRefusing = false
  await pool.use(async () => undefined)
  server.isRefusing = true
  const calls = Array.from({ length: 20 }, () => kindOf(pool.use(() => Promise.resolve())))
  expect(new Set(await Promise.all(calls))).toEqual(new Set(['answered']))
  expect(server.attempts).toBe(2)
})
