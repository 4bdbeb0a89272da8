import { holds } from '@cadmus/testing/holds'
import { describe, expect, it } from 'vitest'
import { namePattern } from './name-pattern.ts'

const message =
  'this must contain only alphanumeric characters and underscores, with no consecutive underscores allowed.'

describe('name pattern', () => {
  it('Name pattern: starts with a letter', holds('E5.1'), () => {
    expect(['1abc', '_abc'].map(namePattern)).toEqual([message, message])
    expect(namePattern('abc1')).toBeUndefined()
  })

  it('Name pattern: only letters, digits and underscores', holds('E5.2', 'M5.6'), () => {
    const wrong = ['a-b', 'a b', 'a.b', 'a\nb', 'ab\n', 'aé', 'a😀', 'a\u0000b', "a'; DROP TABLE x; --", ' ab', 'ab ']
    expect(wrong.filter(name => namePattern(name) !== message)).toEqual([])
    expect(namePattern('a_b')).toBeUndefined()
  })

  it('Name pattern: ends with a letter or digit', holds('E5.3'), () => {
    expect(namePattern('abc_')).toBe(message)
    expect(namePattern('abc_1')).toBeUndefined()
  })

  it('Name pattern: no double underscore', holds('E5.4', 'M5.7'), () => {
    expect(namePattern('a__b')).toBe(message)
    expect(namePattern('a_b_c')).toBeUndefined()
  })

  it('Pattern message, to the letter', holds('E5.6', 'M5.8'), () => {
    expect(namePattern('a__b')).toBe(message)
  })

  it('judges a hostile text of a million characters at once', () => {
    const start = performance.now()
    expect(namePattern(`${'a_'.repeat(500_000)}!`)).toBe(message)
    expect(performance.now() - start).toBeLessThan(1000)
  })
})
