import { limits } from '../limits.ts'

/**
 * Why not every database can store a JSON text: 'syntax' for invalid JSON, 'value' for NUL, a lone surrogate, a number beyond double
 * precision, or nesting deeper than `depth`. Undefined for storable JSON.
 */
export function jsonFault(text: string, depth: number = limits.jsonDepth): 'syntax' | 'value' | undefined {
  const value = tryParse(text)
  if (value === undefined) return 'syntax'
  const open: { item: unknown; level: number }[] = [{ item: value, level: 0 }]
  for (let next = open.pop(); next; next = open.pop()) {
    const { item, level } = next
    if (typeof item === 'string' && !isText(item)) return 'value'
    if (typeof item === 'number' && !Number.isFinite(item)) return 'value'
    if (typeof item !== 'object' || item === null) continue
    if (level === depth) return 'value'
    for (const [key, inner] of Object.entries(item)) {
      if (!isText(key)) return 'value'
      open.push({ item: inner, level: level + 1 })
    }
  }
  return undefined
}

/** The first key that an object of a JSON text repeats: parsing would keep only one of its values. */
export function repeatedKey(text: string): string | undefined {
  // In invalid JSON the search for the end of a string would start again at every quote.
  if (tryParse(text) === undefined) return undefined
  const open: (Set<string> | null)[] = []
  for (const { token, isKey } of tokensOf(text)) {
    if (token === '{') open.push(new Set())
    else if (token === '[') open.push(null)
    else if (token === '}' || token === ']') open.pop()
    else if (isKey) {
      const key = String(JSON.parse(token))
      const keys = open.at(-1)
      if (keys?.has(key)) return key
      keys?.add(key)
    }
  }
  return undefined
}

/** The first number of a JSON text that parsing changes: beyond double precision, or an integer with too many digits. */
export function lostNumber(text: string): string | undefined {
  if (tryParse(text) === undefined) return undefined
  for (const { token } of tokensOf(text)) {
    if (!/^[-\d]/.test(token)) continue
    const value = Number(token)
    if (!Number.isFinite(value)) return token
    if (/^-?\d+$/.test(token) && String(value) !== token && BigInt(token) !== BigInt(value)) return token
  }
  return undefined
}

/**
 * Brackets, strings and numbers of a valid JSON text. Strings are not matched by a pattern, because they may exceed the stack of the
 * regular expression engine.
 */
function* tokensOf(text: string): Generator<{ token: string; isKey: boolean }, void> {
  const signs = /["{}[\]]|-?\d[\d.eE+-]*/g
  const colon = /\s*:/y
  for (let match = signs.exec(text); match; match = signs.exec(text)) {
    const [token] = match
    if (token === '"') {
      const end = endOfText(text, match.index) + 1
      signs.lastIndex = colon.lastIndex = end
      yield { token: text.slice(match.index, end), isKey: colon.test(text) }
    } else yield { token, isKey: false }
  }
}

/** Index of the closing quote of the string that starts at `begin`. */
function endOfText(text: string, begin: number): number {
  let end = text.indexOf('"', begin + 1)
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end
}

function isEscaped(text: string, at: number): boolean {
  let before = at
  while (text[before - 1] === '\\') before -= 1
  return (at - before) % 2 === 1
}

/** Whether databases can store a text: they accept neither NUL nor lone surrogates. */
export function isText(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}

/** The parsed value; undefined for invalid JSON, because JSON has no undefined. */
function tryParse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
