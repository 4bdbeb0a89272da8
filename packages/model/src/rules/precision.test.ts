import { expect, it } from 'vitest'
import { precision } from './precision.ts'

it('accepts a precision of 1 to 38 digits on double and float only', () => {
  const outside = 'this must be a number from 1 to 38.'
  const judged = [0, 1, 38, 39, 1.5, Number.NaN].map(value => precision(value, { dataType: 'double' }))
  expect(judged).toEqual([outside, undefined, undefined, outside, outside, outside])
  expect(precision(10, { dataType: 'float' })).toBeUndefined()
  expect(precision(10, { dataType: 'integer' })).toBe('Precision applies to double and float only.')
  expect(precision(null, { dataType: 'integer' })).toBeUndefined()
})
