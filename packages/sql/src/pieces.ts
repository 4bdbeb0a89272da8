// Limits the length of lines: SQL*Plus allows 4,999 characters, and a text of 4,000 may consist of quotes, which are
// doubled.

const maxLineLength = 1000

/** Joins the parts by the separator, with a line break before a line gets too long. */
export function joinParts(parts: readonly string[], separator: string): string {
  const lines: string[] = []
  let line = ''
  for (const part of parts) {
    if (line !== '' && line.length + part.length > maxLineLength) {
      lines.push(`${line}${separator.trimEnd()}`)
      line = part
    } else {
      line += line === '' ? part : `${separator}${part}`
    }
  }
  return [...lines, line].join('\n    ')
}

/**
 * Splits a text into pieces of at most 1,000 UTF-16 units without splitting surrogate pairs; none for an empty text.
 */
export function splitPieces(text: string): string[] {
  const pieces: string[] = []
  for (let start = 0; start < text.length;) {
    const end = Math.min(start + maxLineLength, text.length)
    const whole = end < text.length && isHighSurrogate(text.charCodeAt(end - 1)) ? end - 1 : end
    pieces.push(text.slice(start, whole))
    start = whole
  }
  return pieces
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}

/** Rules by which a dialect composes a text that cannot be written as a single literal. */
export type Composition = {
  /** Splits off the characters that are not allowed in a literal. */
  pattern: RegExp
  /** The expression for each such character. */
  expressions: Readonly<Record<string, string>>
  literal(piece: string): string
  operator: string
}

/**
 * Joins the pieces of a text with the operator, after `start`. A text with many special characters is composed by
 * replacing placeholders.
 */
export function compose(text: string, composition: Composition, start: string | null = null): string {
  const { pattern, expressions, literal, operator } = composition
  const first = start === null ? [] : [start]
  const pieces = text.split(pattern)
  const placeholders = pieces.length > 20 ? placeholdersFor(text, Object.keys(expressions)) : undefined
  if (!placeholders) {
    return joinParts(
      [...first, ...pieces.flatMap(splitPieces).map(piece => expressions[piece] ?? literal(piece))],
      operator,
    )
  }
  const plain = Array.from(text, character => placeholders.get(character) ?? character).join('')
  const whole = joinParts([...first, ...splitPieces(plain).map(literal)], operator)
  return [...placeholders].reduce(
    (inner, [character, placeholder]) => `REPLACE(${inner}, ${literal(placeholder)}, ${expressions[character]})`,
    whole,
  )
}

/**
 * Characters that do not occur in the text, one for each special character of it; undefined if there are not enough.
 */
function placeholdersFor(text: string, characters: readonly string[]): Map<string, string> | undefined {
  const free = Array.from('~^|#%*=<>@?!').filter(sign => !text.includes(sign))
  const present = characters.filter(character => text.includes(character))
  const pairs = present.flatMap((character, index): [string, string][] => {
    const sign = free[index]
    return sign === undefined ? [] : [[character, sign]]
  })
  return pairs.length === present.length ? new Map(pairs) : undefined
}
