import { describe, expect, it } from 'vitest'
import { targetAttribute } from './target-attribute.ts'

describe('target attribute', () => {
  it('E5.27 New Relationship: target attribute required', () => {
    expect(targetAttribute(' ')).toBe('this is a required field')
  })

  it('E5.28 New Relationship: target attribute 2 to 50 characters', () => {
    const outside = 'this must be 2 to 50 characters long.'
    expect(['a', 'id', 'a'.repeat(50), 'a'.repeat(51)].map(targetAttribute)).toEqual([
      outside,
      undefined,
      undefined,
      outside,
    ])
  })
})
