import { removeFolder, temporaryFolder } from '@cadmus/testing/temporary'
import { Socket } from 'node:net'
import { join } from 'node:path'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { AnswerScope, LargeAnswers, RequestScope } from '../request-scope.ts'
import type { Driver } from './driver.ts'
import { openSqlite } from './sqlite.ts'

let driver: Driver
const folder = temporaryFolder('sqlite-thread')
beforeAll(() => {
  driver = openSqlite(join(folder, 'test.sqlite'))
})
afterAll(async () => {
  await driver.close()
  removeFolder(folder)
})

afterEach(() => void vi.useRealTimers())

/** A query whose single step takes long. */
const slow = (rows: number) => ({
  text: `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${rows}) SELECT COUNT(*) FROM n`,
  parameters: [],
})
const large = { text: 'SELECT zeroblob(2000000)', parameters: [] }

async function scopeIn(answers: LargeAnswers, socket = new Socket()): Promise<AnswerScope> {
  const scope = new AnswerScope(new RequestScope(socket, answers, ['shop', '192.0.2.1'], () => undefined), false)
  await scope.slot()
  scope.isLarge = true
  return scope
}

it('a query with a previously large answer runs on a thread without blocking the event loop', async () => {
  const scope = await scopeIn(new LargeAnswers())
  let yields = 0
  let isOver = false
  const reading = driver.query(slow(3_000_000), scope).finally(() => (isOver = true))
  while (!isOver) {
    yields += 1
    await yieldToEventLoop()
  }
  expect((await reading).rows).toEqual([[3_000_000n]])
  expect(yields).toBeGreaterThan(100)
})

it('a caller that disconnects during a long step does not block other callers with a slot', async () => {
  const answers = new LargeAnswers()
  const socket = new Socket()
  const request = new RequestScope(socket, answers, ['shop', '192.0.2.1'], () => undefined)
  const left = new AnswerScope(request, false)
  await left.slot()
  left.isLarge = true
  const abandoned = driver.query(slow(30_000_000), left)
  // Lets the query start.
  await yieldToEventLoop()
  socket.destroy()
  request.end()
  await expect(abandoned).rejects.toMatchObject({ kind: 'gone' })
  const { rows } = await driver.query(large, await scopeIn(answers))
  expect(rows[0]?.[0]).toHaveLength(2_000_000)
})

it('a statement of a large change that takes longer than 30 seconds rolls it back, and the next change is made', async () => {
  await driver.query({ text: 'CREATE TABLE thing (id INTEGER)', parameters: [] })
  const insert = (id: number) => ({ text: 'INSERT INTO thing (id) VALUES (?)', parameters: [id] })
  const answers = new LargeAnswers()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { promise: isSlow, resolve: begin } = Promise.withResolvers<void>()
  const changing = driver.transaction(
    async connection => {
      await connection.query(insert(1))
      begin()
      await connection.query(slow(10_000_000))
    },
    await scopeIn(answers),
  )
  const refused = changing.catch((error: unknown) => error)
  await isSlow
  await vi.advanceTimersByTimeAsync(30_000)
  expect(await refused).toMatchObject({ kind: 'unavailable' })
  await driver.transaction(async connection => void (await connection.query(insert(2))), await scopeIn(answers))
  expect((await driver.query({ text: 'SELECT id FROM thing', parameters: [] })).rows).toEqual([[2n]])
})
