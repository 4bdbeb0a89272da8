import type { WireRecord, WireValue } from '@cadmus/model/api/operation'
import { mostItems } from './dialect.ts'
import type { Reading } from './reading.ts'
import { wireOf } from './values.ts'

/** A row of the reading's fields, and behind them its related records as the database built them, as a record. */
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

/** The records of a list that came as one JSON value. */
export function recordsOf(reading: Reading, value: unknown): WireRecord[] {
  return manyOf(reading, jsonOf(value))
}

/** A number that a query counts. */
export function countOf(value: unknown): number {
  return Number(value ?? 0)
}

/** Under any name: one that an object has of itself is a name as any other. */
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

/** A list of more values than one function takes is a list of lists. */
function itemsOf({ fields, relations }: Reading, items: readonly unknown[]): readonly unknown[] {
  return fields.length + relations.length > mostItems ? items.flatMap(listOf) : items
}

function jsonOf(value: unknown): unknown {
  return typeof value === 'string' ? JSON.parse(value) : (value ?? null)
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
