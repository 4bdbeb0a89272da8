import { describe, expect, it } from 'vitest'
import { aTypeAttribute } from '../testing/builders.ts'
import type { TypeAttribute } from '../type-attribute.ts'
import { defaultValue } from './default-value.ts'

const big = '9223372036854775807'
const cases: readonly [Partial<TypeAttribute>, accepted: readonly string[], refused: readonly string[]][] = [
  [{ dataType: 'boolean' }, ['true', 'false'], ['TRUE', '1', '', ' true ']],
  [
    { dataType: 'integer' },
    ['0', '-5', '+7', '007', big],
    ['', '1.0', '1e3', ' 5 ', 'x', '9223372036854775808', '1'.repeat(9999)],
  ],
  [{ dataType: 'integer', format: 'int16' }, ['-32768', '32767'], ['32768']],
  [{ dataType: 'integer', format: 'int32' }, ['2147483647'], ['2147483648']],
  [{ dataType: 'double' }, ['1', '-1.5', '.5', '1.', '1e10', '5e-324'], ['', '.', 'e5', 'NaN', '1e999', '0x10', '1,5']],
  [{ dataType: 'float', precision: 5, scale: 2 }, ['123.45', '-0.10', '001.5', '999'], ['1234', '1.234', '1e2', '.']],
  [{ dataType: 'double', format: 'decimal', precision: 3 }, ['123', '12.0', '3.'], ['1234', '1.5']],
  [{ dataType: 'double', format: 'decimal' }, ['1e5', '.5', '9'.repeat(38)], ['1e1001', '.', '1e']],
  [
    { dataType: 'dateTime' },
    ['2026-01-31', '2026-01-31T13:45:00Z', '2026-01-31 13:45', '2026-01-31T13:45:00.123456+05:30'],
    ['2026-02-30', 'now()', '13:45', '2026-01-31T13:45:00.123456789Z', '0000-01-01', '0001-01-01T00:00+14:00'],
  ],
  [{ dataType: 'dateTime', format: 'date' }, ['2024-02-29'], ['2023-02-29', '2024-02-29T00:00:00Z']],
  [
    { dataType: 'dateTime', format: 'time' },
    ['13:45', '23:59:59.123', '23:59:59.1234560'],
    ['24:00', '1:00', '23:59:59.1234567'],
  ],
  [{ dataType: 'string' }, ['', "it's", '😀'], ['\0', '\ud800']],
  [{ dataType: 'object', format: 'text' }, ['once', ''], ['\0']],
  [{ dataType: 'string', maxLength: 3 }, ['abc', '😀😀😀'], ['abcd']],
  [{ dataType: 'string', format: 'guid' }, ['018F3B5C-0000-7000-8000-00000000000a'], ['018f3b5c']],
  [{ dataType: 'string', choices: ['Open', 'Closed'] }, ['Open'], ['open', '']],
  [{ dataType: 'integer', choices: ['1', 'two', ' 3 '] }, ['1'], ['two', ' 3 ']],
  [{ dataType: 'string', maxLength: 3, choices: ['abc', 'abcd'] }, ['abc'], ['abcd']],
  [{ dataType: 'string', unique: true }, ['a'.repeat(255)], ['a'.repeat(256)]],
  [{ dataType: 'double', format: 'decimal', scale: 2 }, ['1.25'], ['1.125']],
  [{ dataType: 'string', format: 'date', maxLength: 10 }, ['2026-01-31'], ['2026-01-31T00:00', 'now']],
  [
    { dataType: 'object' },
    ['{"a":1}', 'null', '"text"', '[[[[]]]]'],
    ['{a:1}', '', '"\\u0000"', '["\\ud800"]', '1e200000', `${'['.repeat(101)}${']'.repeat(101)}`],
  ],
  [{ dataType: 'object', format: 'binary' }, ['AAEC', ''], ['AAE', 'A*==']],
]

describe('default value', () => {
  it.each(cases)('accepts values of %o as default and rejects others', (type, accepted, refused) => {
    const attribute = aTypeAttribute(type)
    expect(accepted.filter(text => defaultValue(text, attribute) !== undefined)).toEqual([])
    expect(refused.filter(text => defaultValue(text, attribute) === undefined)).toEqual([])
  })

  it('states the expected format of a default value', () => {
    expect(defaultValue('x', aTypeAttribute({ dataType: 'integer' }))).toBe('this must be a whole number.')
    expect(defaultValue('x', aTypeAttribute({ dataType: 'string', choices: ['y'] }))).toBe(
      'this must be one of the choices.',
    )
    expect(defaultValue(null, aTypeAttribute({ dataType: 'integer' }))).toBeUndefined()
  })
})
