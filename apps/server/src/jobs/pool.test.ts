import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { removeFolder, temporaryFolder } from '@cadmus/testing/temporary'
import { afterAll, expect, it } from 'vitest'
import { newPool } from './thread-code.ts'

const folder = temporaryFolder('pool')
afterAll(() => removeFolder(folder))

it('an error of a thread without waiting task is reported, and the next task gets another thread', async () => {
  const filename = join(folder, 'late.mjs')
  writeFileSync(
    filename,
    `import { threadId } from 'node:worker_threads'
     export default async late => {
       if (late) setTimeout(() => { throw new Error('after the answer') }, 20)
       return threadId
     }`,
  )
  const lost: unknown[] = []
  const options = { filename, minThreads: 0, maxThreads: 1, idleTimeout: 60_000, atomics: 'disabled' as const }
  const pool = newPool(options, error => void lost.push(error))
  const first: unknown = await pool.run(true)
  await expect.poll(() => lost).toEqual([expect.objectContaining({ message: 'after the answer' })])
  expect(await pool.run(false)).not.toBe(first)
  await pool.destroy()
})
