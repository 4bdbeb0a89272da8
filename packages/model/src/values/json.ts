import { limits } from '../limits.ts'

/**
 * Why a text is no JSON that every database takes: it is none at all, or it holds a NUL, half of a surrogate pair, a number
 * beyond double precision, or is nested too deeply. Undefined where it is one. `depth` is how deep it may be nested.
 */
export function jsonFault(text: string, depth: number = limits.jsonDepth): 'syntax' | 'value' | undefined {
  const value = parsed(text)
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

/** The first key that stands more than once in one object of a JSON text: who keeps the values, and not the text, keeps one of them. */
export function repeatedKey(text: string): string | undefined {
  // Of what is no JSON a text without an end would be looked for at every quote.
  if (parsed(text) === undefined) return undefined
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

/** The first number of a JSON text that is another one once it is read: beyond double precision, or an integer with more digits than that has. */
export function lostNumber(text: string): string | undefined {
  if (parsed(text) === undefined) return undefined
  for (const { token } of tokensOf(text)) {
    if (!/^[-\d]/.test(token)) continue
    const value = Number(token)
    if (!Number.isFinite(value)) return token
    if (/^-?\d+$/.test(token) && String(value) !== token && BigInt(token) !== BigInt(value)) return token
  }
  return undefined
}

/** Brackets, texts and numbers of a JSON text, which it must be. No pattern reads texts: they may be longer than patterns can. */
function* tokensOf(text: string): Generator<{ token: string; isKey: boolean }, void> {
  const signs = /["{}[\]]|-?\d[\d.eE+-]*/g
  const colon = /\s*:/y
  for (let found = signs.exec(text); found; found = signs.exec(text)) {
    const [token] = found
    if (token === '"') {
      const end = endOfText(text, found.index) + 1
      signs.lastIndex = colon.lastIndex = end
      yield { token: text.slice(found.index, end), isKey: colon.test(text) }
    } else yield { token, isKey: false }
  }
}

/** Where the quote is that closes the one at a place. */
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

/** Whether databases can store a text: none takes the character NUL, and half of a surrogate pair is no character. */
export function isText(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}

/** `undefined` is nothing that JSON can say. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
