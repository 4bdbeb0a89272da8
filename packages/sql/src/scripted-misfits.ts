import { isNumeric, isText, rangeOf } from './column-types.ts'
import { databases } from './databases.ts'
import { scriptedValue, type ScriptedDatabase } from './scripted-conversions.ts'
import type { ColumnType } from './tree.ts'

type RegularDatabase = Exclude<ScriptedDatabase, 'mssql'>
type Numeric = ColumnType & { kind: 'integer' | 'decimal' | 'double' }

/** Digits of decimals that a double and a single hold exactly, and of a number that is cast to test it. */
const exactDigits = { double: 15, single: 6 }
const castDigits = 30

/** SQL condition that is true for values that do not fit the new type; null if all fit. Written without casts that can fail. */
export function scriptedMisfit(
  value: string,
  from: ColumnType,
  to: ColumnType,
  database: ScriptedDatabase,
): string | null {
  const misfit = misfitOf(value, from, to, database)
  return misfit === null ? null : `${value} IS NOT NULL AND (${misfit})`
}

function misfitOf(value: string, from: ColumnType, to: ColumnType, database: ScriptedDatabase): string | null {
  if (isText(to)) return null
  if (!isText(from)) {
    if (isNumeric(to)) return isNumeric(from) ? misfitNumber(value, from, to, database) : null
    if (to.kind !== 'date' || from.kind === 'date') return null
    const day = scriptedValue(value, from, to, database)
    return `${scriptedValue(day, to, from, database)} <> ${value}`
  }
  if (to.kind === 'boolean') return `${databases[database].run.queries.ordered(value, from)} NOT IN ('true', 'false')`
  if (database === 'mssql') return misfitOnMssql(value, to)
  if (isNumeric(to)) return misfitText(value, to, database)
  if (to.kind === 'guid') return isNot(value, '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}', database)
  if (to.kind === 'json') return noJson(value, database)
  if (to.kind === 'time') return isNot(value, time, database)
  const rest = to.kind === 'date' ? '' : `T${time}${to.kind === 'instant' ? 'Z' : ''}`
  return noDay(value, rest, database)
}

const time = '([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]([.][0-9]{0,5}[1-9])?'

/**
 * A number rounded to single precision, and to the six digits that every one of these keeps: 0.1 fits, although no single is the same as
 * the double. HSQLDB has no single precision.
 */
const singles: Readonly<
  Record<ScriptedDatabase, { rounded: (value: string) => string; digits: (value: string) => string } | null>
> = {
  mysql: { rounded: value => castAs(value, 'FLOAT'), digits: value => `(CONCAT(${castAs(value, 'FLOAT')}) + 0E0)` },
  hsql: null,
  oracle: {
    rounded: value => `TO_BINARY_FLOAT(${value})`,
    digits: value => `TO_BINARY_DOUBLE(TO_CHAR(${value}, '9.99999EEEE'))`,
  },
  mssql: {
    rounded: value => castAs(value, 'REAL'),
    digits: value => castAs(`CONVERT(VARCHAR(50), ${castAs(value, 'REAL')}, 0)`, 'FLOAT(53)'),
  },
}

/** Ranges are tested before casts: an overflow would be an error. */
function misfitNumber(value: string, from: Numeric, to: Numeric, database: ScriptedDatabase): string | null {
  if (to.kind === 'integer') {
    const { least, largest } = rangeOf(to)
    const range = `${value} NOT BETWEEN ${least} AND ${largest}`
    return from.kind === 'integer' ? range : `${range} OR ${value} <> FLOOR(${value})`
  }
  const { dialect, queries } = databases[database].run
  if (to.kind === 'double') {
    const single = to.isSingle ? singles[database] : null
    if (from.kind === 'double' && !single) return null
    const number = single ? single.rounded(value) : queries.bind(value, to)
    const back: ColumnType = from.kind === 'integer' ? { kind: 'decimal', precision: 20, scale: 0 } : from
    const misfit = `${castAs(number, dialect.typeName(back))} <> ${value}`
    if (!single) return misfit
    const misfits = from.kind === 'double' ? `${misfit} AND ${single.digits(value)} <> ${value}` : misfit
    return `CASE WHEN ABS(${value}) <= 3.4E38 THEN CASE WHEN ${misfits} THEN 1 ELSE 0 END ELSE 1 END = 1`
  }
  const { precision, scale } = to.precision === null ? (dialect.limits.openDecimal ?? to) : to
  if (precision === null) return null
  return `CASE WHEN ABS(${value}) < 1${'0'.repeat(Math.max(precision - scale, 0))} THEN CASE WHEN ROUND(${value}, ${scale}) <> ${value} THEN 1 ELSE 0 END ELSE 1 END = 1`
}

