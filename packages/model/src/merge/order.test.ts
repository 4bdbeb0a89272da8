import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mergeOrder } from './items.ts'

function merged(base: string, mine: string, theirs: string): string | undefined {
  const isRemaining = (key: string) => (mine.includes(key) && theirs.includes(key)) || !base.includes(key)
  const keep = new Set([...base, ...mine, ...theirs].filter(isRemaining))
  return mergeOrder([...base], [...mine], [...theirs], keep)?.join('')
}

describe('merged order', () => {
  it.each([
    ['abcd', 'abcd', 'dabc', 'dabc'],
    ['abcd', 'bacd', 'abdc', 'badc'],
    ['abc', 'cab', 'bca', 'cba'],
    ['abc', 'abXc', 'aYbc', 'aYbXc'],
    ['abc', 'abcX', 'abcY', 'abcXY'],
    ['abc', 'abcY', 'abcX', 'abcXY'],
    ['abcd', 'acd', 'abdc', 'adc'],
    ['abcd', 'dabc', 'dabc', 'dabc'],
    ['abcd', 'dabcX', 'dabc', 'dabcX'],
    ['', 'ba', 'dc', 'badc'],
    ['abcd', 'dabc', 'adbc', undefined],
  ])('%s, mine %s, theirs %s: %s', (base, mine, theirs, expected) => {
    expect(merged(base, mine, theirs)).toBe(expected)
  })

  const keys = fc.shuffledSubarray([...'abcdefgh'])
  const added = fc.shuffledSubarray([...'UVWXYZ'])
  const side = fc.tuple(keys, added, fc.array(fc.nat(20), { maxLength: 6 })).map(([list, more, places]) => {
    const order = [...list]
    for (const [index, key] of more.entries()) order.splice((places[index] ?? 0) % (order.length + 1), 0, key)
    return order.join('')
  })
  const base = 'abcdefgh'

  it('takes the order of the only side that changed it', () => {
    fc.assert(
      fc.property(side, changed => {
        expect(merged(base, changed, base)).toBe(changed)
        expect(merged(base, base, changed)).toBe(changed)
        expect(merged(base, changed, changed)).toBe(changed)
      }),
    )
  })

  it('merging orders is symmetric and keeps every key once', () => {
    fc.assert(
      fc.property(side, side, (mine, theirs) => {
        const order = merged(base, mine, theirs)
        expect(merged(base, theirs, mine)).toBe(order)
        if (order === undefined) return
        expect(new Set(order).size).toBe(order.length)
        const isRemaining = (key: string) => !base.includes(key) || (mine.includes(key) && theirs.includes(key))
        expect([...order].toSorted()).toEqual([...new Set([...mine, ...theirs])].filter(isRemaining).toSorted())
      }),
    )
  })
})
