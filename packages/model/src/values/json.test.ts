import { expect, it } from 'vitest'
import { readBytes } from './bytes.ts'
import { jsonFault, lostNumber, repeatedKey } from './json.ts'

it('rejects JSON with NUL, lone surrogates, numbers beyond double precision or too deep nesting', () => {
  const nested = (depth: number) => `${'['.repeat(depth)}1${']'.repeat(depth)}`
  expect(['null', '"a"', '{"a": [1.5, "😀"]}', nested(100)].map(text => jsonFault(text))).toEqual(
    Array(4).fill(undefined),
  )
  expect(['', '{a: 1}', '[1,]', "'a'"].map(text => jsonFault(text))).toEqual(Array(4).fill('syntax'))
  const refused = ['"\\u0000"', '{"\\ud800": 1}', '[1e200000]', nested(101), nested(50_000)]
  expect(refused.map(text => jsonFault(text))).toEqual(Array(5).fill('value'))
  expect([jsonFault(nested(31), 31), jsonFault(nested(32), 31)]).toEqual([undefined, 'value'])
})

it('finds a repeated key of an object in any spelling and at any depth', () => {
  expect(
    ['{"a": 1, "b": {"a": 2}}', '[{"a": 1}, {"a": 2}]', '{"a": "a", "b": ["a", "a"]}', '"a"', '{"a": 1, "a"'].map(
      repeatedKey,
    ),
  ).toEqual(Array(5).fill(undefined))
  expect(
    ['{"a": 1, "a": 1}', '[{"x": [{"a\\"": 1, "a\\u0022" : 2}]}]', '{"b": {"a": "}"}, "c": "{", "b": 1}'].map(
      repeatedKey,
    ),
  ).toEqual(['a', 'a"', 'b'])
  const long = 'x\\\\'.repeat(4_000_000)
  expect(repeatedKey(`{"a":"${long}","b":1,"a":2}`)).toBe('a')
})

it('a number that changes when it is parsed is detected', () => {
  const exact = ['0', '-0', '1.5', '0.1', '9007199254740991', '-9007199254740992', '1e308', '12345678901234567000']
  expect(lostNumber(JSON.stringify({ a: '1e400', 'b 12345678901234567890': '"' }))).toBe(undefined)
  expect(exact.map(number => lostNumber(`{"a": [${number}]}`))).toEqual(exact.map(() => undefined))
  const lost = ['1e400', '-1e400', '12345678901234567890', '-9007199254740993', '9'.repeat(100_000)]
  expect(lost.map(number => lostNumber(`{"a\\"": [1, {"b":${number}}]}`))).toEqual(lost)
})

it('decodes Base64 into hexadecimal digits', () => {
  expect(['AP8Q', '', 'AA==', 'A', 'A*=='].map(readBytes)).toEqual(['00ff10', '', '00', null, null])
})
