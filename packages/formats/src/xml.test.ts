import { describe, expect, it } from 'vitest'
import { readXml } from './xml.ts'

describe('the limits of the XML reader', () => {
  const limits = { depth: 5, elements: 100, attributes: 10 }
  const many = (count: number, part: (at: number) => string) =>
    Array.from({ length: count }, (_, at) => part(at)).join(' ')
  /** The input is unterminated, so reading past the limit would give a different error. */
  const refusal = (text: string) => {
    try {
      return readXml(`${text} <<`, limits).name
    } catch (error) {
      return error instanceof Error ? error.message : ''
    }
  }

  it.each([
    ['attributes', `<a ${many(11, at => `a${at}="x"`)}`, 'An element has too many attributes.'],
    ['namespaces', `<a ${many(11, at => `xmlns:a${at}="x"`)}`, 'An element has too many attributes.'],
    ['elements', `<a>${many(100, () => '<b/>')}`, 'The document has too many elements and attributes.'],
    [
      'attributes of all elements',
      `<a>${many(30, () => '<b c="" d="" xmlns:e="x"/>')}`,
      'The document has too many elements and attributes.',
    ],
    ['levels', '<a>'.repeat(6), 'The document is nested too deeply.'],
    ['references', `<a>${many(250_001, () => '&#38;')}`, 'The document has too much markup.'],
    ['comments', `<a>${many(250_001, () => '<!---->')}`, 'The document has too much markup.'],
  ])('the XML reader stops at the limit of %s', (_what, text, message) => {
    expect(refusal(text)).toBe(message)
  })

  it('the XML reader accepts a document within the limits', () => {
    const namespaces = many(5, at => `xmlns:n${at}="urn:${at}"`)
    const attributes = many(5, at => `n${at}:a="${at}"`)
    const root = readXml(`<a ${namespaces} ${attributes}>${many(80, () => '<b>x&amp;y</b>')}</a>`, limits)
    expect([...root.attributes]).toEqual(Array.from({ length: 5 }, (_, at) => [`{urn:${at}}a`, `${at}`]))
    expect(root.children.map(({ text }) => text)).toEqual(Array.from({ length: 80 }, () => 'x&y'))
  })
})
