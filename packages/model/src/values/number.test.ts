import { describe, expect, it } from 'vitest'
import { fitsDecimal, readDecimal, readDouble, readInteger, writeDecimal } from './number.ts'

describe('numbers as text', () => {
  it.each([
    ['.5', '0.5'],
    ['5.', '5'],
    ['3.00', '3'],
    ['-0.0', '0'],
    ['1e5', '100000'],
    ['12.5E-3', '0.0125'],
    ['+007.10', '7.1'],
    ['0e999', '0'],
    ['9'.repeat(38), '9'.repeat(38)],
    [`0.${'0'.repeat(999)}1`, `0.${'0'.repeat(999)}1`],
  ])('reads %s as the exact number %s', (text, written) => {
    const value = readDecimal(text)
    expect(value && writeDecimal(value)).toBe(written)
  })

  it.each(['', '.', 'e5', '1e', '1.5.5', '0x10', 'NaN', '1e1000', '1e-1001', ' 1'])('rejects %j as a number', text => {
    expect(readDecimal(text)).toBeNull()
  })

  it('a number fits a column if none of its digits is rounded away', () => {
    const fits = (text: string) => fitsDecimal(readDecimal(text) ?? readDecimal('1e9')!, 5, 2)
    expect(['123.45', '0.10', '3.', '999'].map(fits)).toEqual([true, true, true, true])
    expect(['1234', '1.234', '1e3'].map(fits)).toEqual([false, false, false])
  })

  it('integers are exact to their last bit, with any number of leading zeros', () => {
    expect(readInteger(`-${'0'.repeat(50)}9223372036854775808`, 64)).toBe(-9_223_372_036_854_775_808n)
    expect(readInteger('9223372036854775808', 64)).toBeNull()
    expect(readInteger('32768', 16)).toBeNull()
    expect(readInteger('1.0', 64)).toBeNull()
  })

  it('a double is any number within double precision', () => {
    expect([readDouble('5e-324'), readDouble('.5'), readDouble('1e999'), readDouble('1,5')]).toEqual([
      5e-324,
      0.5,
      null,
      null,
    ])
  })
})
