import { limits } from '@cadmus/model/limits'
import { ImportError, quoted } from '../import-error.ts'
import { bounds } from './bounds.ts'

export type JsonObject = { readonly [key: string]: unknown }

/** The JSON value in a file: UTF-8 with or without byte-order mark, nested no deeper than the limit. Throws ImportError. */
export function parseJson(content: Uint8Array | string, path: string): unknown {
  if (content.length > bounds.documentBytes) {
    throw new ImportError('too-large', `${quoted(path)} is larger than ${bounds.documentBytes / 1024 / 1024} MB.`)
  }
  const text = typeof content === 'string' ? content.replace(/^\uFEFF/, '') : decode(content, path)
  if (isTooDeep(text)) {
    throw new ImportError('too-deep', `${quoted(path)} is nested deeper than ${limits.jsonDepth} levels.`)
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

/** A name: a text that is not blank. */
export function nameOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
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

/** Looked at before parsing, because a walk over deeply nested values overflows the stack. */
function isTooDeep(text: string): boolean {
  const mark = /["[\]{}]/g
  let depth = 0
  for (let match = mark.exec(text); match; match = mark.exec(text)) {
    const sign = match[0]
    if (sign === '"') {
      mark.lastIndex = endOfString(text, mark.lastIndex)
    } else if (sign === '[' || sign === '{') {
      depth++
      if (depth > limits.jsonDepth) return true
    } else {
      depth--
    }
  }
  return false
}

function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start)
  while (end > 0 && isEscaped(text, start, end)) end = text.indexOf('"', end + 1)
  return end < 0 ? text.length : end + 1
}

function isEscaped(text: string, start: number, at: number): boolean {
  let before = at - 1
  while (before >= start && text[before] === '\\') before--
  return (at - before) % 2 === 0
}
