import { expect, it } from 'vitest'
import { format, formatsOf } from './format.ts'
import { dataTypes, formats } from '../type-attribute.ts'

it('accepts formats that refine the data type, and no format', () => {
  expect(format('int16', { dataType: 'integer' })).toBeUndefined()
  expect(format(null, { dataType: 'boolean' })).toBeUndefined()
  expect(format('date', { dataType: 'integer' })).toBe('The format date does not apply to the data type integer.')
})

it('offers every format for at least one data type', () => {
  const offered = new Set<string>(dataTypes.flatMap(type => formatsOf[type]))
  expect(formats.filter(name => !offered.has(name))).toEqual([])
})
