import { holds } from '@cadmus/testing/holds'
import { describe, expect, it } from 'vitest'
import { maxLength, parseMaxLength } from './max-length.ts'

describe('max length', () => {
  it('Max length: digits only', holds('E5.18'), () => {
    const wrong = ['12a', '-1', '1.5', '1e3', '٣']
    expect(wrong.filter(text => maxLength(text) !== 'this must contain only digits.')).toEqual([])
    expect(maxLength('12')).toBeUndefined()
    expect(maxLength('')).toBeUndefined()
  })

  it('a max length is at least 1 and at most a signed 32-bit number', () => {
    const outside = 'this must be a number from 1 to 2147483647.'
    expect(['0', '000', '2147483647', '2147483648', '9'.repeat(400)].map(maxLength)).toEqual([
      outside,
      outside,
      undefined,
      outside,
      outside,
    ])
  })

  it('Max length is parsed as an integer', holds('E4.22'), () => {
    expect(parseMaxLength('080')).toBe(80)
    expect(parseMaxLength(' 12 ')).toBe(12)
    expect(parseMaxLength('')).toBeNull()
  })
})
