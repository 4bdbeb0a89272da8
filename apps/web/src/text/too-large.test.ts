import { expect, it } from 'vitest'
import { whyTooLarge } from './too-large.ts'

it('a manifest of 3,000 entities and 60,000 lines has a text, a larger one a sentence with its size and the limit', () => {
  expect(whyTooLarge(3000, 60_000)).toBeNull()
  expect(whyTooLarge(3001, 10)).toMatch(/3,001.*3,000/)
  expect(whyTooLarge(10, 60_001)).toMatch(/60,001.*60,000/)
})
