import { expect, it } from 'vitest'
import { scale } from './scale.ts'

it('accepts a scale from 0 up to the precision', () => {
  const outside = 'this must be a number from 0 to 5.'
  const judged = [-1, 0, 5, 6, 1.5].map(value => scale(value, { precision: 5 }))
  expect(judged).toEqual([outside, undefined, undefined, outside, outside])
  expect(scale(2, { precision: null })).toBe('Scale requires a precision.')
  expect(scale(null, { precision: null })).toBeUndefined()
})
