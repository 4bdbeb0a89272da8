import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { expect, it } from 'vitest'
import { buildInstance, INSTANCE } from './instance-build.ts'
import { ROOT } from './processes.ts'

it('the instance is bundled once per state of the sources, with the files of its page', async () => {
  expect(await buildInstance()).not.toHaveProperty('problem')
  expect(await buildInstance()).toEqual({ built: false })
  expect(existsSync(INSTANCE)).toBe(true)
  const files = readdirSync(join(ROOT, 'apps/instance/src/explorer/page'))
  expect(readdirSync(join(dirname(INSTANCE), 'page')).toSorted()).toEqual(files.toSorted())
  // The worker runs long operations on embedded databases.
  const thread = new Worker(join(dirname(INSTANCE), 'sqlite-worker.js'), { workerData: { file: ':memory:' } })
  thread.postMessage({ text: 'SELECT 7', parameters: [] })
  expect(await once(thread, 'message')).toEqual([{ result: { rows: [[7n]], changes: 1 }, isLast: true }])
  thread.postMessage('end')
  expect(await once(thread, 'exit')).toEqual([0])
})
