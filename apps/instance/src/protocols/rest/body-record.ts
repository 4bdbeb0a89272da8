import type { WireRecord, WireValue } from '@cadmus/model/api/operation'
import { isRecord } from '@cadmus/model/equal'
import { HttpError } from '../../http-error.ts'
import { LongNumber } from './json-body.ts'
import type { RestEntity } from './surface.ts'

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
  return `The number ${source.slice(0, 100)} cannot be kept to its last digit; send it as a text.`
}