/** A text is read as a number if it is written as an API writes it. */
function misfitText(value: string, to: Numeric, database: RegularDatabase): string {
  const whole = `(0|-?[1-9][0-9]{0,${castDigits - 1}})`
  const fraction = `-?(0|[1-9][0-9]{0,${castDigits - 1}})[.][0-9]{0,${castDigits - 2}}[1-9]`
  const written = isNot(value, to.kind === 'integer' ? whole : `(${whole}|${fraction})`, database)
  if (to.kind === 'double') {
    const { dialect } = databases[database].run
    const digits = dialect.characters(`REPLACE(REPLACE(${value}, '-', ''), '.', '')`)
    return `${written} OR ${digits} > ${exactDigits[to.isSingle ? 'single' : 'double']}`
  }
  const number = castAs(value, database === 'oracle' ? 'NUMBER' : `DECIMAL(${2 * castDigits}, ${castDigits})`)
  const wide = { kind: 'decimal', precision: 2 * castDigits, scale: castDigits } as const
  return `CASE WHEN ${written} THEN 1 WHEN ${misfitNumber(number, wide, to, database) ?? '1 = 0'} THEN 1 ELSE 0 END = 1`
}

function castAs(value: string, type: string): string {
  return `CAST(${value} AS ${type})`
}

/** Whether the whole text is written otherwise. */
function isNot(value: string, pattern: string, database: RegularDatabase): string {
  if (database === 'hsql') return `NOT REGEXP_MATCHES(${value}, '${pattern}')`
  return database === 'mysql' ? `${value} NOT REGEXP '^${pattern}$'` : `NOT REGEXP_LIKE(${value}, '^${pattern}$', 'c')`
}

/** Days are looked up: a cast of one that does not exist would be an error. */
function noDay(value: string, rest: string, database: RegularDatabase): string {
  const part = (start: number, length: number) =>
    `${database === 'oracle' ? 'SUBSTR' : 'SUBSTRING'}(${value}, ${start}, ${length})`
  const [year, month, day] = [part(1, 4), part(6, 2), part(9, 2)]
  const number = `CAST(${year} AS ${database === 'mysql' ? 'SIGNED' : 'INTEGER'})`
  const isLeap = `(MOD(${number}, 4) = 0 AND MOD(${number}, 100) <> 0 OR MOD(${number}, 400) = 0)`
  const written = isNot(value, `[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])${rest}`, database)
  const isMissing = [
    `${year} = '0000'`,
    `${month} IN ('04', '06', '09', '11') AND ${day} = '31'`,
    `${month} = '02' AND (${day} > '29' OR ${day} = '29' AND NOT ${isLeap})`,
  ].join(' OR ')
  return `CASE WHEN ${written} THEN 1 WHEN ${isMissing} THEN 1 ELSE 0 END = 1`
}

function noJson(value: string, database: RegularDatabase): string | null {
  if (database === 'hsql') return null
  return database === 'mysql' ? `NOT JSON_VALID(${value})` : `${value} IS NOT JSON`
}

/** SQL Server has no regular expressions, but conversions that answer null. */
function misfitOnMssql(value: string, to: ColumnType): string | null {
  const { dialect } = databases.mssql.run
  const tried = (type: string, style = '') => `TRY_CONVERT(${type}, ${value}${style})`
  switch (to.kind) {
    case 'integer':
    case 'decimal': {
      const wide = tried('DECIMAL(38, 12)')
      return `${tried(dialect.typeName(to))} IS NULL OR ${tried(dialect.typeName(to))} <> ${wide}`
    }
    case 'guid':
      return `${tried('UNIQUEIDENTIFIER')} IS NULL OR LOWER(CONVERT(CHAR(36), ${tried('UNIQUEIDENTIFIER')})) <> LOWER(${value})`
    case 'date':
      return `${tried('DATE', ', 23')} IS NULL OR CONVERT(CHAR(10), ${tried('DATE', ', 23')}, 23) <> ${value}`
    case 'timestamp':
      return `${tried('DATETIME2(6)', ', 126')} IS NULL`
    case 'instant':
      return `${tried('DATETIMEOFFSET(6)', ', 127')} IS NULL`
    case 'json':
      return `ISJSON(N'{"v":' + ${value} + N'}') = 0`
    default:
      return `${tried(dialect.typeName(to))} IS NULL`
  }
}
