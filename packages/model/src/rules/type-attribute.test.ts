import { describe, expect, it } from 'vitest'
import { holds } from '@cadmus/testing/holds'
import { aTypeAttribute } from '../testing/builders.ts'
import type { DataType, DefaultKind } from '../data-types.ts'
import { dataTypes, formats, type TypeAttribute } from '../type-attribute.ts'
import {
  choice,
  choices,
  defaultKind,
  defaultValue,
  format,
  formatsOf,
  isKeyDataType,
  keyDataType,
  maxLength,
  parseMaxLength,
  precision,
  scale,
} from './type-attribute.ts'

it('Primary key data type: only integer or string', holds('E5.19'), () => {
  expect(dataTypes.filter(type => keyDataType(type, { isKey: true }) === undefined)).toEqual(['integer', 'string'])
  expect(keyDataType('boolean', { isKey: true })).toBe('The primary key must be an integer or a string.')
  expect(dataTypes.filter(type => keyDataType(type, { isKey: false }) !== undefined)).toEqual([])
  expect(dataTypes.filter(isKeyDataType)).toEqual(['integer', 'string'])
})

describe('max length', () => {
  it('Max length: digits only', holds('E5.18'), () => {
    const wrong = ['12a', '-1', '1.5', '1e3', '٣']
    expect(wrong.filter(text => maxLength(text) !== 'this must contain only digits.')).toEqual([])
    expect(maxLength('12')).toBeUndefined()
    expect(maxLength('')).toBeUndefined()
  })

  it('a max length is at least 1 and at most a signed 32-bit number', () => {
    const outside = 'this must be a number from 1 to 2147483647.'
    expect(['0', '000', '2147483647', '2147483648', '9'.repeat(400)].map(maxLength)).toEqual([
      outside,
      outside,
      undefined,
      outside,
      outside,
    ])
  })

  it('Max length is parsed as an integer', holds('E4.22'), () => {
    expect(parseMaxLength('080')).toBe(80)
    expect(parseMaxLength(' 12 ')).toBe(12)
    expect(parseMaxLength('')).toBeNull()
  })
})

it.each(['integer', 'double', 'float'] as const)('accepts a precision of 1 to 38 digits on %s', dataType => {
  const outside = 'this must be a number from 1 to 38.'
  const judged = [0, 1, 38, 39, 1.5, Number.NaN].map(value => precision(value, { dataType, format: null }))
  expect(judged).toEqual([outside, undefined, undefined, outside, outside, outside])
})

it('accepts no precision on other data types, nor on an integer of a format', () => {
  expect(precision(10, { dataType: 'string', format: null })).toBe('Precision is for integer, double and float only.')
  expect(precision(10, { dataType: 'integer', format: 'int32' })).toBe(
    'An integer has a precision or a format, not both.',
  )
  expect(precision(null, { dataType: 'integer', format: 'int32' })).toBeUndefined()
})

it('accepts a scale from 0 up to the precision', () => {
  const outside = 'this must be a number from 0 to 5.'
  const judged = [-1, 0, 5, 6, 1.5].map(value => scale(value, { dataType: 'double', precision: 5 }))
  expect(judged).toEqual([outside, undefined, undefined, outside, outside])
  expect(scale(2, { dataType: 'double', precision: null })).toBe('Scale requires a precision.')
  expect(scale(null, { dataType: 'double', precision: null })).toBeUndefined()
  expect(scale(0, { dataType: 'integer', precision: 5 })).toBe('Scale is for double and float only.')
})

it('accepts formats that refine the data type, and no format', () => {
  const of = (dataType: DataType, maxLength: number | null = null) => ({ dataType, maxLength })
  expect(format('int16', of('integer'))).toBeUndefined()
  expect(format(null, of('boolean'))).toBeUndefined()
  const length = 'A text of fixed length needs a max length of at most 255 characters.'
  expect([null, 0, 1, 255, 256].map(maxLength => format('fixed', of('string', maxLength)))).toEqual([
    length,
    undefined,
    undefined,
    undefined,
    length,
  ])
  expect(precision(5, { dataType: 'float', format: 'single' })).toBe(
    'A number of single precision has no precision of its own.',
  )
  expect(format('date', of('integer'))).toBe('The format date does not apply to the data type integer.')
})

