import { describe, expect, it } from 'vitest'
import { hasMoreFormsThan } from './json-depth.ts'

describe('Counting the forms of objects in JSON', () => {
  const many = Array.from({ length: 1000 }, (_, at) => at)
  const isMore = (value: unknown, max: number) => hasMoreFormsThan(JSON.stringify(value), max)

  it('counts one form for each sequence of keys and each of its prefixes, at any depth', () => {
    const record = { name: 'a', 'b"\\c': { name: 1 }, list: [{ name: 2 }] }
    expect(
      isMore(
        many.map(() => record),
        3,
      ),
    ).toBe(false)
    expect(
      isMore(
        many.map(() => record),
        2,
      ),
    ).toBe(true)
    expect(
      isMore(
        many.map(at => (at % 2 === 0 ? { a: 1, b: 2 } : { b: 1, a: 2 })),
        4,
      ),
    ).toBe(false)
    expect(
      isMore(
        many.map(at => (at % 2 === 0 ? { a: 1, b: 2 } : { b: 1, a: 2 })),
        3,
      ),
    ).toBe(true)
  })

  it('counts many forms for many keys, and for few keys in many orders', () => {
    const objects = [
      Object.fromEntries(many.map(at => [`k${at}`, 1])),
      many.map(at => ({ [`k${at}`]: 1 })),
      many.map(at =>
        Object.fromEntries([at % 10, 10 + (((at / 10) | 0) % 10), 20 + ((at / 100) | 0)].map(key => [`k${key}`, 1])),
      ),
      Object.fromEntries(many.map(at => [`${'\\'.repeat(at % 7)}"${at}`, 1])),
    ]
    for (const value of objects) {
      expect(isMore(value, 990)).toBe(true)
      expect(isMore(value, 1110)).toBe(false)
    }
  })

  it('ignores braces within strings', () => {
    const text = many.map(at => `{"k${at}":1}`).join()
    expect(isMore({ text, [text]: text }, 2)).toBe(false)
  })
})
