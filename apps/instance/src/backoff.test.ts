import { expect, it } from 'vitest'
import { Backoff } from './backoff.ts'

it('retries start after 3 seconds, and the pause doubles up to 5 minutes', () => {
  let now = 1_000_000
  const backoff = new Backoff(() => now)
  expect(backoff.isDue).toBe(true)
  const pauses = Array.from({ length: 9 }, () => {
    backoff.failed()
    const began = now
    while (!backoff.isDue) now += 1000
    return (now - began) / 1000
  })
  expect(pauses).toEqual([3, 6, 12, 24, 48, 96, 192, 300, 300])
  backoff.reset()
  backoff.failed()
  now += 3000
  expect(backoff.isDue).toBe(true)
})
