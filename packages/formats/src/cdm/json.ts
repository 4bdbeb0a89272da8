import { limits } from '@cadmus/model/limits'
import { ImportError, quoted } from '../import-error.ts'
import { bounds } from './bounds.ts'

export type JsonObject = { readonly [key: string]: unknown }

/** How many lists and objects the documents of one import have had until now. */
export type JsonEffort = { containers: number }

/** The JSON value in a file: UTF-8 with or without byte-order mark, nested no deeper than the limit. Throws ImportError. */
export function parseJson(
  content: Uint8Array | string,
  path: string,
  { effort = { containers: 0 }, most = bounds.documentContainers }: { effort?: JsonEffort; most?: number } = {},
): unknown {
  if (content.length > bounds.documentBytes) {
    throw new ImportError('too-large', `${quoted(path)} is larger than ${bounds.documentBytes / 1024 / 1024} MB.`)
  }
  const text = typeof content === 'string' ? content.replace(/^\uFEFF/, '') : decode(content, path)
  const containers = countContainers(text, path)
  if (containers > most) {
    throw new ImportError('too-large', `${quoted(path)} has more than ${most} lists and objects.`)
  }
  effort.containers += containers
  if (effort.containers > bounds.containersInAll) {
    throw new ImportError('too-much', `The documents have more than ${bounds.containersInAll} lists and objects.`)
  }
  try {
    return JSON.parse(text)
  } catch {
    throw new ImportError('not-json', `${quoted(path)} is not a JSON document.`)
  }
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** A text, also where a number or a boolean was written without quotes. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined
}

/** A name: a text that is not blank, and no longer than any place could hold (every line of the report repeats it). */
export function nameOf(value: unknown): string | undefined {
  return typeof value === 'string' && !isTooLong(value) && value.trim() !== '' ? value : undefined
}

export function isTooLong(name: unknown): boolean {
  return typeof name === 'string' && name.length > bounds.nameLength
}

/** A number, also where it was written as a text. */
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

function decode(content: Uint8Array, path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content)
  } catch {
    throw new ImportError('not-text', `${quoted(path)} is not UTF-8 text.`)
  }
}

/**
 * Looked at before parsing, because a walk over deeply nested values overflows the stack, and because a small archive unpacks to
 * hundreds of millions of empty lists, which take minutes to build: how many lists and objects the text has. Throws ImportError.
 */
function countContainers(text: string, path: string): number {
  let depth = 0
  let count = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) {
      at = endOfString(text, at + 1)
    } else if (code === openList || code === openObject) {
      count++
      if (++depth > limits.jsonDepth) {
        throw new ImportError('too-deep', `${quoted(path)} is nested deeper than ${limits.jsonDepth} levels.`)
      }
    } else if (code === closeList || code === closeObject) {
      depth--
    }
  }
  return count
}

const [quote, backslash, openList, closeList, openObject, closeObject] = [0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d]

/** Where the closing quote of a string is, or the end of a text that lacks it. */
function endOfString(text: string, start: number): number {
  let at = start
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (code === quote) return at
    at += code === backslash ? 2 : 1
  }
  return text.length
}
