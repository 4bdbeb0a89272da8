import { SaxesParser, type SaxesTagNS } from 'saxes'

/** An element of an XML document, without comments and processing instructions. */
export type XmlElement = {
  /** Local name and namespace URI; '' without a namespace. */
  readonly name: string
  readonly namespace: string
  /** Attributes without a namespace by name, others by `{namespace}name`. */
  readonly attributes: ReadonlyMap<string, string>
  readonly children: readonly XmlElement[]
  /** Own text, excluding the text of child elements. */
  readonly text: string
}

/**
 * `attributes`: per element, including namespace declarations; `elements`: per document, including their attributes.
 */
export type XmlLimits = { depth: number; elements: number; attributes: number }

const usual: XmlLimits = { depth: 100, elements: 100_000, attributes: 100 }

/** Maximum number of tags, comments, sections and references, each of which costs the parser a step. */
const maxMarkup = 250_000

/** The document is invalid or exceeds a limit. The message may be shown to the sender. */
export class XmlError extends Error {
  override readonly name = 'XmlError'
}

/**
 * Parses a well-formed document and returns its root. Refuses document types, so that only predefined and numeric
 * entities exist and nothing external is loaded. Time and memory are linear in the text and bounded by the limits.
 * Throws XmlError.
 */
export function readXml(text: string, limits: XmlLimits = usual): XmlElement {
  if (hasMuchMarkup(text)) throw new XmlError('The document has too much markup.')
  const builder = new Builder(limits)
  const parser = new SaxesParser({ xmlns: true, position: false })
  parser.on('doctype', () => {
    throw new XmlError('The document has a document type, which is not accepted.')
  })
  parser.on('opentagstart', () => builder.begin())
  parser.on('attribute', () => builder.addAttribute())
  parser.on('opentag', tag => builder.open(tag))
  parser.on('closetag', () => builder.close())
  parser.on('text', part => builder.addText(part))
  parser.on('cdata', part => builder.addText(part))
  try {
    parser.write(text.replace(/^\uFEFF/, '')).close()
  } catch (error) {
    if (error instanceof XmlError) throw error
    throw new XmlError('The document is not well-formed XML.')
  }
  if (!builder.root) throw new XmlError('The document is not well-formed XML.')
  return builder.root
}

function hasMuchMarkup(text: string): boolean {
  let count = 0
  for (let at = 0; at < text.length; at++) {
    const sign = text.charCodeAt(at)
    if ((sign === LESS || sign === AMPERSAND) && ++count > maxMarkup) return true
  }
  return false
}

const LESS = 0x3c
const AMPERSAND = 0x26

/** Escapes text for element content and quoted attributes. Characters that XML cannot represent become U+FFFD. */
export function xmlText(text: string): string {
  if (plain.test(text)) return text
  return text
    .toWellFormed()
    .replace(invalidCharacters, '\uFFFD')
    .replace(/[&<>"'\t\n\r]/g, escaped)
}

/** Fast path: most texts need no escaping. */
const plain = /^[ !#-%(-;=?-\uD7FF\uE000-\uFFFD]*$/

const invalidCharacters = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu

const names: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' }

function escaped(character: string): string {
  return names[character] ?? `&#${character.charCodeAt(0)};`
}

type Growing = { -readonly [K in keyof XmlElement]: XmlElement[K] } & { children: XmlElement[]; parts: string[] }

class Builder {
  root: XmlElement | undefined
  readonly #limits: XmlLimits
  readonly #open: Growing[] = []
  #count = 0
  #attributes = 0

  constructor(limits: XmlLimits) {
    this.#limits = limits
  }

  begin(): void {
    if (this.#open.length >= this.#limits.depth) throw new XmlError('The document is nested too deeply.')
    this.#attributes = 0
    this.#add()
  }

  addAttribute(): void {
    if (++this.#attributes > this.#limits.attributes) throw new XmlError('An element has too many attributes.')
    this.#add()
  }

  #add(): void {
    if (++this.#count > this.#limits.elements) throw new XmlError('The document has too many elements and attributes.')
  }

  open(tag: SaxesTagNS): void {
    const attributes = Object.values(tag.attributes).filter(
      ({ prefix, name }) => prefix !== 'xmlns' && name !== 'xmlns',
    )
    const element: Growing = {
      name: tag.local,
      namespace: tag.uri,
      attributes: new Map(
        attributes.map(({ uri, local, value }) => [uri === '' ? local : `{${uri}}${local}`, value] as const),
      ),
      children: [],
      text: '',
      parts: [],
    }
    this.#open.at(-1)?.children.push(element)
    this.root ??= element
    this.#open.push(element)
  }

  close(): void {
    const element = this.#open.pop()
    if (element) element.text = element.parts.join('')
  }

  addText(part: string): void {
    this.#open.at(-1)?.parts.push(part)
  }
}
