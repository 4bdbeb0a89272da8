import { describe, expect, it } from 'vitest'
import { expiryOf, offeredDays } from './CreateTokenDialog.tsx'

const now = new Date(2026, 10, 23, 14, 30)

describe('the expiry of an access token', () => {
  it('is a number of days from now, at the same time of day', () => {
    expect(expiryOf('30', '', now)).toEqual({ at: new Date(2026, 11, 23, 14, 30) })
    expect(expiryOf('90', '', now)).toEqual({ at: new Date(2027, 1, 21, 14, 30) })
    expect(expiryOf('365', '2026-12-01', now)).toEqual({ at: new Date(2027, 10, 23, 14, 30) })
  })

  it('is the end of a chosen day, at most a year ahead', () => {
    expect(offeredDays(now)).toEqual({ min: '2026-11-23', max: '2027-11-23' })
    expect(expiryOf('date', '2026-11-23', now)).toEqual({ at: new Date(2026, 10, 23, 23, 59, 59, 999) })
    expect(expiryOf('date', '2027-11-23', now)).toEqual({ at: new Date(2027, 10, 23, 23, 59, 59, 999) })
    expect(expiryOf('date', '', now)).toEqual({ problem: 'this is a required field' })
    expect(expiryOf('date', '2026-11-22', now)).toEqual({ problem: 'The expiry must be in the future.' })
    expect(expiryOf('date', '2027-11-24', now)).toEqual({ problem: 'An access token expires within a year.' })
    expect(expiryOf('date', '12027-11-23', now)).toEqual({ problem: 'The expiry must be in the future.' })
  })
})
