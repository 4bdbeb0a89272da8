import { writeFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

/**
 * Preloaded into a server by `--import`. On SIGUSR2, writes to the file named by LOOP_WATCH the longest block of the
 * main thread since the previous signal: in milliseconds of wall time, and of processor time, which is the thread's own
 * work.
 */
const every = 5
const file = process.env['LOOP_WATCH']

if (isMainThread && file !== undefined) watch(file)

function watch(to: string): void {
  let at = performance.now()
  let used = threadCpu()
  let longest = { held: 0, worked: 0 }
  const timer = setInterval(() => {
    const now = { at: performance.now(), used: threadCpu() }
    longest = { held: Math.max(longest.held, now.at - at), worked: Math.max(longest.worked, now.used - used) }
    at = now.at
    used = now.used
  }, every)
  timer.unref()
  process.on('SIGUSR2', () => {
    writeFileSync(to, JSON.stringify({ held: Math.round(longest.held), worked: Math.round(longest.worked) }))
    longest = { held: 0, worked: 0 }
  })
}

/** Milliseconds of processor time of this thread. */
function threadCpu(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
