import { describe, expect, it } from 'vitest'
import { formatCount, hasHidden, visibleText } from './display.ts'

it('shows invisible characters by number and leaves other text unchanged', () => {
  expect(visibleText('Pati\u202Etne')).toBe('Pati‹U+202E›tne')
  expect(visibleText('Order\u200B')).toBe('Order‹U+200B›')
  expect(visibleText('a\u{E0041}b\uFE0F')).toBe('a‹U+E0041›b‹U+FE0F›')
  expect(visibleText('half \uD800')).toBe('half ‹U+D800›')
  expect(visibleText('bell\u0007\nline\u007F')).toBe('bell‹U+0007›‹U+000A›line‹U+007F›')
  expect(visibleText('Größe 数量 🐘 ‹quoted› الاسم')).toBe('Größe 数量 🐘 ‹quoted› الاسم')
})

it.each([
  ['soft hyphen', '\u00AD'],
  ['combining grapheme joiner', '\u034F'],
  ['Arabic letter mark', '\u061C'],
  ['Hangul filler', '\u3164'],
  ['half-width Hangul filler', '\uFFA0'],
  ['zero-width space', '\u200B'],
  ['zero-width joiner', '\u200D'],
  ['right-to-left mark', '\u200F'],
  ['line separator', '\u2028'],
  ['right-to-left embedding', '\u202B'],
  ['word joiner', '\u2060'],
  ['right-to-left isolate', '\u2067'],
  ['Mongolian vowel separator', '\u180E'],
  ['byte-order mark', '\uFEFF'],
  ['annotation anchor', '\uFFF9'],
  ['blank of Braille', '\u2800'],
  ['variation selector 256', '\u{E01EF}'],
  ['tag', '\u{E0020}'],
  ['escape', '\u001B'],
  ['next line', '\u0085'],
])('treats the %s as invisible', (_, character) => {
  expect(hasHidden(`a${character}b`)).toBe(true)
  expect(hasHidden(visibleText(`a${character}b`))).toBe(false)
})

it('keeps line breaks and tabs of a longer text on request', () => {
  expect(visibleText('one\n\ttwo\r\u202E\u0000', { lines: true })).toBe('one\n\ttwo‹U+000D›‹U+202E›‹U+0000›')
})

it('visible text is unchanged by a second conversion', () => {
  const once = visibleText('a\u202Eb')
  expect(visibleText(once)).toBe(once)
})

it('an emoji with joiners is distinguished from a joiner that hides text', () => {
  const family = '🙂👩‍👩‍👧‍👦🏳️‍🌈'
  expect([hasHidden(family), visibleText(family)]).toEqual([false, family])
  expect([hasHidden(`${family}\u200D`), visibleText(`a${family}\u200D`)]).toEqual([true, `a${family}‹U+200D›`])
})

describe('A count', () => {
  it('has thousands separators', () => {
    for (const count of [0, 7, 42, 999, 1000, 12_345, 100_000, 1_234_567, 2 ** 53 - 1, -1, -999, -1000, -123_456])
      expect(formatCount(count)).toBe(count.toLocaleString('en'))
  })
})
