import { afterEach, describe, expect, it, vi } from 'vitest'
import { networkOf, RateLimit } from './rate-limit.ts'

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

it('counts IPv4 by address, also in IPv6 notation', () => {
  expect(networkOf('192.0.2.1')).toBe('192.0.2.1')
  expect(networkOf('::ffff:192.0.2.1')).toBe('192.0.2.1')
  expect(networkOf('::FFFF:192.0.2.1')).toBe('192.0.2.1')
})

it('counts IPv6 by /64 in any notation', () => {
  for (const address of [
    '2001:db8:1:2::1',
    '2001:DB8:1:2:ffff::9',
    '2001:0db8:0001:0002:3:4:5:6',
    '2001:db8:1:2:3:4:192.0.2.1',
  ]) {
    expect([address, networkOf(address)]).toEqual([address, '2001:db8:1:2::/64'])
  }
  expect(networkOf('2001:db8:1:3::1')).toBe('2001:db8:1:3::/64')
  expect(networkOf('2001:db8::1')).toBe('2001:db8:0:0::/64')
  expect(networkOf('2001:db8::1:2:3:4:5')).toBe('2001:db8:0:1::/64')
  expect(networkOf('::1')).toBe('0:0:0:0::/64')
  expect(networkOf('fe80::1%eth0')).toBe('fe80:0:0:0::/64')
})
