import { expect, it } from 'vitest'
import { steadyClock } from './clock.ts'

const hour = 3_600_000

it('a clock that is set back goes on, and one that is set forward is followed', () => {
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

it('by default it is the time of day', () => {
  expect(Math.abs(steadyClock()() - Date.now())).toBeLessThan(1000)
})
