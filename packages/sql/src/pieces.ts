// Lines that no tool cuts: SQL*Plus takes 4,999 characters, and a text of 4,000 may have as many quotes, which are doubled.

const longestLine = 1000

/** Parts with their separator between them, on a new line where one would get long. */
export function joined(parts: readonly string[], separator: string): string {
  const lines: string[] = []
  let line = ''
  for (const part of parts) {
    if (line !== '' && line.length + part.length > longestLine) {
      lines.push(`${line}${separator.trimEnd()}`)
      line = part
    } else {
      line += line === '' ? part : `${separator}${part}`
    }
  }
  return [...lines, line].join('\n    ')
}

/** A text in pieces of at most 1,000 units that cut no character in two; none of an empty one. */
export function shortPieces(text: string): string[] {
  const pieces: string[] = []
  for (let start = 0; start < text.length;) {
    const end = Math.min(start + longestLine, text.length)
    const whole = end < text.length && isHighSurrogate(text.charCodeAt(end - 1)) ? end - 1 : end
    pieces.push(text.slice(start, whole))
    start = whole
  }
  return pieces
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}

/** How a database puts a text together that may not stand in a script as it is. */
export type Composition = {
  /** Splits off what cannot stand in a literal. */
  pattern: RegExp
  /** What stands for each such character. */
  written: Readonly<Record<string, string>>
  literal(piece: string): string
  operator: string
}

/** A text of a few pieces is put together of them, after `start`; in one of many, other signs stand for what cannot be written. */
export function composed(text: string, composition: Composition, start: string | null = null): string {
  const { pattern, written, literal, operator } = composition
  const first = start === null ? [] : [start]
  const pieces = text.split(pattern)
  const placeholders = pieces.length > 20 ? placeholdersFor(text, Object.keys(written)) : undefined
  if (!placeholders) {
    return joined([...first, ...pieces.flatMap(shortPieces).map(piece => written[piece] ?? literal(piece))], operator)
  }
  const plain = Array.from(text, character => placeholders.get(character) ?? character).join('')
  const whole = joined([...first, ...shortPieces(plain).map(literal)], operator)
  return [...placeholders].reduce(
    (inner, [character, placeholder]) => `REPLACE(${inner}, ${literal(placeholder)}, ${written[character]})`,
    whole,
  )
}

/** Signs that the text does not have, one for each of its characters that cannot be written; undefined where it has them all. */
function placeholdersFor(text: string, characters: readonly string[]): Map<string, string> | undefined {
  const free = Array.from('~^|#%*=<>@?!').filter(sign => !text.includes(sign))
  const present = characters.filter(character => text.includes(character))
  const pairs = present.flatMap((character, index): [string, string][] => {
    const sign = free[index]
    return sign === undefined ? [] : [[character, sign]]
  })
  return pairs.length === present.length ? new Map(pairs) : undefined
}
