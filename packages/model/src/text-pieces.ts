/** A string, or an iterable of its pieces, each produced on demand. */
export type TextPieces = string | Iterable<string>

/** Concatenates texts; one string if all parts are. */
export function joined(...texts: readonly TextPieces[]): TextPieces {
  let whole = ''
  for (const text of texts) {
    if (typeof text !== 'string') return chained(texts)
    whole += text
  }
  return whole
}

/** Characters of a list produced in advance. */
const ahead = 64 * 1024

/** Concatenates the text of each value; one string if short. */
export function listed<T>(values: readonly T[], write: (value: T, at: number) => TextPieces): TextPieces {
  let whole = ''
  for (const [at, value] of values.entries()) {
    if (whole.length > ahead) return chained([whole, continued(values, at, write)])
    const text = write(value, at)
    if (typeof text !== 'string') return chained([whole, text, continued(values, at + 1, write)])
    whole += text
  }
  return whole
}

function* continued<T>(
  values: readonly T[],
  from: number,
  write: (value: T, at: number) => TextPieces,
): Generator<string> {
  for (const [at, value] of values.entries()) {
    if (at < from) continue
    const text = write(value, at)
    if (typeof text === 'string') yield text
    else yield* text
  }
}

export function wholeText(text: TextPieces): string {
  if (typeof text === 'string') return text
  let whole = ''
  for (const piece of text) whole += piece
  return whole
}

/** Splits a text into pieces of about `size` characters, never within a character. */
export function* slicesOf(text: TextPieces, size: number): Generator<string> {
  let left = ''
  for (const piece of typeof text === 'string' ? [text] : text) {
    left += piece
    if (left.length < size) continue
    let at = 0
    while (left.length - at >= size) {
      const end = at + size + (isSecondHalf(left.charCodeAt(at + size)) ? 1 : 0)
      yield left.slice(at, end)
      at = end
    }
    left = left.slice(at)
  }
  if (left !== '') yield left
}

/** The second half of a surrogate pair. */
function isSecondHalf(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff
}

/** JSON of a value, member by member as long as members are nested. */
export function* jsonPieces(value: unknown): Generator<string> {
  if (!isNested(value)) return yield JSON.stringify(value) ?? 'null'
  const isList = Array.isArray(value)
  let before = isList ? '[' : '{'
  for (const [name, member] of Object.entries(value)) {
    if (isList) yield before
    else if (member === undefined) continue
    else yield `${before}${JSON.stringify(name)}:`
    yield* jsonPieces(member)
    before = ','
  }
  yield isList ? ']' : '}'
}

function* chained(texts: readonly TextPieces[]): Generator<string> {
  for (const text of texts) {
    if (typeof text === 'string') yield text
    else yield* text
  }
}

/** Whether a value has nested members or long texts. Values with toJSON are one piece. */
function isNested(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || 'toJSON' in value) return false
  let characters = 0
  for (const name in value) {
    const member: unknown = Reflect.get(value, name)
    if (typeof member === 'object' && member !== null) return true
    if (typeof member === 'string') characters += member.length
    if (characters > longestPiece) return true
  }
  return false
}

/** In characters. */
const longestPiece = 100_000
