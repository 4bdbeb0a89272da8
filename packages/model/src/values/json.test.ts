import { expect, it } from 'vitest'
import { readBytes } from './bytes.ts'
import { jsonFault } from './json.ts'

it('JSON that every database takes has no NUL, no half character, no number too large, and is not too deep', () => {
  const nested = (depth: number) => `${'['.repeat(depth)}1${']'.repeat(depth)}`
  expect(['null', '"a"', '{"a": [1.5, "😀"]}', nested(100)].map(text => jsonFault(text))).toEqual(
    Array(4).fill(undefined),
  )
  expect(['', '{a: 1}', '[1,]', "'a'"].map(text => jsonFault(text))).toEqual(Array(4).fill('syntax'))
  const refused = ['"\\u0000"', '{"\\ud800": 1}', '[1e200000]', nested(101), nested(50_000)]
  expect(refused.map(text => jsonFault(text))).toEqual(Array(5).fill('value'))
  expect([jsonFault(nested(31), 31), jsonFault(nested(32), 31)]).toEqual([undefined, 'value'])
})

it('Base64 is read as its bytes', () => {
  expect(['AP8Q', '', 'AA==', 'A', 'A*=='].map(readBytes)).toEqual(['00ff10', '', '00', null, null])
})
