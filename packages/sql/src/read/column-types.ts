import type { DatabaseType } from '@cadmus/model/database-types'
import type { DataType, Format } from '@cadmus/model/type-attribute'
import type { RawType } from './read-schema.ts'

/** What a column's type is in the model's words. `told`: what it is taken as, where that is not what it says. */
export type ReadType = {
  dataType: DataType
  format: Format | null
  maxLength: number | null
  precision: number | null
  scale: number | null
  choices: readonly string[]
  told?: string
}

/** HSQLDB's texts without a length are written with this one. */
const openText = 16_777_216

/** The type of a column, whose values an enumeration may name. */
export function readType(
  raw: RawType,
  { dialect, isOwn }: { dialect: DatabaseType; isOwn: boolean },
  enumerations: ReadonlyMap<string, readonly string[]>,
): ReadType {
  if (raw.isArray) return { ...object(null), told: 'a list is taken as an object' }
  const values = raw.name === 'ENUM' ? raw.texts : enumerations.get(raw.name.toLowerCase())
  if (values) return { ...text(null), choices: values }
  const family = families.get(raw.name) ?? families.get(raw.name.split(' ')[0] ?? '')
  if (!family)
    return {
      ...text(null),
      told:
        raw.name === '' ? 'its type is not said: it is taken as a string' : `the type ${raw.name} is taken as a string`,
    }
  return family(raw, dialect, isOwn)
}

type Family = (raw: RawType, dialect: DatabaseType, isOwn: boolean) => ReadType

const base = { maxLength: null, precision: null, scale: null, choices: [] }

function text(maxLength: number | null): ReadType {
  return { ...base, dataType: 'string', format: null, maxLength }
}

function object(format: Format | null): ReadType {
  return { ...base, dataType: 'object', format }
}

function integer(format: Format | null): ReadType {
  return { ...base, dataType: 'integer', format }
}

function exact(precision: number | null, scale: number): ReadType {
  if (precision === null) return { ...base, dataType: 'double', format: 'decimal' }
  return { ...base, dataType: 'double', format: null, precision, scale }
}

function moment(format: 'date' | 'time' | null): ReadType {
  return { ...base, dataType: 'dateTime', format }
}

const floating: ReadType = { ...base, dataType: 'double', format: null }
const single: ReadType = { ...base, dataType: 'float', format: null }
const boolean: ReadType = { ...base, dataType: 'boolean', format: null }

function numberAt({ args }: RawType, index: number): number | null {
  const value = args[index]
  return value !== undefined && /^\d{1,10}$/.test(value) ? Number(value) : null
}

function characters(raw: RawType, dialect: DatabaseType): ReadType {
  const length = numberAt(raw, 0)
  const isFixed = /^(?:N|NATIONAL )?CHAR(?:ACTER)?$|^BPCHAR$/.test(raw.name)
  if (length === null) return text(raw.args.length === 0 && isFixed ? 1 : null)
  if (raw.name === 'CHAR' && length === 36 && raw.charset === 'ascii') return { ...text(null), format: 'guid' }
  return text(length === 0 || (dialect === 'hsql' && length === openText) ? null : length)
}

function decimal(raw: RawType, dialect: DatabaseType): ReadType {
  const [precision, scale] = [numberAt(raw, 0), numberAt(raw, 1)]
  if (raw.args.some(argument => argument.startsWith('-'))) {
    return { ...exact(precision, 0), told: 'digits before the point that are rounded are kept' }
  }
  if (precision !== null && scale !== null && scale > precision)
    return {
      ...exact(scale, scale),
      told: 'a number with fewer digits than it has places is taken with a digit for each',
    }
  if (precision !== null && precision > 0) return exact(precision, scale ?? 0)
  if (raw.args[0] === '*') return exact(38, scale ?? 0)
  if (dialect === 'mysql') return exact(10, 0)
  if (dialect === 'mssql') return exact(18, 0)
  return dialect === 'hsql' ? exact(128, 0) : exact(null, 0)
}

/**
 * Oracle has one kind of number; without a scale it is a whole one, of as many digits as an integer may have or more. Its own tools
 * write the scale of whole numbers too; in our scripts a number with a scale is a decimal one.
 */
function number(raw: RawType, dialect: DatabaseType, isOwn: boolean): ReadType {
  const [precision, isWhole] = [numberAt(raw, 0), raw.args.length === 1 || (!isOwn && raw.args[1] === '0')]
  if (isWhole && !isOwn && (raw.args[0] === '*' || precision === 38)) return { ...integer(null), told: manyDigits }
  if (precision === null || !isWhole || precision > 19) return decimal(raw, dialect)
  if (precision <= 5) return integer('int16')
  return integer(precision <= 10 ? 'int32' : null)
}

/** Oracle has no whole numbers of 32 bits: by that name it makes one of 38 digits. */
function whole({ isUnsigned }: RawType, dialect: DatabaseType): ReadType {
  if (dialect === 'oracle') return { ...integer(null), told: manyDigits }
  return integer(isUnsigned ? null : 'int32')
}

const manyDigits = 'a whole number of up to 38 digits is taken as one of 64 bits'

function bit(raw: RawType, dialect: DatabaseType): ReadType {
  const length = numberAt(raw, 0) ?? 1
  if (length === 1 && !raw.name.includes('VARYING') && dialect !== 'postgresql') return boolean
  return { ...text(null), told: 'bits are taken as a string' }
}

function tiny(raw: RawType, dialect: DatabaseType): ReadType {
  return dialect === 'mysql' && numberAt(raw, 0) === 1 ? boolean : integer('int16')
}

