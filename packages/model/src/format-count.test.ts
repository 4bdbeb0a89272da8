import { describe, expect, it } from 'vitest'
import { formatCount } from './format-count.ts'

describe('A count', () => {
  it('has thousands separators', () => {
    for (const count of [0, 7, 42, 999, 1000, 12_345, 100_000, 1_234_567, 2 ** 53 - 1, -1, -999, -1000, -123_456])
      expect(formatCount(count)).toBe(count.toLocaleString('en'))
  })
})
