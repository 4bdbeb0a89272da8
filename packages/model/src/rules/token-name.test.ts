import { expect, it } from 'vitest'
import { takenNames } from './taken-names.ts'
import { tokenName } from './token-name.ts'

it('a token name has 1 to 100 characters, not counting surrounding spaces', () => {
  expect(tokenName('')).toBe('this is a required field')
  expect(tokenName(' \t ')).toBe('this is a required field')
  expect(tokenName('x')).toBeUndefined()
  expect(tokenName(` ${'😀'.repeat(100)} `)).toBeUndefined()
  expect(tokenName('x'.repeat(101))).toBe('this must be 1 to 100 characters long.')
})

it('a token name contains no invisible characters', () => {
  expect(tokenName('nightly\u202Ebuild')).toBe('"nightly‹U+202E›build" contains invisible characters.')
  expect(tokenName('nightly\0')).toContain('invisible characters')
  expect(tokenName('Nachtlauf 2: Export & Prüfung 🌙')).toBeUndefined()
})

it('compares token names case-insensitively and without surrounding spaces', () => {
  const taken = takenNames(['Nightly'])
  expect(tokenName(' nightLY ', { taken })).toBe('An access token with the name "nightLY" already exists.')
  expect(tokenName('Nightly 2', { taken })).toBeUndefined()
})