function float(raw: RawType, dialect: DatabaseType): ReadType {
  const digits = numberAt(raw, 0)
  if (digits !== null && raw.args.length === 1) return digits <= 24 ? single : floating
  return dialect === 'mysql' ? placed(raw, single) : floating
}

/** `FLOAT(7,4)` of MySQL. */
function placed({ args }: RawType, type: ReadType): ReadType {
  return args.length < 2 ? type : { ...type, told: `that its values are rounded to ${args[1]} places is left out` }
}

function timestamp(raw: RawType, dialect: DatabaseType): ReadType {
  if (dialect === 'mssql') return { ...object('binary'), told: 'the number of a row is taken as bytes' }
  return isZoned(raw) ? { ...moment(null), told: zoned } : moment(null)
}

const zoned = 'a moment with a time zone is taken as one without'

/** `WITH TIME ZONE`, and Oracle's `WITH LOCAL TIME ZONE`. */
function isZoned({ name }: RawType): boolean {
  return name.includes(' WITH ')
}

function time(raw: RawType): ReadType {
  const isPlain = raw.name !== 'TIMETZ' && !isZoned(raw)
  return isPlain ? moment('time') : { ...moment('time'), told: 'a time with a time zone is taken as one without' }
}

/** Oracle has no time of day: our scripts, and its own tools of ours, have a duration of less than ten days for it. */
function interval(raw: RawType, dialect: DatabaseType): ReadType {
  const isTime = dialect === 'oracle' && raw.name.startsWith('INTERVAL DAY') && (numberAt(raw, 0) ?? 2) < 2
  return isTime ? moment('time') : { ...text(null), told: 'a duration is taken as a string' }
}

const caseless = 'a text that is compared without regard to case is taken as a string'

/** Our own scripts have it for guids. */
function ignoringCase(raw: RawType, dialect: DatabaseType, isOwn: boolean): ReadType {
  return isOwn ? characters(raw, dialect) : { ...characters(raw, dialect), told: caseless }
}

/** Oracle's has a time of day, to the second; our own scripts have it for a day alone. */
function day(_raw: RawType, dialect: DatabaseType, isOwn: boolean): ReadType {
  if (dialect !== 'oracle' || isOwn) return moment('date')
  return { ...moment(null), told: 'a date of Oracle, which has a time of day, is taken as a moment' }
}

const named: readonly (readonly [names: string, family: Family])[] = [
  ['VARCHAR, CHARACTER VARYING, CHARACTER, CHAR, NCHAR, NVARCHAR, VARCHAR2, NVARCHAR2, BPCHAR', characters],
  ['NATIONAL CHARACTER, NATIONAL CHAR, NATIONAL VARCHAR, LONGVARCHAR, SYSNAME, NAME', characters],
  ['VARCHAR_IGNORECASE', ignoringCase],
  ['CITEXT', () => ({ ...text(null), told: caseless })],
  ['TEXT, CLOB, NCLOB, LONGTEXT, MEDIUMTEXT, NTEXT, LONG, CHARACTER LARGE OBJECT, XML, XMLTYPE', () => text(null)],
  ['TINYTEXT', () => text(255)],
  ['UUID, UNIQUEIDENTIFIER', () => ({ ...text(null), format: 'guid' })],
  ['SMALLINT, INT2, SMALLSERIAL, SERIAL2, YEAR', ({ isUnsigned }) => integer(isUnsigned ? 'int32' : 'int16')],
  ['TINYINT, INT1', tiny],
  ['INT, INTEGER, INT4, SERIAL4, MEDIUMINT, MIDDLEINT, INT3', whole],
  ['SERIAL', (_raw, dialect) => integer(dialect === 'mysql' ? null : 'int32')],
  [
    'BIGINT, INT8, BIGSERIAL, SERIAL8',
    ({ isUnsigned }) =>
      isUnsigned
        ? { ...integer(null), told: 'a number without a sign is taken as one of 64 bits with a sign' }
        : integer(null),
  ],
  ['DECIMAL, NUMERIC, DEC, FIXED', decimal],
  ['NUMBER', number],
  ['MONEY', () => exact(19, 4)],
  ['SMALLMONEY', () => exact(10, 4)],
  ['DOUBLE, DOUBLE PRECISION, FLOAT8, BINARY_DOUBLE', raw => placed(raw, floating)],
  ['FLOAT', float],
  ['REAL', (_raw, dialect) => (dialect === 'mysql' || dialect === 'hsql' ? floating : single)],
  ['FLOAT4, BINARY_FLOAT', () => single],
  ['BOOLEAN, BOOL', () => boolean],
  ['BIT', bit],
  ['DATE', day],
  ['TIME, TIMETZ', time],
  ['TIMESTAMP', timestamp],
  ['DATETIME, DATETIME2, SMALLDATETIME', () => moment(null)],
  ['TIMESTAMPTZ, DATETIMEOFFSET', () => ({ ...moment(null), told: zoned })],
  ['ROWVERSION', () => ({ ...object('binary'), told: 'the number of a row is taken as bytes' })],
  ['INTERVAL', interval],
  ['JSON, JSONB', () => object(null)],
  ['BYTEA, BLOB, LONGBLOB, MEDIUMBLOB, TINYBLOB, VARBINARY, BINARY, RAW, LONG RAW, IMAGE', () => object('binary')],
  ['BINARY LARGE OBJECT, BINARY VARYING, LONGVARBINARY', () => object('binary')],
  ['SET', () => ({ ...text(null), told: 'a set of values is taken as a string' })],
]

const families: ReadonlyMap<string, Family> = new Map(
  named.flatMap(([names, family]) => names.split(', ').map(name => [name, family] as const)),
)
