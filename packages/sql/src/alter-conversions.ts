import type { ColumnPair, TablePair } from './alter-pairs.ts'
import { isNumeric, isSameType, isText } from './column-types.ts'
import { databases } from './databases.ts'
import type { Dialect } from './dialect.ts'
import type { Column, ColumnType } from './tree.ts'

/** Conversion of values from one type to another. `misfit`: true for values that do not fit; null: all fit. */
type Conversion = { readonly value: string; readonly misfit: string | null }

type Numeric = ColumnType & { kind: 'integer' | 'decimal' | 'double' }

/** A value fits if converting it back gives the same value. */
type Converter = {
  /** A value in the form of the API. */
  text: (value: string, from: ColumnType) => string
  number: (value: string, from: Numeric, to: Numeric) => Conversion
  textAsNumber: (value: string, to: Numeric) => Conversion
  textAsBoolean: (value: string) => string
  dateAsTimestamp: (value: string) => string
  timestampAsDate: (value: string) => Conversion
}

/** Whether values that fit can be converted one by one. */
function isByValue(from: ColumnType, to: ColumnType): boolean {
  if (isText(to)) return from.kind !== 'binary'
  if (isNumeric(to)) return isNumeric(from) || isText(from)
  if (to.kind === 'boolean') return isText(from)
  return (to.kind === 'date' && from.kind === 'timestamp') || (to.kind === 'timestamp' && from.kind === 'date')
}

/** The conversion of a column's values, which must be possible by value. */
function conversionOf(value: string, from: ColumnType, to: ColumnType, dialect: Dialect): Conversion {
  const conversion = converted(value, from, to, dialect === databases.sqlite.run.dialect ? sqlite : postgresql)
  const { misfit } = conversion
  return misfit === null ? conversion : { ...conversion, misfit: `${value} IS NOT NULL AND (${misfit})` }
}

function converted(value: string, from: ColumnType, to: ColumnType, converter: Converter): Conversion {
  if (isText(to)) return { value: converter.text(value, from), misfit: null }
  if (isNumeric(to)) return isNumeric(from) ? converter.number(value, from, to) : converter.textAsNumber(value, to)
  if (to.kind === 'boolean')
    return { value: converter.textAsBoolean(value), misfit: `${value} NOT IN ('true', 'false')` }
  if (to.kind === 'timestamp') return { value: converter.dateAsTimestamp(value), misfit: null }
  return converter.timestampAsDate(value)
}

const postgresql: Converter = {
  text(value, { kind }) {
    if (kind === 'decimal') return `trim_scale(${value})::text`
    if (kind === 'date') return `to_char(${value}, 'YYYY-MM-DD')`
    if (kind === 'timestamp') return `rtrim(rtrim(to_char(${value}, 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0'), '.')`
    return `${value}::text`
  },
  // A double converted directly to numeric loses digits.
  number: (value, from, to) => numericAs(from.kind === 'double' ? `${value}::text::numeric` : `${value}::numeric`, to),
  textAsNumber(value, to) {
    const number = numericAs(`${value}::numeric`, to)
    const misfit = [
      `trim_scale(${value}::numeric)::text <> ${value}`,
      ...(number.misfit === null ? [] : [number.misfit]),
    ]
    const isNumber = `${value} ~ '^-?[0-9]{1,250}([.][0-9]{1,250})?$'`
    return { ...number, misfit: `CASE WHEN ${isNumber} THEN ${misfit.join(' OR ')} ELSE TRUE END` }
  },
  textAsBoolean: value => `${value}::boolean`,
  dateAsTimestamp: value => `${value}::timestamp`,
  timestampAsDate: value => ({ value: `${value}::date`, misfit: `${value} <> date_trunc('day', ${value})` }),
}

/** Ranges are tested first: an overflow would be an error. */
function numericAs(value: string, to: Numeric): Conversion {
  if (to.kind === 'integer') {
    const misfit = `CASE WHEN ${value} ${between(to.bits)} THEN ${value} <> trunc(${value}) ELSE TRUE END`
    return { value: `${value}::bigint`, misfit }
  }
  if (to.kind === 'double') {
    const isInRange = `${value} = 0 OR abs(${value}) BETWEEN 1e-300 AND 1e300`
    return {
      value: `${value}::float8`,
      misfit: `CASE WHEN ${isInRange} THEN ${value}::float8::text::numeric <> ${value} ELSE TRUE END`,
    }
  }
  const { precision, scale } = to
  if (precision === null) return { value, misfit: null }
  const isInRange = `abs(${value}) < 1e${precision - scale}`
  return { value, misfit: `CASE WHEN ${isInRange} THEN round(${value}, ${scale}) <> ${value} ELSE TRUE END` }
}

const sqlite: Converter = {
  text(value, from) {
    if (from.kind === 'boolean') return `CASE ${value} WHEN 1 THEN 'true' WHEN 0 THEN 'false' END`
    return isNumeric(from) ? decimalText(value, from) : value
  },
  number: (value, from, to) => textAs(decimalText(value, from), to),
  textAsNumber(value, to) {
    const number = textAs(value, to)
    const misfit = [`${canonical(value)} <> ${value}`, ...(number.misfit === null ? [] : [number.misfit])]
    return { ...number, misfit: misfit.join(' OR ') }
  },
  textAsBoolean: value => `${value} = 'true'`,
  dateAsTimestamp: value => `${value} || 'T00:00:00'`,
  timestampAsDate: value => ({ value: `substr(${value}, 1, 10)`, misfit: `substr(${value}, 11) <> 'T00:00:00'` }),
}

/** A decimal text without leading or trailing zeros and without an exponent. */
function canonical(text: string): string {
  return `cadmus_number(cadmus_key(${text}))`
}

function decimalText(value: string, { kind }: Numeric): string {
  if (kind === 'integer') return `CAST(${value} AS TEXT)`
  return canonical(kind === 'double' ? doubleText(value) : value)
}

/** The fewest digits that distinguish a double from other doubles. */
function doubleText(value: string): string {
  return `CASE WHEN CAST(CAST(${value} AS TEXT) AS REAL) <> ${value} THEN printf('%!.17g', ${value}) ELSE CAST(${value} AS TEXT) END`
}

function textAs(text: string, to: Numeric): Conversion {
  if (to.kind === 'integer') {
    const value = `CAST(${text} AS INTEGER)`
    return { value, misfit: `CAST(${value} AS TEXT) <> ${text} OR ${value} NOT ${between(to.bits)}` }
  }
  if (to.kind === 'double') {
    const value = `CAST(${text} AS REAL)`
    return { value, misfit: `${canonical(doubleText(value))} <> ${text}` }
  }
  const { precision, scale } = to
  if (precision === null) return { value: text, misfit: null }
  const point = `instr(${text} || '.', '.')`
  const whole = `length(ltrim(substr(${text}, 1, ${point} - 1), '-0'))`
  return { value: text, misfit: `${whole} > ${precision - scale} OR length(${text}) - ${point} > ${scale}` }
}

function between(bits: 16 | 32 | 64): string {
  const largest = 2n ** BigInt(bits - 1) - 1n
  return `BETWEEN ${-largest - 1n} AND ${largest}`
}

/** A column of the new table with the expression that computes it from a row of the old one. */
type CopiedColumn = { readonly name: string; readonly value: string }

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
