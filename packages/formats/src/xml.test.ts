import { describe, expect, it } from 'vitest'
import { readXml } from './xml.ts'

describe('XML is read no further than to a limit', () => {
  const limits = { depth: 5, elements: 100, attributes: 10 }
  const many = (count: number, part: (at: number) => string) =>
    Array.from({ length: count }, (_, at) => part(at)).join(' ')
  /** It ends as no document does: read to its end, that would be said. */
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
  ])('of %s', (_what, text, message) => {
    expect(refusal(text)).toBe(message)
  })

  it('and what keeps the limits is read whole', () => {
    const namespaces = many(5, at => `xmlns:n${at}="urn:${at}"`)
    const attributes = many(5, at => `n${at}:a="${at}"`)
    const root = readXml(`<a ${namespaces} ${attributes}>${many(80, () => '<b>x&amp;y</b>')}</a>`, limits)
    expect([...root.attributes]).toEqual(Array.from({ length: 5 }, (_, at) => [`{urn:${at}}a`, `${at}`]))
    expect(root.children.map(({ text }) => text)).toEqual(Array.from({ length: 80 }, () => 'x&y'))
  })
})
