import { describe, expect, it } from 'vitest'
import { boundedName, boundedText } from './bounded-name.ts'

describe('bounded name', () => {
  it('rejects a name of spaces only as missing', () => {
    expect(boundedName('', { min: 2, max: 5 })).toBe('this is a required field')
    expect(boundedName('  \t', { min: 2, max: 5 })).toBe('this is a required field')
  })

  it('measures the length of a name in code points', () => {
    expect(boundedText('😀😀😀😀😀', { min: 2, max: 5 })).toBeUndefined()
    expect(boundedText('😀😀😀😀😀😀', { min: 2, max: 5 })).toBe('this must be 2 to 5 characters long.')
    expect(boundedText('😀', { min: 2, max: 5 })).toBe('this must be 2 to 5 characters long.')
  })

  it('checks the length of a name before its pattern', () => {
    expect(boundedName('-', { min: 2, max: 5 })).toBe('this must be 2 to 5 characters long.')
    expect(boundedName('a-', { min: 2, max: 5 })).toContain('alphanumeric')
  })
})
