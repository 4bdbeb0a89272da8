import { SaxesParser, type SaxesTagNS } from 'saxes'

/** An element of an XML document. Comments and processing instructions are left out. */
export type XmlElement = {
  /** The name without its prefix, and the namespace that the prefix stands for; '' = none. */
  readonly name: string
  readonly namespace: string
  /** Those of no namespace under their names, others as `{namespace}name`. */
  readonly attributes: ReadonlyMap<string, string>
  readonly children: readonly XmlElement[]
  /** Its own text, without that of its children. */
  readonly text: string
}

/** `attributes` of one element, with its namespaces; `elements` of the document, with their attributes. */
export type XmlLimits = { depth: number; elements: number; attributes: number }

const usual: XmlLimits = { depth: 100, elements: 100_000, attributes: 100 }

/** Tags, comments, sections and references of a document, each of which the parser handles by itself. */
const mostMarkup = 250_000

/** Why a text is no document that is taken; the message may be shown to whoever sent it. */
export class XmlError extends Error {
  override readonly name = 'XmlError'
}

/**
 * The root of a well-formed document. Document types are refused, so that there are no entities but the five of XML and those by
 * number, and nothing outside of the text is ever looked at. Time and memory are linear in the text, and bounded: reading stops at a limit.
 * Throws XmlError.
 */
export function readXml(text: string, limits: XmlLimits = usual): XmlElement {
  if (hasMuchMarkup(text)) throw new XmlError('The document has too much markup.')
  const builder = new Builder(limits)
  const parser = new SaxesParser({ xmlns: true, position: false })
  parser.on('doctype', () => {
    throw new XmlError('The document has a document type, which is not taken.')
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
    if ((sign === LESS || sign === AMPERSAND) && ++count > mostMarkup) return true
  }
  return false
}

const LESS = 0x3c
const AMPERSAND = 0x26

/** A text as XML has it, in an element or in an attribute's quotes. What XML cannot hold at all becomes U+FFFD. */
export function xmlText(text: string): string {
  if (plain.test(text)) return text
  return text
    .toWellFormed()
    .replace(unheld, '\uFFFD')
    .replace(/[&<>"'\t\n\r]/g, escaped)
}

/** Nothing that is written otherwise: most texts. */
const plain = /^[ !#-%(-;=?-\uD7FF\uE000-\uFFFD]*$/

const unheld = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu

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
  /** Of the element whose tag is being read. */
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
