import { longestFixed } from '@cadmus/model/data-types'
import type { DataType, Format } from '@cadmus/model/type-attribute'
import { limits } from '@cadmus/model/limits'
import type { ScriptDatabase } from '../databases.ts'
import type { RawType } from './read-schema.ts'

/** A column's type in terms of the model. `note`: how the imported type differs. */
export type ReadType = {
  dataType: DataType
  format: Format | null
  maxLength: number | null
  precision: number | null
  scale: number | null
  choices: readonly string[]
  note?: string
}

/** The length that generated scripts for HSQLDB give to text without a limit. */
const unlimitedLength = 16_777_216

/** A type may be named after another one, even after itself. */
const maxDepth = 10

/** The type of a column. */
export function readType(
  raw: RawType,
  { dialect, isOwn }: { dialect: ScriptDatabase; isOwn: boolean },
  depth = 0,
): ReadType {
  if (raw.isArray) return { ...object(null), note: 'an array is imported as an object' }
  const { definition = null } = raw.named ?? {}
  if (definition && 'column' in definition && depth < maxDepth)
    return readType(definition.column.type, { dialect, isOwn }, depth + 1)
  const values = raw.name === 'ENUM' ? raw.texts : definition && 'values' in definition ? definition.values : undefined
  if (values) return { ...text(null), choices: values }
  const family = families.get(raw.name) ?? families.get(raw.name.split(' ')[0] ?? '')
  if (!family)
    return {
      ...text(null),
      note:
        raw.name === ''
          ? 'a column without a type is imported as a string'
          : `type ${raw.name} is imported as a string`,
    }
  return family(raw, dialect, isOwn)
}

type Family = (raw: RawType, dialect: ScriptDatabase, isOwn: boolean) => ReadType

const base = { maxLength: null, precision: null, scale: null, choices: [] }

function text(maxLength: number | null): ReadType {
  return { ...base, dataType: 'string', format: null, maxLength }
}

function fixed(length: number): ReadType {
  return { ...text(length), format: 'fixed' }
}

function object(format: Format | null): ReadType {
  return { ...base, dataType: 'object', format }
}

function integer(format: Format | null): ReadType {
  return { ...base, dataType: 'integer', format }
}

/** An integer of at most that many digits. */
function whole(precision: number): ReadType {
  return { ...integer(null), precision }
}

/** Generated scripts have a scale where they mean decimals, and none where they mean integers. */
function exactOrWhole(precision: number, scale: number | null, isOwn: boolean): ReadType {
  const isWhole = isOwn ? scale === null : !scale && precision <= limits.precision.max
  return isWhole ? whole(precision) : exact(precision, scale ?? 0)
}

function exact(precision: number | null, scale: number): ReadType {
  if (precision === null) return { ...base, dataType: 'double', format: 'decimal' }
  return { ...base, dataType: 'double', format: null, precision, scale }
}

function moment(format: 'date' | 'time' | 'instant' | 'local' | null): ReadType {
  return { ...base, dataType: 'dateTime', format }
}

const floating: ReadType = { ...base, dataType: 'double', format: null }
const single: ReadType = { ...base, dataType: 'float', format: 'single' }
const boolean: ReadType = { ...base, dataType: 'boolean', format: null }

function numberAt({ args }: RawType, index: number): number | null {
  const value = args[index]
  return value !== undefined && /^\d{1,10}$/.test(value) ? Number(value) : null
}

function characters(raw: RawType, dialect: ScriptDatabase): ReadType {
  const length = numberAt(raw, 0)
  const isFixed = /^(?:N|NATIONAL )?CHAR(?:ACTER)?$/.test(raw.name)
  if (length === null) return raw.args.length === 0 && isFixed ? fixed(1) : text(null)
  if (raw.name === 'CHAR' && length === 36 && raw.charset === 'ascii') return { ...text(null), format: 'guid' }
  if ((isFixed || raw.name === 'BPCHAR') && length > 0 && length <= longestFixed) return fixed(length)
  return text(length === 0 || (dialect === 'hsql' && length === unlimitedLength) ? null : length)
}

