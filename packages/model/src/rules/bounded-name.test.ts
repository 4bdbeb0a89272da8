import { describe, expect, it } from 'vitest'
import { boundedName, boundedText } from './bounded-name.ts'

describe('bounded name', () => {
  it('refuses blanks as missing', () => {
    expect(boundedName('', { min: 2, max: 5 })).toBe('this is a required field')
    expect(boundedName('  \t', { min: 2, max: 5 })).toBe('this is a required field')
  })

  it('counts code points, not code units', () => {
    expect(boundedText('😀😀😀😀😀', { min: 2, max: 5 })).toBeUndefined()
    expect(boundedText('😀😀😀😀😀😀', { min: 2, max: 5 })).toBe('this must be 2 to 5 characters long.')
    expect(boundedText('😀', { min: 2, max: 5 })).toBe('this must be 2 to 5 characters long.')
  })

  it('judges the length before the pattern', () => {
    expect(boundedName('-', { min: 2, max: 5 })).toBe('this must be 2 to 5 characters long.')
    expect(boundedName('a-', { min: 2, max: 5 })).toContain('alphanumeric')
  })
})
