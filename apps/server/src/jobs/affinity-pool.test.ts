import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { removeFolder, temporaryFolder } from '@cadmus/testing/temporary'
import type { Piscina } from 'piscina'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { AffinityPool } from './affinity-pool.ts'

const folder = temporaryFolder('threads')
let threads: AffinityPool

beforeAll(() => {
  const filename = join(folder, 'counts.mjs')
  writeFileSync(
    filename,
    `import { threadId } from 'node:worker_threads'
     let count = 0
     export default async wait => {
       count += 1
       await new Promise(done => setTimeout(done, wait))
       return { threadId, count }
     }`,
  )
  threads = new AffinityPool(2, { filename, idleTimeout: 60_000, atomics: 'disabled' })
})
afterAll(async () => {
  await threads.close()
  removeFolder(folder)
})

type Seen = { threadId: number; count: number }
const work = (wait: number) => (pool: Piscina<number, Seen>) => pool.run(wait)

it('a task runs on the thread that last had its key, or another one if that is busy', async () => {
  const first = await threads.run('a', work(0))
  const other = await threads.run('b', work(0))
  expect(other.threadId).not.toBe(first.threadId)
  for (let count = 2; count < 6; count += 1) {
    expect(await threads.run('a', work(0))).toEqual({ threadId: first.threadId, count })
  }
  const [busy, concurrent] = await Promise.all([threads.run('a', work(50)), threads.run('a', work(0))])
  expect([busy.threadId, concurrent.threadId]).toEqual([first.threadId, other.threadId])
  expect((await threads.run('a', work(0))).threadId).toBe(other.threadId)
})

it("a prepared thread runs its key's next task and is started once, even if the task arrives early", async () => {
  const fresh = new AffinityPool(2, { filename: join(folder, 'counts.mjs'), idleTimeout: 60_000, atomics: 'disabled' })
  const started: number[] = []
  const start = async (pool: Piscina<number, Seen>) => void started.push((await pool.run(50)).threadId)
  const preparing = fresh.prepare('a', start)
  const atOnce = await fresh.run('a', work(0))
  await preparing
  expect(started).toEqual([atOnce.threadId])
  await fresh.prepare('b', start)
  expect(started).toHaveLength(2)
  expect((await fresh.run('b', work(0))).threadId).toBe(started[1])
  expect(started[1]).not.toBe(started[0])
  for (const key of ['a', 'b', 'c']) await fresh.prepare(key, start)
  expect(started).toHaveLength(2)
  await fresh.close()
})

it('a broadcast reaches all running threads', async () => {
  const reported: number[] = []
  await threads.broadcast(async (pool: Piscina<number, Seen>) => void reported.push((await pool.run(0)).threadId))
  expect(new Set(reported).size).toBe(2)
})
