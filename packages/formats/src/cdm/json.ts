import { limits } from '@cadmus/model/limits'
import { repeatedKey } from '@cadmus/model/values/json'
import { ImportError, quoted } from '../import-error.ts'
import { bounds } from './bounds.ts'

type Range = { start: number; end: number }

export type JsonObject = { readonly [key: string]: unknown }

/** Number of lists and objects in the documents of an import so far. */
export type JsonBudget = { containers: number }

type ParseOptions = {
  budget?: JsonBudget
  maxContainers?: number
  /** Called with a message about duplicate keys; only the last one is read. */
  onRepeated?: (message: string) => void
}

/** Parses a JSON file: UTF-8 with or without byte-order mark, with limited nesting. Throws ImportError. */
export function parseJson(
  content: Uint8Array | string,
  path: string,
  { budget = { containers: 0 }, maxContainers = bounds.documentContainers, onRepeated }: ParseOptions = {},
): unknown {
  if (content.length > bounds.documentBytes) {
    throw new ImportError('too-large', `${quoted(path)} is larger than ${bounds.documentBytes / 1024 / 1024} MB.`)
  }
  const text = typeof content === 'string' ? content.replace(/^\uFEFF/, '') : decode(content, path)
  const bytes = typeof content === 'string' ? encoder.encode(text) : content
  const { containers, keys, changed } = scan(bytes, path)
  if (containers > maxContainers) {
    throw new ImportError('too-large', `${quoted(path)} has more than ${maxContainers} lists and objects.`)
  }
  budget.containers += containers
  if (budget.containers > bounds.containersInAll) {
    throw new ImportError('too-much', `The documents have more than ${bounds.containersInAll} lists and objects.`)
  }
  const value = parsed(changed.length === 0 ? text : withTexts(bytes, changed), path)
  const duplicates = onRepeated ? keys - keysIn(value) : 0
  if (duplicates > 0) onRepeated?.(repeated(text, duplicates))
  return value
}

function parsed(text: string, path: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new ImportError('not-json', `${quoted(path)} is not a JSON document.`)
  }
}

/** Fewer keys than in the text reveal duplicates, faster than comparing the keys themselves. */
function keysIn(value: unknown): number {
  let count = 0
  const open = [value]
  for (let item = open.pop(); item !== undefined; item = open.pop()) {
    if (typeof item !== 'object' || item === null) continue
    const inner: unknown[] = Array.isArray(item) ? item : Object.values(item)
    if (!Array.isArray(item)) count += inner.length
    for (const one of inner) if (typeof one === 'object' && one !== null) open.push(one)
  }
  return count
}

function repeated(text: string, duplicates: number): string {
  const key = quoted(repeatedKey(text) ?? '')
  if (duplicates === 1) return `The key ${key} is duplicated in one object; the last value was used.`
  return `Objects contain duplicate keys, such as ${key}; ${duplicates} earlier values were left out.`
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

export function isInvalidList(value: unknown): boolean {
  return value !== undefined && value !== null && !Array.isArray(value)
}

/** A text, or an unquoted number or boolean as text. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined
}

/** A name: a text that is neither blank nor too long (every report line repeats it). */
export function nameOf(value: unknown): string | undefined {
  return typeof value === 'string' && !isTooLong(value) && value.trim() !== '' ? value : undefined
}

export function isTooLong(name: unknown): boolean {
  return typeof name === 'string' && name.length > bounds.nameLength
}

/** A number, also if written as text. */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value
  if (typeof value !== 'string' || value.trim() === '') return undefined
  const number = Number(value)
  return Number.isFinite(number) ? number : undefined
}

export function booleanOf(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value
  if (typeof value !== 'string') return undefined
  const folded = value.toLowerCase()
  if (folded === 'true') return true
  return folded === 'false' ? false : undefined
}

export function reportInvalidBooleans(
  json: JsonObject,
  keys: readonly string[],
  warn: (message: string) => void,
): void {
  for (const key of keys) {
    const value = json[key]
    if (value === undefined || value === null || booleanOf(value) !== undefined) continue
    const text = quoted(textOf(value) ?? JSON.stringify(value))
    warn(`Its ${key} ${text} is neither true nor false; it was left out.`)
  }
}

function decode(content: Uint8Array, path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content)
  } catch {
    throw new ImportError('not-text', `${quoted(path)} is not UTF-8 text.`)
  }
}

/**
 * Scans the bytes before parsing, because walking deeply nested values overflows the stack and hundreds of millions
 * of empty lists, which compress well, would take minutes to build. Counts lists, objects and keys, and locates
 * numbers that parsing would change. Bytes suffice, because all significant characters are ASCII. Throws ImportError.
 */
function scan(bytes: Uint8Array, path: string): { containers: number; keys: number; changed: Range[] } {
  let depth = 0
  let containers = 0
  let keys = 0
  const changed: Range[] = []
  for (let at = 0; at < bytes.length; at++) {
    const code = bytes[at] ?? 0
    if (code === quote) {
      at = endOfString(bytes, at + 1)
    } else if (code === openList || code === openObject) {
      containers++
      if (++depth > limits.jsonDepth) {
        throw new ImportError('too-deep', `${quoted(path)} is nested deeper than ${limits.jsonDepth} levels.`)
      }
    } else if (code === closeList || code === closeObject) {
      depth--
    } else if (code === colon) {
      keys++
    } else if (code === minus || isDigit(code)) {
      const end = endOfNumber(bytes, at)
      if (isChanged(bytes, at, end)) changed.push({ start: at, end })
      at = end - 1
    }
  }
  return { containers, keys, changed }
}

/** Index of the closing quote of a string, or the end of the text. */
function endOfString(bytes: Uint8Array, start: number): number {
  let at = start
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1
  return at
}

/** Decodes the bytes with the given numbers quoted as texts. */
function withTexts(bytes: Uint8Array, numbers: readonly Range[]): string {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  const part = (start: number, end?: number) => decoder.decode(bytes.subarray(start, end))
  const parts: string[] = []
  let done = 0
  for (const { start, end } of numbers) {
    parts.push(part(done, start), '"', part(start, end), '"')
    done = end
  }
  return [...parts, part(done)].join('').replace(/^\uFEFF/, '')
}

/** Whether parsing would change the number, because of its digits or its size; it is then kept as text. */
function isChanged(bytes: Uint8Array, start: number, end: number): boolean {
  const length = end - start
  if (length < 3 || (length <= exactDigits && !hasExponent(bytes, start, end))) return false
  const number = new TextDecoder().decode(bytes.subarray(start, end))
  return /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(number) && String(Number(number)) !== number
}

function hasExponent(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (bytes[at] === smallE || bytes[at] === largeE) return true
  return false
}

/** Numbers of up to this length are parsed exactly. */
const exactDigits = 15

function endOfNumber(bytes: Uint8Array, start: number): number {
  let at = start + 1
  while (isOfNumber(bytes[at] ?? 0)) at++
  return at
}

function isOfNumber(code: number): boolean {
  return isDigit(code) || code === point || code === minus || code === plus || code === smallE || code === largeE
}

function isDigit(code: number): boolean {
  return code >= zero && code <= nine
}

const encoder = new TextEncoder()
const [zero, nine, point, minus, plus, smallE, largeE] = [0x30, 0x39, 0x2e, 0x2d, 0x2b, 0x65, 0x45]
const [colon, quote, backslash, openList, closeList, openObject, closeObject] = [
  0x3a, 0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d,
]