function decimal(raw: RawType, dialect: ScriptDatabase, isOwn: boolean): ReadType {
  const [precision, scale] = [numberAt(raw, 0), numberAt(raw, 1)]
  if (raw.args.includes('-')) {
    // The sign is an argument of its own.
    const read = precision === null ? exact(null, 0) : exactOrWhole(precision + (numberAt(raw, 2) ?? 0), 0, false)
    return { ...read, note: 'a negative scale is ignored' }
  }
  if (precision !== null && scale !== null && scale > precision)
    return {
      ...exact(scale, scale),
      note: 'the precision is raised to the scale',
    }
  if (precision !== null && precision > 0) return exactOrWhole(precision, scale, isOwn)
  // Without a scale it has any number of decimal places.
  if (raw.args[0] === '*') return scale === null ? exact(null, 0) : exactOrWhole(38, scale, isOwn)
  if (dialect === 'mysql') return exactOrWhole(10, 0, isOwn)
  if (dialect === 'mssql') return exactOrWhole(18, 0, isOwn)
  return dialect === 'hsql' ? exact(128, 0) : exact(null, 0)
}

/** Generated scripts for Oracle mean the integer whose longest values have that many digits. */
function number(raw: RawType, dialect: ScriptDatabase, isOwn: boolean): ReadType {
  const bits = isOwn && raw.args.length === 1 ? integersByDigits.get(numberAt(raw, 0)) : undefined
  return bits === undefined ? decimal(raw, dialect, isOwn) : integer(bits)
}

const integersByDigits: ReadonlyMap<number | null, Format | null> = new Map([
  [5, 'int16'],
  [10, 'int32'],
  [19, null],
])

/** INTEGER of Oracle has 38 digits. */
function wholeNumber({ isUnsigned }: RawType, dialect: ScriptDatabase): ReadType {
  if (dialect === 'oracle') return { ...integer(null), note: bigIntegerNote }
  return integer(isUnsigned ? null : 'int32')
}

const bigIntegerNote = 'an integer of up to 38 digits is imported as a 64-bit integer'

function bit(raw: RawType, dialect: ScriptDatabase): ReadType {
  const length = numberAt(raw, 0) ?? 1
  if (length === 1 && !raw.name.includes('VARYING') && dialect !== 'postgresql') return boolean
  return { ...text(null), note: 'a bit string is imported as a string' }
}

function tiny(raw: RawType, dialect: ScriptDatabase): ReadType {
  return dialect === 'mysql' && numberAt(raw, 0) === 1 ? boolean : integer('int16')
}

function float(raw: RawType, dialect: ScriptDatabase): ReadType {
  const digits = numberAt(raw, 0)
  if (dialect === 'hsql') return floating
  if (digits !== null && raw.args.length === 1) return digits <= 24 ? single : floating
  return dialect === 'mysql' ? roundedType(raw, single) : floating
}

/** `FLOAT(7,4)` of MySQL. */
function roundedType({ args }: RawType, type: ReadType): ReadType {
  return args.length < 2 ? type : { ...type, note: `rounding to ${args[1]} decimal places is ignored` }
}

/** TIMESTAMP of MySQL is a moment, which the server converts to the time zone of the session. */
function timestamp(raw: RawType, dialect: ScriptDatabase, isOwn: boolean): ReadType {
  if (dialect === 'mssql') return { ...object('binary'), note: 'a row version is imported as binary' }
  return isZoned(raw) || dialect === 'mysql' ? moment('instant') : wallClock(raw, dialect, isOwn)
}

/** Generated scripts use these types for moments in UTC too. */
function wallClock(_raw: RawType, _dialect: ScriptDatabase, isOwn: boolean): ReadType {
  return moment(isOwn ? null : 'local')
}

/** `WITH TIME ZONE`, and Oracle's `WITH LOCAL TIME ZONE`. */
function isZoned({ name }: RawType): boolean {
  return name.includes(' WITH ')
}

function time(raw: RawType): ReadType {
  const isPlain = raw.name !== 'TIMETZ' && !isZoned(raw)
  return isPlain ? moment('time') : { ...moment('time'), note: 'a time with a time zone is imported without it' }
}

/** Oracle has no time of day: generated scripts use an interval of less than ten days. */
function interval(raw: RawType, dialect: ScriptDatabase): ReadType {
  const isTime = dialect === 'oracle' && raw.name.startsWith('INTERVAL DAY') && (numberAt(raw, 0) ?? 2) < 2
  return isTime ? moment('time') : { ...text(null), note: 'an interval is imported as a string' }
}

const caseInsensitiveNote = 'case-insensitive text is imported as a string'

/** Case-insensitive text becomes a string without a note in generated scripts, which use it for guids. */
function caseInsensitive(raw: RawType, dialect: ScriptDatabase, isOwn: boolean): ReadType {
  return isOwn ? characters(raw, dialect) : { ...characters(raw, dialect), note: caseInsensitiveNote }
}

