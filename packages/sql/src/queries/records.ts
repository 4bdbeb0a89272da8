import type { WireRecord, WireValue } from '@cadmus/model/api/operation'
import { maxItems } from './dialect.ts'
import type { Reading } from './reading.ts'
import { wireOf } from './values.ts'

/** Converts a row to a record: the fields of the reading, followed by related records as JSON. */
export function recordOf(reading: Reading, row: readonly unknown[], nested: boolean): WireRecord {
  const record: Record<string, WireValue> = {}
  let index = 0
  for (const { name, type } of reading.fields) put(record, name, wireOf(type, row[index++]))
  if (!nested) return record
  for (const { name, kind, reading: inner } of reading.relations) {
    const value = jsonOf(row[index++])
    put(record, name, kind === 'toOne' ? oneOf(inner, value) : manyOf(inner, value))
  }
  return record
}

/** The records of a list returned as one JSON value. */
export function recordsOf(reading: Reading, value: unknown): WireRecord[] {
  return manyOf(reading, jsonOf(value))
}

export function countOf(value: unknown): number {
  return Number(value ?? 0)
}

/** Sets an own property even for the name `__proto__`. */
export function put(record: Record<string, WireValue>, name: string, value: WireValue): void {
  if (name === '__proto__') {
    Object.defineProperty(record, name, { value, enumerable: true, configurable: true, writable: true })
  } else record[name] = value
}

function oneOf(reading: Reading, value: unknown): WireRecord | null {
  return value === null ? null : recordOf(reading, itemsOf(reading, listOf(value)), true)
}

function manyOf(reading: Reading, value: unknown): WireRecord[] {
  return listOf(value).map(item => recordOf(reading, itemsOf(reading, listOf(item)), true))
}

/** Lists that exceed the arguments of one JSON function are nested. */
function itemsOf({ fields, relations }: Reading, items: readonly unknown[]): readonly unknown[] {
  return fields.length + relations.length > maxItems ? items.flatMap(listOf) : items
}

function jsonOf(value: unknown): unknown {
  return typeof value === 'string' ? JSON.parse(value) : (value ?? null)
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
