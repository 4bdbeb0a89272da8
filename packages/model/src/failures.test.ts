import { describe, expect, it } from 'vitest'
import { Failures } from './failures.ts'

describe('Counts of failures', () => {
  const counted = () => {
    let now = 0
    const refusal = (seconds: number) => new Error(`Too many attempts. Wait ${seconds} seconds.`)
    const failures = new Failures(() => now, refusal)
    return { failures, advance: (milliseconds: number) => (now += milliseconds) }
  }
  const ann = [{ key: 'ann', max: 2 }]

  it('end after a minute each, and state when the next attempt is allowed', () => {
    const { failures, advance } = counted()
    failures.begin(ann)
    advance(20_000)
    failures.begin(ann)
    advance(10_000)
    expect(() => failures.begin(ann)).toThrow('Wait 30 seconds.')
    advance(30_000)
    failures.begin(ann)
    expect(failures.count('ann')).toBe(2)
    advance(200_000)
    expect(failures.count('ann')).toBe(0)
  })

  it('are kept despite any number of successful attempts', () => {
    const { failures } = counted()
    const takeBack = failures.begin(ann)
    failures.begin(ann)
    for (let other = 0; other < 30_000; other += 1) failures.begin([{ key: `other ${other}`, max: 1 }])()
    expect(failures.count('ann')).toBe(2)
    takeBack()
    expect(failures.count('ann')).toBe(1)
  })

  it('counts are unchanged for all keys of an attempt that one of them refuses', () => {
    const { failures } = counted()
    for (const name of ['ann', 'bob'])
      failures.begin([
        { key: name, max: 10 },
        { key: 'network', max: 2 },
      ])
    expect(() =>
      failures.begin([
        { key: 'eve', max: 10 },
        { key: 'network', max: 2 },
      ]),
    ).toThrow('Too many attempts')
    expect(failures.count('eve')).toBe(0)
  })
})
