import { describe, expect, it } from 'vitest'
import {
  excerptOf,
  indexedWords,
  marksIn,
  matchRanks,
  nameRank,
  searchTerms,
  searchWords,
  wordRank,
} from './match-text.ts'

const { exact, prefix, wordStart, within } = matchRanks

describe('The search in texts', () => {
  it('ranks names: exact, prefix, start of a word, within a word', () => {
    const ranks = (search: string, names: readonly string[]) => names.map(name => nameRank(name, searchTerms(search)))
    expect(ranks('ORDER', ['Order', 'OrderLine', 'purchaseOrder', 'purchase_order', 'Reorder', 'Customer'])).toEqual([
      exact,
      prefix,
      wordStart,
      wordStart,
      within,
      null,
    ])
    expect(ranks('line order', ['OrderLine', 'Order', 'Reorderline'])).toEqual([wordStart, null, within])
    expect(ranks('   ', ['Order'])).toEqual([null])
  })

  it('finds no rank for a text unless every word of the search starts one of its words', () => {
    expect(wordRank('The date of birth', searchWords('birth DATE'))).toBe(wordStart)
    expect(wordRank('The date of birth', searchWords('irth'))).toBeNull()
    expect(wordRank('The date of birth', searchWords('date death'))).toBeNull()
    expect(wordRank('In progress', searchWords('in progress'))).toBe(exact)
    expect(wordRank('Progress', searchWords('prog'))).toBe(prefix)
    expect(wordRank('anything', searchWords('😀 %_'))).toBeNull()
  })

  it('indexes identifiers whole and by their parts, long words by their beginning', () => {
    expect([...indexedWords('orderLine, ÜBUNG')]).toEqual(['orderline', 'order', 'line', 'übung'])
    const long = 'x'.repeat(100)
    expect(wordRank(long, searchWords(long))).toBe(exact)
  })

  it('marks each word once, at the start of a word if possible', () => {
    const marked = (text: string, search: string) =>
      marksIn(text, searchTerms(search)).map(([a, b]) => text.slice(a, b))
    expect(marked('Reordered after the order', 'order')).toEqual(['order'])
    expect(marksIn('Reordered after the order', ['order'])).toEqual([[20, 25]])
    expect(marked('grossWeight', 'weight gross')).toEqual(['gross', 'Weight'])
    expect(marked('Reorder', 'order')).toEqual(['order'])
    expect(marked('ABC', 'abc ab')).toEqual(['ABC'])
    expect(marked('İstanbul order', 'order')).toEqual(['order'])
    expect(marked('😀 smile', '😀')).toEqual(['😀'])
  })

  it('cuts long texts around the match, on one line', () => {
    const text = `${'some words before '.repeat(20)}\nthe needle ${'and after '.repeat(40)}`
    const excerpt = excerptOf(text, ['needle'])
    expect(excerpt.text.length).toBeLessThan(170)
    expect(excerpt.text).toMatch(/^….* the needle and after .*…$/)
    expect(excerpt.marks.map(([a, b]) => excerpt.text.slice(a, b))).toEqual(['needle'])
    expect(excerptOf('short', ['none'])).toEqual({ text: 'short', marks: [] })
  })
})
