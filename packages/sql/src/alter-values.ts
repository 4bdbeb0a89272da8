import { isSameType } from './column-types.ts'
import type { Dialect } from './dialect.ts'
import type { ColumnPair, TablePair } from './alter-pairs.ts'
import type { Column, ColumnType } from './tree.ts'

/** What is put into a column of the new table from a row of the old one. */
export type CopiedColumn = { readonly name: string; readonly value: string }

/**
 * The columns that are copied; the database gives the others their default, their number, or nothing. Where none is, one is given
 * what it would have without: no record goes with its columns.
 */
export function copiedColumns({ after, columns }: TablePair, dialect: Dialect): CopiedColumn[] {
  const copied = columns.filter(isKept).map(pair => ({ name: pair.after.name, value: valueOf(pair, dialect) }))
  if (copied.length > 0) return copied
  const plain = after.columns.find(({ identity }) => !identity)
  if (!plain) return []
  const value = plain.default ? dialect.defaultValue(plain.default, plain.type) : 'NULL'
  return [{ name: plain.name, value }]
}

/** Whether the column's values go over to the last digit. */
export function isKept({ before, after }: ColumnPair): boolean {
  return isSameType(before.type, after.type) || isTurned(before.type, after.type)
}

/** Whether a value is needed that neither the rows nor the column have. */
export function needsValue(column: Column): boolean {
  return !column.nullable && column.default === null && !column.identity
}

export function isText({ kind }: ColumnType): boolean {
  return kind === 'text' || kind === 'varchar'
}

function isTurned(from: ColumnType, to: ColumnType): boolean {
  if (isText(to)) return isText(from) || from.kind === 'guid' || from.kind === 'integer'
  if (from.kind === 'integer') return isNumberFor(from.bits, to)
  return from.kind === 'decimal' && to.kind === 'decimal' && isWider(from, to)
}

const digits = { 16: 5, 32: 10, 64: 19 } as const

function isNumberFor(bits: 16 | 32 | 64, to: ColumnType): boolean {
  if (to.kind === 'integer') return true
  if (to.kind === 'double') return bits < 64
  return to.kind === 'decimal' && (to.precision === null || to.precision - to.scale >= digits[bits])
}

type Decimal = ColumnType & { kind: 'decimal' }

function isWider(from: Decimal, to: Decimal): boolean {
  if (to.precision === null) return true
  if (from.precision === null) return false
  return to.scale >= from.scale && to.precision - to.scale >= from.precision - from.scale
}

function valueOf({ before, after }: ColumnPair, dialect: Dialect): string {
  const quoted = dialect.quote(before.name)
  const wasText = dialect.typeName(before.type) === dialect.typeName(after.type) || isText(before.type)
  // A decimal is a text to some databases.
  const isWritten = isText(after.type) || dialect.typeName(after.type) === 'TEXT'
  const value = isWritten && !wasText ? `CAST(${quoted} AS TEXT)` : quoted
  const filler = before.nullable && !after.nullable ? after.default : null
  return filler === null ? value : `COALESCE(${value}, ${dialect.defaultValue(filler, after.type)})`
}
