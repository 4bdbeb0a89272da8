import { removeFolder, temporaryFolder } from '@cadmus/testing/temporary'
import { Socket } from 'node:net'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
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

/** One step of it takes long. */
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

it('What had a large answer is read on a thread from the beginning, and others have their turns', async () => {
  const scope = await scopeIn(new LargeAnswers())
  let turnsOfOthers = 0
  let isOver = false
  const reading = driver.query(slow(3_000_000), scope).finally(() => (isOver = true))
  while (!isOver) {
    turnsOfOthers += 1
    await nextTurn()
  }
  expect((await reading).rows).toEqual([[3_000_000n]])
  expect(turnsOfOthers).toBeGreaterThan(100)
})

it('A caller who leaves in a long step holds up nobody who has a slot', async () => {
  const answers = new LargeAnswers()
  const socket = new Socket()
  const request = new RequestScope(socket, answers, ['shop', '192.0.2.1'], () => undefined)
  const left = new AnswerScope(request, false)
  await left.slot()
  left.isLarge = true
  const abandoned = driver.query(slow(30_000_000), left)
  // It is begun.
  await nextTurn()
  socket.destroy()
  request.end()
  await expect(abandoned).rejects.toMatchObject({ kind: 'gone' })
  const { rows } = await driver.query(large, await scopeIn(answers))
  expect(rows[0]?.[0]).toHaveLength(2_000_000)
})
