import { writeFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

/**
 * Goes into the server with `--import`. Says when asked by SIGUSR2, in the file that LOOP_WATCH names, what the longest hold of the
 * main thread was since it was asked last: in milliseconds of the clock, and of the processor that the thread itself had. The
 * latter is its own work, however busy the machine is with others.
 */
const every = 5
const file = process.env['LOOP_WATCH']

if (isMainThread && file !== undefined) watch(file)

function watch(to: string): void {
  let at = performance.now()
  let used = usedNow()
  let longest = { held: 0, worked: 0 }
  const timer = setInterval(() => {
    const now = { at: performance.now(), used: usedNow() }
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

/** Milliseconds of the processor that this thread has had. */
function usedNow(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
