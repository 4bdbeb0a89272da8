import { limits } from '@cadmus/model/limits'
import type { ColumnPair, TablePair } from './alter-pairs.ts'
import { digitsOf, isNumeric, isSameType, isText, rangeOf } from './column-types.ts'
import { databases } from './databases.ts'
import { defaultText, type Dialect } from './dialect.ts'
import { scriptedOf, scriptedValue } from './scripted-conversions.ts'
import { scriptedMisfit } from './scripted-misfits.ts'
import type { Column, ColumnType } from './tree.ts'

/** Conversion of values from one type to another. `misfit`: true for values that do not fit; null: all fit. */
type Conversion = { readonly value: string; readonly misfit: string | null }

type Numeric = ColumnType & { kind: 'integer' | 'decimal' | 'double' }

type WrittenKind = 'date' | 'time' | 'timestamp' | 'instant' | 'guid' | 'json'

/** Dates, and moments in UTC. */
type DayKind = 'date' | 'timestamp' | 'instant'

/** A value fits if converting it back gives the same value, apart from the case of guids and the spaces of JSON. */
type Converter = {
  /** A value in the form of the API. */
  text: (value: string, from: ColumnType) => string
  number: (value: string, from: Numeric, to: Numeric) => Conversion
  textAsNumber: (value: string, to: Numeric) => Conversion
  textAsBoolean: (value: string) => string
  textAs: Readonly<Record<WrittenKind, (value: string) => Conversion>>
  asTimestamp: (value: string, from: DayKind) => string
  /** Values of a timestamp. */
  timestampAs: Readonly<Record<DayKind, (timestamp: string) => Conversion>>
}

/** Whether values that fit can be converted one by one. */
function isByValue(from: ColumnType, to: ColumnType): boolean {
  if (isText(to)) return from.kind !== 'binary'
  if (isText(from)) return to.kind !== 'binary'
  if (isNumeric(to)) return isNumeric(from)
  return isDayKind(from.kind) && isDayKind(to.kind)
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
  if (isText(from) && isWrittenKind(to.kind)) return converter.textAs[to.kind](value)
  if (!isDayKind(from.kind) || !isDayKind(to.kind)) throw new RangeError('These types are not converted by value.')
  const conversion = converter.timestampAs[to.kind](converter.asTimestamp(value, from.kind))
  return from.kind === 'date' ? { ...conversion, misfit: null } : conversion
}

function isDayKind(kind: ColumnType['kind']): kind is DayKind {
  return kind === 'date' || kind === 'timestamp' || kind === 'instant'
}

function isWrittenKind(kind: ColumnType['kind']): kind is WrittenKind {
  return isDayKind(kind) || kind === 'time' || kind === 'guid' || kind === 'json'
}

