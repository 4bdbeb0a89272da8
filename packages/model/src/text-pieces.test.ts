import fc from 'fast-check'
import { expect, it } from 'vitest'
import { joined, jsonPieces, listed, slicesOf, wholeText } from './text-pieces.ts'

it('joined pieces of JSON equal the output of JSON.stringify', () => {
  fc.assert(
    fc.property(fc.jsonValue(), value => {
      expect(wholeText(jsonPieces(value))).toBe(JSON.stringify(value))
    }),
  )
  class Written {
    toJSON() {
      return { written: true }
    }
  }
  for (const value of [
    { a: undefined, b: [undefined, { c: [] }], d: new Written() },
    Object.assign(Object.create(null), { x: [[]] }),
    [[{ a: '\ud800' }], new Date(0)],
  ]) {
    expect(wholeText(jsonPieces(value))).toBe(JSON.stringify(value))
  }
})

it('a piece of JSON holds at most one member of a list', () => {
  const records = Array.from({ length: 3 }, (_, id) => ({ id, items: [{ id }, { id }] }))
  for (const piece of jsonPieces({ records })) expect(piece.length).toBeLessThan(20)
})

it('joining gives a string, or pieces if one of the parts has pieces', () => {
  expect(joined('a', 'b')).toBe('ab')
  const pieces = joined('a', jsonPieces([[1]]), 'b')
  expect(pieces).not.toBeTypeOf('string')
  expect(wholeText(pieces)).toBe('a[[1]]b')
})

it('slices have equal sizes, give the text when joined, and split no character', () => {
  for (const text of ['', 'a', '😀', 'ab😀😀c', '😀'.repeat(50)]) {
    for (const size of [1, 2, 3, 4, 7]) {
      const slices = [...slicesOf(text, size)]
      expect([text, size, slices.join('')]).toEqual([text, size, text])
      for (const slice of slices) expect([slice.isWellFormed(), slice.length <= size + 1]).toEqual([true, true])
    }
  }
  expect([...slicesOf(['a', 'b', 'cde', 'f'], 2)]).toEqual(['ab', 'cd', 'ef'])
})

it('a short list is one string, a long one is produced on demand', () => {
  expect(listed([], String)).toBe('')
  expect(listed(['a', 'b'], (value, at) => `${at}${value}`)).toBe('0a1b')
  expect(wholeText(listed(['a', 'b', 'c'], value => (value === 'b' ? jsonPieces([[value]]) : value)))).toBe('a[["b"]]c')
  let count = 0
  const long = listed(Array.from({ length: 100 }), () => {
    count += 1
    return 'x'.repeat(10_000)
  })
  expect(count).toBe(7)
  expect([wholeText(long).length, count]).toEqual([1_000_000, 100])
})

it('a record with many long texts is split into pieces', () => {
  const record = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`a${at}`, 'é"'.repeat(20_000)]))
  const pieces = [...jsonPieces({ data: record })]
  expect(pieces.join('')).toBe(JSON.stringify({ data: record }))
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(200_000)
})
