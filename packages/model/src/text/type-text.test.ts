import { expect, it } from 'vitest'
import { parseText } from './parse.ts'
import { readType, typeText } from './type-text.ts'

it.each([
  ['integer(20)', { dataType: 'integer', precision: 20, scale: null }, 'integer(20)'],
  ['numeric(20)', { dataType: 'integer', precision: 20, scale: null }, 'integer(20)'],
  ['decimal(20,0)', { dataType: 'integer', precision: 20, scale: null }, 'integer(20)'],
  ['integer(20,0)', { dataType: 'integer', precision: 20, scale: null }, 'integer(20)'],
  ['integer(20,5)', { dataType: 'integer', precision: 20, scale: 5 }, 'integer(20, 5)'],
  ['int(11)', { dataType: 'integer', format: 'int32', precision: null }, 'int32'],
  ['double(20,0)', { dataType: 'double', precision: 20, scale: 0 }, 'double(20, 0)'],
  ['decimal(20,2)', { dataType: 'double', precision: 20, scale: 2 }, 'double(20, 2)'],
])('a number of the type %s is read as %j and printed as %s', (text, expected, printed) => {
  const type = parseText(`Table t {\n  a ${text}\n}`).tables[0]?.columns[0]?.type
  const shape = type && readType(type, () => undefined)
  expect(shape).toMatchObject(expected)
  expect(shape && 'dataType' in shape ? typeText(shape) : shape).toBe(printed)
})
