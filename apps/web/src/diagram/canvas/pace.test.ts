import { expect, it } from 'vitest'
import { Pace } from './pace.ts'

const frame = 1000 / 60

it('tiles are painted for less time after late frames, and again for as long as before once frames are in time', () => {
  const pace = new Pace()
  let now = 0
  const after = (wait: number) => pace.next((now += wait))
  expect([after(500), after(frame), after(frame)]).toEqual([6, 6, 6])
  expect([after(2 * frame), after(2 * frame), after(2 * frame)]).toEqual([3, 2.5, 2.5])
  expect(after(frame)).toBe(2.75)
  pace.pause()
  expect(after(500)).toBe(3)
  for (let at = 0; at < 20; at++) after(frame)
  expect(after(frame)).toBe(6)
})
