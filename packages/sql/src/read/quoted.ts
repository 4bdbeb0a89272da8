/**
 * The text quoted from `open` on, and the offset after it; null if it is not closed. A doubled closing quote is a
 * character of the text.
 */
export function readQuoted(
  text: string,
  open: number,
  close: string,
  escapes: boolean,
): { value: string; end: number } | null {
  const pieces: string[] = []
  const stops = escapes ? new RegExp(`[\\\\${close}]`, 'g') : null
  for (let from = open + 1; ;) {
    const at = next(text, from, close, stops)
    if (at < 0) return null
    pieces.push(text.slice(from, at))
    if (text[at] === '\\' && escapes) {
      const { value, end } = unescapeBackslash(text, at + 1)
      pieces.push(value)
      from = end
    } else if (text[at + 1] === close) {
      pieces.push(close)
      from = at + 2
    } else {
      return { value: pieces.join(''), end: at + 1 }
    }
  }
}

/** Decodes `\u00e4`, as HSQLDB writes it to its ASCII schema files. */
export function unescapeUnits(text: string): string {
  return text.replace(/\\u([\da-f]{4})/gi, (_, digits: string) => character(digits))
}

/** Decodes `\0061` and `\+000061`; a doubled escape character represents itself. */
export function unescapeUnicode(text: string, mark: string): string {
  const [first = '', ...others] = text.split(mark)
  const pieces = [first]
  for (let index = 0; index < others.length; index += 1) {
    const piece = others[index] ?? ''
    const digits = /^[\da-f]{4}|^\+(?:0[\da-f]|10)[\da-f]{4}/i.exec(piece)?.[0]
    if (digits !== undefined) pieces.push(character(digits), piece.slice(digits.length))
    else if (piece === '' && index + 1 < others.length) pieces.push(mark, others[(index += 1)] ?? '')
    else pieces.push(mark, piece)
  }
  return pieces.join('')
}

/** Four digits may be one half of a surrogate pair. */
function character(digits: string): string {
  const code = Number.parseInt(digits, 16)
  return digits.length === 4 ? String.fromCharCode(code) : String.fromCodePoint(code)
}

function next(text: string, from: number, close: string, stops: RegExp | null): number {
  if (stops === null) return text.indexOf(close, from)
  stops.lastIndex = from
  return stops.exec(text)?.index ?? -1
}

const controls: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', 0: '\0', Z: '\u001a' }

/** The character escaped by a backslash. */
function unescapeBackslash(text: string, at: number): { value: string; end: number } {
  const point = /^(?:x([\da-fA-F]{1,2})|u([\da-fA-F]{4})|U(00[\da-fA-F]{6}))/.exec(text.slice(at, at + 9))
  const code = Number.parseInt(point?.[1] ?? point?.[2] ?? point?.[3] ?? '', 16)
  if (point && code <= 0x10ffff) return { value: String.fromCodePoint(code), end: at + point[0].length }
  const character = text[at] ?? ''
  return { value: controls[character] ?? character, end: at + 1 }
}
