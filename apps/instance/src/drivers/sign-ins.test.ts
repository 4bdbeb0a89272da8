import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { DatabaseError } from './driver.ts'
import { SignIns } from './sign-ins.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
afterEach(() => void vi.useRealTimers())

/** A database that refuses new connections, while an open one still answers the check. */
function startRefusing() {
  const counts = { attempts: 0 }
  const signIns = new SignIns(async () => undefined)
  const call = () =>
    signIns
      .run(async () => {
        counts.attempts += 1
        throw new DatabaseError('refused', new Error('wrong password'))
      })
      .catch(() => undefined)
  return { counts, call }
}

it('pauses between refused sign-ins double although an open connection still works', async () => {
  const { counts, call } = startRefusing()
  for (let second = 0; second < 60; second += 1) {
    await call()
    vi.advanceTimersByTime(1000)
  }
  // After 0, 3, 9, 21 and 45 seconds.
  expect(counts.attempts).toBe(5)
})

it('pauses begin anew with 3 seconds if the last one ended more than 5 minutes ago', async () => {
  const { counts, call } = startRefusing()
  await call()
  vi.advanceTimersByTime(3000)
  await call()
  vi.advanceTimersByTime(600_000)
  await call()
  vi.advanceTimersByTime(3000)
  await call()
  expect(counts.attempts).toBe(4)
})
