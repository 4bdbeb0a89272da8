import type { ApiField } from '@cadmus/model/api/api'
import type { WireRecord, WireValue } from '@cadmus/model/api/operation'
import { isRecord } from '@cadmus/model/equal'
import { holdsMoreThan, isDeeperThan } from '@cadmus/model/json-depth'
import { limits } from '@cadmus/model/limits'
import { HttpError } from '../../http-error.ts'
import type { RestEntity } from './surface.ts'

/** A JSON number that a JavaScript number cannot hold exactly. */
export class LongNumber {
  readonly source: string

  constructor(source: string) {
    this.source = source
  }
}

/** Parses a body, with `LongNumber`s if digits would be lost. Throws an `HttpError` 400 for invalid JSON. */
export function readJson(text: string): unknown {
  // Shorter bodies cannot exceed the limits.
  if (text.length > 2 * limits.jsonDepth) checkSize(text)
  try {
    return mayBeLong.test(text) ? JSON.parse(text, withSource) : JSON.parse(text)
  } catch (error) {
    throw new HttpError(400, 'The body is not valid JSON.', {}, { cause: error })
  }
}

function checkSize(text: string): void {
  if (holdsMoreThan(text, limits.callValues)) {
    throw new HttpError(400, `The body contains more than ${limits.callValues} values.`)
  }
  if (isDeeperThan(text, limits.jsonDepth)) {
    throw new HttpError(400, `The body is nested deeper than ${limits.jsonDepth} levels.`)
  }
}

/** Numbers of up to 15 digits are exact. */
const mayBeLong = /[\d.]{16}|\d[eE]/

function withSource(_key: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source
  return typeof value !== 'number' || source === undefined || isExact(source, value) ? value : new LongNumber(source)
}

/** Whether the number represents its source exactly. */
export function isExact(source: string, value: number): boolean {
  if (/^-?\d+$/.test(source)) return Number.isSafeInteger(value)
  return Number.isFinite(value) && source.replace(/[eE].*$/, '').replace(/^-?[0.]*|\./g, '').length <= 15
}

/** The record of a body, validated later by the engine. Throws an `HttpError` 400 if the body is not an object. */
export function recordOfBody(body: unknown, served: RestEntity): WireRecord {
  if (!isRecord(body) || body instanceof LongNumber) throw new HttpError(400, 'The body must be a JSON object.')
  const record: Record<string, WireValue> = Object.create(null)
  for (const name of Object.keys(body)) record[name] = sentValue(name, body[name], served)
  return record
}

function sentValue(name: string, value: unknown, { fields }: RestEntity): WireValue {
  if (!(value instanceof LongNumber)) return wireValue(value)
  return fields.get(name)?.type.kind === 'double' ? Number(value.source) : value.source
}

/** JSON values have no string form for numbers, so long ones are refused. Throws an `HttpError` 400. */
export function wireValue(value: unknown): WireValue {
  if (value instanceof LongNumber) {
    throw new HttpError(400, inexact(value.source))
  }
  if (Array.isArray(value)) return value.map(wireValue)
  if (isRecord(value)) return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, wireValue(one)]))
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value
  return null
}

/** The message for a number that would lose digits. */
export function inexact(source: string): string {
  return `The number ${source.slice(0, 100)} cannot be stored exactly: send it as a string.`
}

/** Converts a value of a path or query to its JSON form. Invalid values remain strings, which the engine refuses. */
export function valueOfText(text: string, field: ApiField | undefined): WireValue {
  switch (field?.type.kind) {
    case 'integer':
      return exactNumber(text, /^[+-]?\d{1,15}$/)
    case 'double':
      return exactNumber(text, /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/)
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : text
    default:
      return text
  }
}

function exactNumber(text: string, form: RegExp): WireValue {
  return form.test(text) ? Number(text) : text
}
