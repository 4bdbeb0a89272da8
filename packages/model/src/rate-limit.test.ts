import { afterEach, describe, expect, it, vi } from 'vitest'
import { RateLimit } from './rate-limit.ts'

describe('A rate limit', () => {
  let time = 0
  const refusal = (seconds: number) => new Error(`in ${seconds} s`)
  const aLimit = () => new RateLimit({ perSecond: 50, burst: 200, now: () => time, refusal })
  const taken = (limit: RateLimit, caller: string, times: number) => {
    let count = 0
    for (let at = 0; at < times; at += 1) {
      try {
        limit.take(caller)
        count += 1
      } catch {
        // The refusal is counted.
      }
    }
    return count
  }
  afterEach(() => {
    vi.restoreAllMocks()
    time = 0
  })

  it('allows a burst, then a rate per second, and states when the next request is allowed', () => {
    const limit = aLimit()
    expect(taken(limit, 'ann', 230)).toBe(200)
    expect(() => limit.take('ann')).toThrow('in 1 s')
    expect(taken(limit, 'bob', 1)).toBe(1)
    time += 1000
    expect(taken(limit, 'ann', 60)).toBe(50)
    time += 60_000
    expect(taken(limit, 'ann', 230)).toBe(200)
    time -= 10_000
    expect(taken(limit, 'ann', 1)).toBe(0)
  })

  it('takes the same time for any number of callers', () => {
    const limit = aLimit()
    const walks = [
      vi.spyOn(Map.prototype, Symbol.iterator),
      vi.spyOn(Map.prototype, 'entries'),
      vi.spyOn(Map.prototype, 'keys'),
      vi.spyOn(Map.prototype, 'values'),
      vi.spyOn(Map.prototype, 'forEach'),
    ]
    expect(taken(limit, 'ann', 230)).toBe(200)
    for (let other = 0; other < 30_000; other += 1) limit.take(`other ${other}`)
    expect(taken(limit, 'ann', 1)).toBe(0)
    // Each step takes half a generation, so that three generations pass.
    for (let half = 0; half < 6; half += 1) {
      time += 2000
      expect(taken(limit, 'ann', 230)).toBe(100)
      for (let other = 0; other < 3000; other += 1) limit.take(`${half} ${other}`)
    }
    for (const walk of walks) expect(walk).not.toHaveBeenCalled()
  })
})
