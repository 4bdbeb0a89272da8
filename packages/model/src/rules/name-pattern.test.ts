import { holds } from '@cadmus/testing/holds'
import { describe, expect, it } from 'vitest'
import { namePattern } from './name-pattern.ts'

const message =
  'this must contain only alphanumeric characters and underscores, with no consecutive underscores allowed.'

describe('name pattern', () => {
  it('Name pattern: starts with a letter', holds('E5.1'), () => {
    expect(['1abc', '_abc'].map(namePattern)).toEqual([
      `${message} It must begin with a letter, not with "1".`,
      `${message} It must begin with a letter, not with "_".`,
    ])
    expect(namePattern('abc1')).toBeUndefined()
  })

  it('Name pattern: only letters, digits and underscores', holds('E5.2', 'M5.6'), () => {
    const wrong = ['a-b', 'a b', 'a.b', 'a\nb', 'ab\n', 'aé', 'a😀', 'a\u0000b', "a'; DROP TABLE x; --", ' ab', 'ab ']
    expect(wrong.filter(name => !namePattern(name)?.startsWith(`${message} It must`))).toEqual([])
    expect(namePattern('a_b')).toBeUndefined()
  })

  it('Name pattern: ends with a letter or digit', holds('E5.3'), () => {
    expect(namePattern('abc_')).toBe(`${message} It must end with a letter or a digit, not with "_".`)
    expect(namePattern('abc_1')).toBeUndefined()
  })

  it('Name pattern: no double underscore', holds('E5.4', 'M5.7'), () => {
    expect(namePattern('a__b')).toBe(message)
    expect(namePattern('a_b_c')).toBeUndefined()
  })

  it('Pattern message, to the letter', holds('E5.6', 'M5.8'), () => {
    expect(namePattern('a__b')).toBe(message)
  })

  it.each([
    ['80', 'It must begin with a letter, not with "8".'],
    ['9', 'It must begin with a letter, not with "9".'],
    ['a-b.c', 'It must not contain "-".'],
    ['two words', 'It must not contain a space.'],
    [' ab', 'It must begin with a letter, not with a space.'],
    ['a\u200Bb', 'It must not contain "‹U+200B›".'],
    ['a\u{1F600}', 'It must end with a letter or a digit, not with "\u{1F600}".'],
    [
      '1 x_',
      'It must begin with a letter, not with "1". It must not contain a space. It must end with a letter or a digit, not with "_".',
    ],
  ])('states the fault of %j after the pattern message', (name, fault) => {
    expect(namePattern(name)).toBe(`${message} ${fault}`)
  })
})