const postgresql: Converter = {
  text(value, { kind }) {
    if (kind === 'decimal') return `trim_scale(${value})::text`
    if (kind === 'date') return `to_char(${value}, 'YYYY-MM-DD')`
    if (kind === 'timestamp') return momentText(value)
    return kind === 'instant' ? `${momentText(inUtc(value))} || 'Z'` : `${value}::text`
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
  textAs: {
    date: value => ({ value: `${value}::date`, misfit: noDate(value, '') }),
    time: value => ({ value: `${value}::time`, misfit: `${value} !~ '^${time}$'` }),
    timestamp: value => ({ value: `${value}::timestamp`, misfit: noDate(value, `T${time}`) }),
    instant: value => ({ value: `${value}::timestamptz`, misfit: noDate(value, `T${time}Z`) }),
    guid: value => ({
      value: `${value}::uuid`,
      misfit: `lower(${value}) !~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'`,
    }),
    json: value => ({ value: `${value}::jsonb`, misfit: noJson(value) }),
  },
  asTimestamp: (value, from) => (from === 'date' ? `${value}::timestamp` : from === 'instant' ? inUtc(value) : value),
  timestampAs: {
    date: value => ({ value: `${value}::date`, misfit: `${value} <> date_trunc('day', ${value})` }),
    timestamp: value => ({ value, misfit: null }),
    instant: value => ({ value: inUtc(value), misfit: null }),
  },
}

/** A timestamp in UTC as a moment, and a moment as a timestamp in UTC. */
function inUtc(value: string): string {
  return `(${value} AT TIME ZONE 'UTC')`
}

function momentText(timestamp: string): string {
  return `rtrim(rtrim(to_char(${timestamp}, 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0'), '.')`
}

const time = '([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]([.][0-9]{0,5}[1-9])?'

/** The day is compared with the last one of its month: a cast of an invalid date would be an error. */
function noDate(value: string, rest: string): string {
  const isWritten = `${value} ~ '^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])${rest}$' AND left(${value}, 4) <> '0000'`
  const lastDay = `extract(day FROM (left(${value}, 8) || '01')::date + interval '1 month' - interval '1 day')`
  return `CASE WHEN ${isWritten} THEN substr(${value}, 9, 2)::int > ${lastDay} ELSE TRUE END`
}

/**
 * PostgreSQL 15 cannot test JSON without an error. Texts and other scalars become one character each, then arrays and
 * objects from the innermost ones. Values that jsonb refuses do not fit: NUL, lone surrogates, very large numbers.
 */
function noJson(value: string): string {
  const written = (text: string) => databases.postgresql.run.dialect.literal({ kind: 'text', value: text })
  const replaced = (from: string, pattern: string, by: string) =>
    `regexp_replace(${from}, ${written(pattern)}, ${written(by)}, 'g')`
  const [text, other] = ['\u0001', '\u0002']
  const any = `[${text}${other}]`
  const member = `${text}:${any}`
  const group = `\\[(?:${any}(?:,${any})*)?\\]|\\{(?:${member}(?:,${member})*)?\\}`
  const input = `CASE WHEN ${value} ~ ${written(any)} THEN '' ELSE ${value} END`
  const scalars = replaced(replaced(input, jsonText, text), jsonScalar, other)
  const first = replaced(scalars, '[ \\t\\n\\r]', '')
  const next = replaced('t', group, other)
  const rest = `WITH RECURSIVE r(t, n) AS (SELECT ${first}, 0 UNION ALL SELECT ${next}, n + 1 FROM r WHERE n < ${limits.jsonDepth} AND t ~ ${written(group)})`
  return `NOT (${rest} SELECT bool_or(t IN (${written(text)}, ${written(other)})) FROM r)`
}

const hex = '[0-9A-Fa-f]'
const jsonText = `"(?:[^"\\\\\\u0001-\\u001f]|\\\\(?:["\\\\/bfnrt]|u(?!0000)(?:[0-9A-Ca-cE-Fe-f]${hex}{3}|[Dd][0-7]${hex}{2})|u[Dd][89ABab]${hex}{2}\\\\u[Dd][C-Fc-f]${hex}{2}))*"`
const jsonScalar = 'true|false|null|-?(?:0|[1-9][0-9]{0,199})(?:[.][0-9]{1,200})?(?:[eE][+-]?[0-9]{1,2})?'

/** Ranges are tested first: an overflow would be an error. */
function numericAs(value: string, to: Numeric): Conversion {
  if (to.kind === 'integer') {
    const misfit = `CASE WHEN ${value} ${between(to)} THEN ${value} <> trunc(${value}) ELSE TRUE END`
    return { value: `${value}::bigint`, misfit }
  }
  if (to.kind === 'double') {
    const [type, exponent] = to.isSingle ? ['float4', 37] : ['float8', 300]
    const isInRange = `${value} = 0 OR abs(${value}) BETWEEN 1e-${exponent} AND 1e${exponent}`
    return {
      value: `${value}::${type}`,
      misfit: `CASE WHEN ${isInRange} THEN ${value}::${type}::text::numeric <> ${value} ELSE TRUE END`,
    }
  }
  const { precision, scale } = to
  if (precision === null) return { value, misfit: null }
  const isInRange = `abs(${value}) < 1e${precision - scale}`
  return { value, misfit: `CASE WHEN ${isInRange} THEN round(${value}, ${scale}) <> ${value} ELSE TRUE END` }
}

const sqlite: Converter = {
  text(value, from) {
    if (from.kind === 'instant') return `${value} || 'Z'`
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
  textAs: {
    date: value => ({ value, misfit: noDateText(value) }),
    time: value => ({ value, misfit: noTimeText(value) }),
    timestamp: value => ({ value, misfit: noMomentText(value) }),
    instant: value => {
      const timestamp = `substr(${value}, 1, length(${value}) - 1)`
      return { value: timestamp, misfit: `substr(${value}, -1) <> 'Z' OR ${noMomentText(timestamp)}` }
    },
    guid: value => ({ value: `lower(${value})`, misfit: `lower(${value}) NOT GLOB '${guidGlob}'` }),
    json: value => ({ value, misfit: `CASE WHEN json_valid(${value}) THEN ${hasHugeNumber(value)} ELSE 1 END` }),
  },
  asTimestamp: (value, from) => (from === 'date' ? `${value} || 'T00:00:00'` : value),
  timestampAs: {
    date: value => ({ value: `substr(${value}, 1, 10)`, misfit: `substr(${value}, 11) <> 'T00:00:00'` }),
    timestamp: value => ({ value, misfit: null }),
    instant: value => ({ value, misfit: null }),
  },
}

function noMomentText(value: string): string {
  return `${noDateText(`substr(${value}, 1, 10)`)} OR substr(${value}, 11, 1) <> 'T' OR ${noTimeText(`substr(${value}, 12)`)}`
}

const guidGlob = [8, 4, 4, 4, 12].map(digits => '[0-9a-f]'.repeat(digits)).join('-')

/** SQLite reads a day beyond the end of a month as a day of the next one, which changes the text. */
function noDateText(value: string): string {
  return `date(${value}) IS NOT ${value} OR ${value} < '0001'`
}

function noTimeText(value: string): string {
  const [whole, fraction] = [`substr(${value}, 1, 8)`, `substr(${value}, 10)`]
  const isFraction = `substr(${value}, 9, 1) = '.' AND ${fraction} GLOB '*[1-9]' AND ${fraction} NOT GLOB '*[^0-9]*' AND length(${fraction}) <= 6`
  return `time(${whole}) IS NOT ${whole} OR ${whole} >= '24' OR NOT (length(${value}) = 8 OR ${isFraction})`
}

/** Numbers beyond double precision would be read as null. Renames the column, whose name may be that of a column of `json_tree`. */
function hasHugeNumber(value: string): string {
  const nodes = `(SELECT ${value} AS cadmus_json) AS j, json_tree(j.cadmus_json) AS n`
  return `EXISTS (SELECT 1 FROM ${nodes} WHERE n.type IN ('integer', 'real') AND abs(n.atom + 0.0) > 1.7976931348623157e308)`
}

/** A decimal text without leading or trailing zeros and without an exponent. */
function canonical(text: string): string {
  return `cadmus_number(cadmus_key(${text}))`
}

function decimalText(value: string, type: Numeric): string {
  if (type.kind === 'integer') return `CAST(${value} AS TEXT)`
  if (type.kind !== 'double') return canonical(value)
  return canonical(type.isSingle ? `cadmus_single(${value})` : doubleText(value))
}

/** The fewest digits that distinguish a double from other doubles. */
function doubleText(value: string): string {
  return `CASE WHEN CAST(CAST(${value} AS TEXT) AS REAL) <> ${value} THEN printf('%!.17g', ${value}) ELSE CAST(${value} AS TEXT) END`
}

function textAs(text: string, to: Numeric): Conversion {
  if (to.kind === 'integer') {
    const value = `CAST(${text} AS INTEGER)`
    return { value, misfit: `CAST(${value} AS TEXT) <> ${text} OR ${value} NOT ${between(to)}` }
  }
  if (to.kind === 'double') {
    const value = `CAST(${to.isSingle ? `cadmus_rounded(${text})` : text} AS REAL)`
    return { value, misfit: `${decimalText(value, to)} <> ${text}` }
  }
  const { precision, scale } = to
  if (precision === null) return { value: text, misfit: null }
  const point = `instr(${text} || '.', '.')`
  const whole = `length(ltrim(substr(${text}, 1, ${point} - 1), '-0'))`
  return { value: text, misfit: `${whole} > ${precision - scale} OR length(${text}) - ${point} > ${scale}` }
}

export function between(type: ColumnType & { kind: 'integer' }): string {
  const { least, largest } = rangeOf(type)
  return `BETWEEN ${least} AND ${largest}`
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
  const value = plain.default ? defaultText(dialect, plain.default, plain.type) : 'NULL'
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
  const database = scriptedOf(dialect)
  if (database) return scriptedMisfit(dialect.quote(before.name), before.type, after.type, database)
  return conversionOf(dialect.quote(before.name), before.type, after.type, dialect).misfit
}

/** Whether neither existing rows nor a default provide the required value. */
export function needsValue(column: Column): boolean {
  return !column.nullable && column.default === null && !column.identity
}

function isLossless(from: ColumnType, to: ColumnType): boolean {
  if (from.kind === 'integer') return isNumberFor(digitsOf(from), to)
  return from.kind === 'decimal' && to.kind === 'decimal' && isWider(from, to)
}

/** Larger integers than another type of integer has are refused. */
function isNumberFor(digits: number, to: ColumnType): boolean {
  if (to.kind === 'integer') return true
  // All integers of 15 digits are doubles, of 6 digits ones of single precision.
  if (to.kind === 'double') return digits <= (to.isSingle ? 6 : 15)
  return to.kind === 'decimal' && to.precision !== null && to.precision - to.scale >= digits
}

type Decimal = ColumnType & { kind: 'decimal' }

function isWider(from: Decimal, to: Decimal): boolean {
  if (to.precision === null || from.precision === null) return false
  return to.scale >= from.scale && to.precision - to.scale >= from.precision - from.scale
}

function valueOf(pair: ColumnPair, dialect: Dialect): string {
  const value = convertedValue(pair, dialect)
  const filler = pair.after.nullable ? null : pair.after.default
  return filler === null ? value : `COALESCE(${value}, ${defaultText(dialect, filler, pair.after.type)})`
}

/** The value of the new type; null if it does not fit. */
export function convertedValue(pair: ColumnPair, dialect: Dialect): string {
  const { before, after } = pair
  const quoted = dialect.quote(before.name)
  if (isCopied(pair)) {
    // Some databases store a decimal as text.
    const isWritten = dialect.typeName(after.type) === 'TEXT' && dialect.typeName(before.type) !== 'TEXT'
    return isWritten ? `CAST(${quoted} AS TEXT)` : quoted
  }
  if (isCut(pair)) return cutValue(pair, dialect)
  const database = scriptedOf(dialect)
  if (database) return scriptedValue(quoted, before.type, after.type, database)
  const { value, misfit } = conversionOf(quoted, before.type, after.type, dialect)
  return misfit === null ? value : `CASE WHEN ${misfit} THEN NULL ELSE ${value} END`
}

/** A value as a text in the form of the API; null: not possible. */
export function textValue(value: string, type: ColumnType, dialect: Dialect): string | null {
  if (isText(type)) return value
  if (type.kind === 'binary') return null
  const database = scriptedOf(dialect)
  // A text without a limit would be a CLOB on Oracle, which is no text of a literal there.
  const text = { kind: 'varchar', length: 4000 } as const
  return database ? scriptedValue(value, type, text, database) : conversionOf(value, type, text, dialect).value
}

type CutPair = { readonly before: Column; readonly after: { readonly type: ColumnType & { kind: 'varchar' } } }

function isCut(pair: ColumnPair): pair is ColumnPair & CutPair {
  return pair.isHash === true && pair.after.type.kind === 'varchar'
}

function cutValue({ before, after }: CutPair, dialect: Dialect): string {
  return `SUBSTR(${dialect.quote(before.name)}, 1, ${after.type.length})`
}

/** The value of the new type of a column whose values all fit. */
export function fittingValue(pair: ColumnPair, dialect: Dialect): string {
  if (isCopied(pair) || isCut(pair) || scriptedOf(dialect)) return convertedValue(pair, dialect)
  return conversionOf(dialect.quote(pair.before.name), pair.before.type, pair.after.type, dialect).value
}
