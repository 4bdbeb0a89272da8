import { processorTime } from '@cadmus/testing/processor-time'
import fc from 'fast-check'
import { expect, it } from 'vitest'
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

it('parseJson is linear for strings of quotes and backslashes', () => {
  const started = processorTime()
  expect(() => parseJson(`["${'\\'.repeat(999_999)}`, 'a.json')).toThrow('is not a JSON document')
  expect(parseJson(`["${'\\"'.repeat(500_000)}"]`, 'a.json')).toEqual(['"'.repeat(500_000)])
  expect(processorTime() - started).toBeLessThan(5000)
})
