import { once } from 'node:events'
import { constants } from 'node:os'
import { Worker } from 'node:worker_threads'
import { expect, it } from 'vitest'

const program = `
  const { getPriority } = require('node:os')
  const { readlinkSync } = require('node:fs')
  const { parentPort, workerData } = require('node:worker_threads')
  import(workerData).then(({ lowerThreadPriority }) => {
    lowerThreadPriority()
    parentPort.postMessage(getPriority(Number(readlinkSync('/proc/thread-self').split('/').at(-1))))
  })
`

it.runIf(process.platform === 'linux')('job threads give way to requests, but not to everything else', async () => {
  const workerData = new URL('thread-priority.ts', import.meta.url).href
  const thread = new Worker(program, { eval: true, workerData })
  const [priority] = await once(thread, 'message')
  expect(priority).toBeGreaterThan(constants.priority.PRIORITY_NORMAL)
  expect(priority).toBeLessThan(constants.priority.PRIORITY_LOW)
  await thread.terminate()
})
