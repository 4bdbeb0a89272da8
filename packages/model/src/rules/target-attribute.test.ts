import { holds } from '@cadmus/testing/holds'
import { describe, expect, it } from 'vitest'
import { targetAttribute } from './target-attribute.ts'

describe('target attribute', () => {
  it('New Relationship: target attribute required', holds('E5.27'), () => {
    expect(targetAttribute(' ')).toBe('this is a required field')
  })

  it('New Relationship: target attribute 2 to 50 characters', holds('E5.28'), () => {
    const outside = 'this must be 2 to 50 characters long.'
    expect(['a', 'id', 'a'.repeat(50), 'a'.repeat(51)].map(targetAttribute)).toEqual([
      outside,
      undefined,
      undefined,
      outside,
    ])
  })
})
