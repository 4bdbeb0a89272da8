import { expect, it } from 'vitest'
import { steadyClock } from './clock.ts'

const hour = 3_600_000

it('steadyClock follows a clock set forward and ignores one set back', () => {
  let wall = 1_000_000
  let passed = 0
  const now = steadyClock(
    () => wall,
    () => passed,
  )
  const pass = (milliseconds: number) => {
    wall += milliseconds
    passed += milliseconds
  }
  expect(now()).toBe(1_000_000)
  pass(500)
  expect(now()).toBe(1_000_500)
  wall -= hour
  expect(now()).toBe(1_000_500)
  pass(500)
  expect(now()).toBe(1_001_000)
  wall += 2 * hour
  expect(now()).toBe(1_001_000 + hour)
  wall -= hour
  pass(hour)
  expect(now()).toBe(1_001_000 + 2 * hour)
})

it('steadyClock defaults to the system time', () => {
  const [before, now, after] = [Date.now(), steadyClock()(), Date.now()]
  expect(Math.ceil(now)).toBeGreaterThanOrEqual(before)
  expect(Math.floor(now)).toBeLessThanOrEqual(after)
})
