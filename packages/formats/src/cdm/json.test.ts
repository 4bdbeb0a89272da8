import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ImportError } from '../import-error.ts'
import { bounds } from './bounds.ts'
import { parseJson } from './json.ts'

it('parseJson reads valid JSON with any string contents', () => {
  const words = fc.array(fc.constantFrom('\\', '"', '[', '{', '1e400', ',', 'a', '\u00e9', '/'), { maxLength: 12 })
  const text = words.map(parts => parts.join(''))
  const value = fc.array(fc.dictionary(text, fc.oneof(text, fc.array(text))), { maxLength: 5 })
  fc.assert(
    fc.property(value, json => {
      const document = JSON.stringify(json)
      expect(parseJson(document, 'a.json')).toEqual(JSON.parse(document))
    }),
    { numRuns: 500, seed: 20_261_126 },
  )
})

it('parseJson counts the lists and objects of all documents of an import together', () => {
  const budget = { containers: bounds.containersInAll - 2 }
  expect(parseJson('{"a":[]}', 'a.json', { budget })).toEqual({ a: [] })
  expect(() => parseJson('{}', 'b.json', { budget })).toThrow(
    new ImportError('too-much', 'The documents have more than 20000000 lists and objects.'),
  )
})
