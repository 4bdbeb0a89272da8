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
