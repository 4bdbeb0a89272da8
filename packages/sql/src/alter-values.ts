import { conversionOf, isByValue } from './alter-conversions.ts'
import { isSameType, isText } from './column-types.ts'
import type { Dialect } from './dialect.ts'
import type { ColumnPair, TablePair } from './alter-pairs.ts'
import type { Column, ColumnType } from './tree.ts'

/** A column of the new table with the expression that computes it from a row of the old one. */
export type CopiedColumn = { readonly name: string; readonly value: string }

/**
 * The columns to copy; all other columns get their default, a generated number or null. If no column can be copied, one
 * column gets its default explicitly, so that every row is copied.
 */
export function copiedColumns({ after, columns }: TablePair, dialect: Dialect): CopiedColumn[] {
  const copied = columns.filter(isConvertible).map(pair => ({ name: pair.after.name, value: valueOf(pair, dialect) }))
  if (copied.length > 0) return copied
  const plain = after.columns.find(({ identity }) => !identity)
  if (!plain) return []
  const value = plain.default ? dialect.defaultValue(plain.default, plain.type) : 'NULL'
  return [{ name: plain.name, value }]
}

/** Whether the column's values can be converted, at least those that fit the new type. */
export function isConvertible(pair: ColumnPair): boolean {
  return isCopied(pair) || isByValue(pair.before.type, pair.after.type)
}

/** Whether the column's values are unchanged. */
export function isCopied({ before, after }: ColumnPair): boolean {
  return isSameType(before.type, after.type) || isLossless(before.type, after.type)
}

/** SQL condition that is true for values that do not fit the new type; null if all values fit. */
export function misfitOf(pair: ColumnPair, dialect: Dialect): string | null {
  const { before, after } = pair
  if (isCopied(pair)) return null
  return conversionOf(dialect.quote(before.name), before.type, after.type, dialect).misfit
}

/** Whether neither existing rows nor a default provide the required value. */
export function needsValue(column: Column): boolean {
  return !column.nullable && column.default === null && !column.identity
}

function isLossless(from: ColumnType, to: ColumnType): boolean {
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

function valueOf(pair: ColumnPair, dialect: Dialect): string {
  const { before, after } = pair
  const value = convertedValue(pair, dialect)
  const isMissing = before.nullable || misfitOf(pair, dialect) !== null
  const filler = isMissing && !after.nullable ? after.default : null
  return filler === null ? value : `COALESCE(${value}, ${dialect.defaultValue(filler, after.type)})`
}

/** The value of the new type; null if it does not fit. */
export function convertedValue(pair: ColumnPair, dialect: Dialect): string {
  const { before, after } = pair
  const quoted = dialect.quote(before.name)
  if (isCopied(pair)) {
    const wasText = dialect.typeName(before.type) === dialect.typeName(after.type) || isText(before.type)
    // Some databases store a decimal as text.
    const isWritten = isText(after.type) || dialect.typeName(after.type) === 'TEXT'
    return isWritten && !wasText ? `CAST(${quoted} AS TEXT)` : quoted
  }
  const { value, misfit } = conversionOf(quoted, before.type, after.type, dialect)
  return misfit === null ? value : `CASE WHEN ${misfit} THEN NULL ELSE ${value} END`
}