it('offers every format for at least one data type', () => {
  const offered = new Set<string>(dataTypes.flatMap(type => formatsOf[type]))
  expect(formats.filter(name => !offered.has(name))).toEqual([])
})

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
  [{ dataType: 'integer', precision: 3 }, ['999', '-999', '0001'], ['1000', '-1000', '1.0', '1e2', '']],
  [{ dataType: 'integer', precision: 38 }, ['9'.repeat(38), `-${'9'.repeat(38)}`], [`1${'0'.repeat(38)}`]],
  [{ dataType: 'double' }, ['1', '-1.5', '.5', '1.', '1e10', '5e-324'], ['', '.', 'e5', 'NaN', '1e999', '0x10', '1,5']],
  [{ dataType: 'float', precision: 5, scale: 2 }, ['123.45', '-0.10', '001.5', '999'], ['1234', '1.234', '1e2', '.']],
  [{ dataType: 'float', format: 'single' }, ['0.1', '-3.4e38', '1e-50', '16777217'], ['3.5e38', 'x', '']],
  [{ format: 'fixed', maxLength: 3 }, ['abc', ' bc', 'ü😀x'], ['ab', 'abcd', 'ab ', '']],
  [{ format: 'fixed', maxLength: 2, choices: ['ab', 'abc'] }, ['ab'], ['abc', 'x']],
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

describe('computed default', () => {
  const type = { dataType: 'dateTime', format: null, choices: [], defaultValue: null } as const
  const fault = (kind: DefaultKind, change: Partial<Parameters<typeof defaultKind>[1]> = {}) =>
    defaultKind(kind, { ...type, choices: [], ...change })

  it('is for date-times of its kind, or for strings of format guid', () => {
    expect([fault('now'), fault('now', { format: 'instant' }), fault('now', { format: 'local' })]).toEqual(
      Array(3).fill(undefined),
    )
    expect([fault('today', { format: 'date' }), fault('uuid', { dataType: 'string', format: 'guid' })]).toEqual(
      Array(2).fill(undefined),
    )
    const wrong = 'Now and today are for date-times of that kind.'
    expect([fault('today'), fault('now', { format: 'date' }), fault('now', { format: 'time' })]).toEqual(
      Array(3).fill(wrong),
    )
    expect([fault('now', { dataType: 'string' }), fault('today', { dataType: 'string', format: 'date' })]).toEqual(
      Array(2).fill(wrong),
    )
    expect(fault('uuid', { dataType: 'string' })).toBe('A random UUID is for strings of format guid.')
  })

  it('excludes choices and a default value', () => {
    expect(fault('now', { choices: ['2026-01-31'] })).toBe('A computed default excludes choices.')
    expect(fault('now', { defaultValue: '2026-01-31' })).toBe('A computed default excludes a default value.')
  })
})

describe('choices', () => {
  it('Choices cannot contain a duplicate name', holds('E5.37'), () => {
    const others = ['Open', 'Closed']
    expect(choice('Open', { others })).toBe('A choice with the name "Open" already exists.')
    expect(choice('Pending', { others })).toBeUndefined()
    expect(choice('', { others })).toBe('this is a required field')
  })

  it('quotes a choice as typed and reports all of its problems', () => {
    const others = ['Open', 'Closed']
    const spaces = 'The choice " Open " must not begin or end with a space.'
    const duplicate = 'A choice with the name "Open" already exists.'
    expect(choice(' Open ', { others: [] })).toBe(spaces)
    expect(choice(' Open ', { others })).toBe(`${spaces} ${duplicate}`)
    expect(choice(' a\u200B', { others })).toBe(
      'The choice " a‹U+200B›" must not begin or end with a space. " a‹U+200B›" contains invisible characters.',
    )
    expect(choices([...others, ' Open '])).toBe(`${spaces} ${duplicate}`)
    expect(choices([...others, ' Open '], [' Open '])).toBe(duplicate)
  })

  it('rejects a list of choices with an empty or repeated one', () => {
    expect(choices(['Open', 'Closed', 'Open'])).toBe('A choice with the name "Open" already exists.')
    expect(choices(['Open', ' '])).toBe('this is a required field')
    expect(choices(['km', 'KM'])).toBeUndefined()
  })

  it('rejects spaces around a choice, unless the choice existed before', () => {
    expect(choices(['Open', ' Closed'])).toBe('The choice " Closed" must not begin or end with a space.')
    expect(choices(['Open', ' Closed'], [' Closed'])).toBeUndefined()
  })
})
