import fc from 'fast-check'
import { expect, it } from 'vitest'
import { joined, jsonPieces, listed, slicesOf, wholeText } from './text-pieces.ts'

it('pieces of JSON together are what JSON.stringify writes', () => {
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

it('a piece of JSON holds one member of a list at most', () => {
  const records = Array.from({ length: 3 }, (_, id) => ({ id, items: [{ id }, { id }] }))
  for (const piece of jsonPieces({ records })) expect(piece.length).toBeLessThan(20)
})

it('texts are joined to a text, and to pieces where one of them is in pieces', () => {
  expect(joined('a', 'b')).toBe('ab')
  const pieces = joined('a', jsonPieces([[1]]), 'b')
  expect(pieces).not.toBeTypeOf('string')
  expect(wholeText(pieces)).toBe('a[[1]]b')
})

it('slices are of one size, together the text, and hold whole characters', () => {
  for (const text of ['', 'a', '😀', 'ab😀😀c', '😀'.repeat(50)]) {
    for (const size of [1, 2, 3, 4, 7]) {
      const slices = [...slicesOf(text, size)]
      expect([text, size, slices.join('')]).toEqual([text, size, text])
      for (const slice of slices) expect([slice.isWellFormed(), slice.length <= size + 1]).toEqual([true, true])
    }
  }
  expect([...slicesOf(['a', 'b', 'cde', 'f'], 2)]).toEqual(['ab', 'cd', 'ef'])
})

it('a list is one text where it is short, and written as it is asked for where it is long', () => {
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

it('a record of many long texts is no single piece', () => {
  const record = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`a${at}`, 'é"'.repeat(20_000)]))
  const pieces = [...jsonPieces({ data: record })]
  expect(pieces.join('')).toBe(JSON.stringify({ data: record }))
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(200_000)
})