/** DATE of Oracle includes a time of day to the second; generated scripts use it for plain dates. */
function day(_raw: RawType, dialect: ScriptDatabase, isOwn: boolean): ReadType {
  if (dialect !== 'oracle' || isOwn) return moment('date')
  return { ...moment('local'), note: 'an Oracle DATE includes a time of day and is imported as a timestamp' }
}

const familiesByNames: readonly (readonly [names: string, family: Family])[] = [
  ['VARCHAR, CHARACTER VARYING, CHARACTER, CHAR, NCHAR, NVARCHAR, VARCHAR2, NVARCHAR2, BPCHAR', characters],
  ['NATIONAL CHARACTER, NATIONAL CHAR, NATIONAL VARCHAR, LONGVARCHAR, SYSNAME, NAME', characters],
  ['VARCHAR_IGNORECASE', caseInsensitive],
  ['CITEXT', () => ({ ...text(null), note: caseInsensitiveNote })],
  ['TEXT, CLOB, NCLOB, LONGTEXT, MEDIUMTEXT, NTEXT, LONG, CHARACTER LARGE OBJECT', () => text(null)],
  ['XML, XMLTYPE', () => ({ ...text(null), note: 'XML is imported as a string' })],
  ['TINYTEXT', () => text(255)],
  ['UUID, UNIQUEIDENTIFIER', () => ({ ...text(null), format: 'guid' })],
  ['SMALLINT, INT2, SMALLSERIAL, SERIAL2, YEAR', ({ isUnsigned }) => integer(isUnsigned ? 'int32' : 'int16')],
  ['TINYINT, INT1', tiny],
  ['INT, INTEGER, INT4, SERIAL4, MEDIUMINT, MIDDLEINT, INT3', wholeNumber],
  ['SERIAL', (_raw, dialect) => integer(dialect === 'mysql' ? null : 'int32')],
  ['BIGINT, INT8, BIGSERIAL, SERIAL8', ({ isUnsigned }) => (isUnsigned ? whole(20) : integer(null))],
  ['DECIMAL, NUMERIC, DEC, FIXED', decimal],
  ['NUMBER', number],
  ['MONEY', () => exact(19, 4)],
  ['SMALLMONEY', () => exact(10, 4)],
  ['DOUBLE, DOUBLE PRECISION, FLOAT8, BINARY_DOUBLE', raw => roundedType(raw, floating)],
  ['FLOAT', float],
  ['REAL', (_raw, dialect) => (dialect === 'mysql' || dialect === 'hsql' ? floating : single)],
  ['FLOAT4, BINARY_FLOAT', () => single],
  ['BOOLEAN, BOOL', () => boolean],
  ['BIT', bit],
  ['DATE', day],
  ['TIME, TIMETZ', time],
  ['TIMESTAMP', timestamp],
  ['DATETIME, DATETIME2, SMALLDATETIME', wallClock],
  ['TIMESTAMPTZ, DATETIMEOFFSET', () => moment('instant')],
  ['ROWVERSION', () => ({ ...object('binary'), note: 'a row version is imported as binary' })],
  ['INTERVAL', interval],
  ['JSON, JSONB', () => object(null)],
  ['BYTEA, BLOB, LONGBLOB, MEDIUMBLOB, TINYBLOB, VARBINARY, BINARY, RAW, LONG RAW, IMAGE', () => object('binary')],
  ['BINARY LARGE OBJECT, BINARY VARYING, LONGVARBINARY', () => object('binary')],
  ['SET', () => ({ ...text(null), note: 'a SET is imported as a string' })],
]

/** Whether databases have a type of this name. */
export function isBuiltIn(name: string): boolean {
  return families.has(name.toUpperCase())
}

const families: ReadonlyMap<string, Family> = new Map(
  familiesByNames.flatMap(([names, family]) => names.split(', ').map(name => [name, family] as const)),
)

const generatedNote = 'a generated key of more than 18 digits is imported as a 64-bit integer'

/** Databases generate integers of 16, 32 or 64 bits, from 1. */
export function generatedType({
  dataType,
  precision,
}: Pick<ReadType, 'dataType' | 'precision'>): Partial<Pick<ReadType, 'precision' | 'note'>> {
  if (dataType !== 'integer' || precision === null) return {}
  return { precision: null, ...(precision > 18 ? { note: generatedNote } : {}) }
}
