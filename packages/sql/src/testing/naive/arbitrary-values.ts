import type { ApiFieldType } from '@cadmus/model/api/api'
import type { WireValue } from '@cadmus/model/api/operation'
import type { Random } from '@cadmus/model/testing/seeded-random'
import { type NaiveField, shortSingle, trimmed } from './state.ts'

/** A value as sent, and as stored. */
export type Drawn = { readonly sent: WireValue; readonly normalized: WireValue }

export function arbitraryValue(field: NaiveField, random: Random): Drawn {
  if (field.name === 'customFields' && field.uid === '')
    return unchanged(random.pick<WireValue>([{}, { a: 1 }, { 'b"': [null, 'ü'] }]))
  if (field.choices.length > 0) return choiceOf(field, random)
  const { type } = field
  switch (type.kind) {
    case 'text':
      if (type.isFixed) return unchanged(random.pick(fullTexts(field.maxLength ?? 1)))
      return unchanged(random.pick(texts.filter(text => text.length <= maxUnits(field))))
    case 'guid': {
      const guid = random.pick(guids)
      return { sent: random.chance(0.3) ? guid.toUpperCase() : guid, normalized: guid }
    }
    case 'integer':
      return integer(BigInt(random.pick(integersOf(type))), random)
    case 'decimal':
      return decimal(field, random)
    case 'double':
      if (type.isSingle) return random.pick(singles)
      return unchanged(
        random.pick([0, 1, -2.5, 0.1, 1 / 3, 1e308, -1.7976931348623157e308, 2.2250738585072014e-308, 123456.789]),
      )
    case 'boolean':
      return unchanged(random.chance(0.5))
    case 'date':
      return unchanged(
        random.pick(['2000-02-29', '2024-02-29', '1999-12-31', '9999-12-31', '0001-01-01', '1970-01-01']),
      )
    case 'time':
      return random.pick(times)
    case 'timestamp':
      return random.pick(moments)
    case 'instant': {
      const { sent, normalized } = random.pick(moments.filter(({ sent }) => /(?:Z|[+-]\d\d:\d\d)$/.test(String(sent))))
      return { sent, normalized: `${normalized}Z` }
    }
    case 'local':
      return random.pick(moments.filter(({ sent }) => !/(?:Z|\+\d\d:\d\d)$/.test(String(sent))))
    case 'json':
      return unchanged(
        random.pick<WireValue>([{}, [1, "it's", null], { a: { b: [1.5, '\\"'] } }, 'text', 5, true, [], '']),
      )
    case 'binary':
      return unchanged(random.pick(['', 'AA==', 'AP+A', 'Y2FkbXVz']))
  }
}

/** An invalid value for the field, with its message. */
export function arbitraryFault(field: NaiveField, random: Random): { sent: WireValue; message: string } | null {
  const { name, type } = field
  const at = (sent: WireValue, message: string) => ({ sent, message: `${name}: ${message}` })
  switch (type.kind) {
    case 'integer':
      return at(random.pick<WireValue>([1.5, 'x', true, [], '1e3', '']), 'this must be a whole number.')
    case 'boolean':
      return at(random.pick<WireValue>(['yes', 1, {}]), 'this must be true or false.')
    case 'date':
      return at(random.pick<WireValue>(['2023-02-29', '', 5]), 'this must be a date such as 2026-01-31.')
    case 'guid':
      return at(random.pick<WireValue>(['x', 7]), 'this must be a UUID.')
    case 'double':
      return at(random.pick<WireValue>(['one', '1e999', false]), 'this must be a number.')
    case 'binary':
      return at(random.pick<WireValue>(['A', '$$$$', 1]), 'this must be Base64 text.')
    case 'text':
      if (type.isFixed && random.chance(0.5)) {
        const length = field.maxLength ?? 1
        const wrong = random.pick(['x'.repeat(length - 1), 'x'.repeat(length + 1), `${'x'.repeat(length - 1)} `])
        return at(
          wrong,
          `this must be exactly ${length} ${length === 1 ? 'character' : 'characters'} long, without a space at the end.`,
        )
      }
      return random.chance(0.5)
        ? at(random.pick<WireValue>([1, true, []]), 'this must be a text.')
        : at('a\0b', 'this must not contain NUL or unpaired surrogates.')
    default:
      return null
  }
}

const texts = [
  '',
  'a',
  'A',
  'b',
  'Zoë',
  'ÉCLAIR',
  'éclair',
  'Ключ',
  'ключ',
  '名前',
  '😀👍',
  '\ue000',
  "it's",
  'say "hi"',
  '100%',
  'a_b',
  'back\\slash',
  'trail ',
  ' lead',
  'line\nbreak',
  'tab\t',
  ';--',
  '[x]',
  '*?',
  '$1 :1 @p1 ?',
  'x'.repeat(40),
  '\u007f',
  '¿ñ',
]
/** Numbers of single precision; most databases have no smaller ones than 1.2e-38. */
const singles: Drawn[] = [
  ...[0, 1, -2.5, 0.1, 16777216, 3.4028235e38, -1.1754944e-38, 123456.79, 1e20].map(unchanged),
  { sent: 1 / 3, normalized: 0.33333334 },
  { sent: 16777217, normalized: 16777216 },
  { sent: '0.10000000149', normalized: 0.1 },
]

function fullTexts(length: number): string[] {
  return ['a', 'A', 'ü', '%', ' b'].map(text => text.padStart(length, "'x_").slice(-length))
}

const guids = [
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  '0a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9',
]
const integers = {
  16: ['0', '1', '-1', '2', '7', '32767', '-32768'],
  32: ['0', '1', '-1', '3', '42', '2147483647', '-2147483648'],
  64: ['0', '1', '-1', '2', '3', '4', '5', '9007199254740993', '9223372036854775807', '-9223372036854775808'],
}

/** The integers of fewer digits, and the longest ones. */
function integersOf({ bits, digits }: ApiFieldType & { kind: 'integer' }): string[] {
  if (digits === undefined) return integers[bits]
  const longest = '9'.repeat(digits)
  return [...integers[64].filter(one => one.replace('-', '').length <= digits), longest, `-${longest}`]
}

const times: Drawn[] = [
  { sent: '00:00', normalized: '00:00:00' },
  { sent: '23:59:59.999999', normalized: '23:59:59.999999' },
  { sent: '12:30:00.500', normalized: '12:30:00.5' },
  { sent: '12:30:00', normalized: '12:30:00' },
]
const moments: Drawn[] = [
  { sent: '2024-02-29T23:59:59.999999', normalized: '2024-02-29T23:59:59.999999' },
  { sent: '2026-01-01T01:30:00+02:00', normalized: '2025-12-31T23:30:00' },
  { sent: '2026-03-29 02:30:00.120Z', normalized: '2026-03-29T02:30:00.12' },
  { sent: '9999-12-31', normalized: '9999-12-31T00:00:00' },
  { sent: '0001-01-01T00:00:00', normalized: '0001-01-01T00:00:00' },
]

/** Whether the field has any valid value: all of its choices may exceed its length or its column. */
export function isFillable(field: NaiveField): boolean {
  return field.choices.length === 0 || validChoices(field).length > 0
}

function validChoices(field: NaiveField): NaiveField['choices'] {
  const { choices, type, columnType } = field
  if (type.kind === 'text') return choices.filter(({ value }) => String(value).length <= maxUnits(field))
  if (columnType.kind !== 'decimal' || columnType.precision === null) return choices
  const { precision, scale } = columnType
  return choices.filter(({ value }) => {
    const [whole = '', fraction = ''] = String(value).replace(/^-?0?/, '').split('.')
    return whole.length <= precision - scale && fraction.length <= scale
  })
}

function unchanged(value: WireValue): Drawn {
  return { sent: value, normalized: value }
}

function integer(value: bigint, random: Random): Drawn {
  const number = Number(value)
  if (!Number.isSafeInteger(number)) return unchanged(String(value))
  return { sent: random.chance(0.3) ? String(value) : number, normalized: number }
}

function decimal({ type, columnType }: NaiveField, random: Random): Drawn {
  const shape = columnType.kind === 'decimal' && columnType.precision !== null ? columnType : type
  if (shape.kind !== 'decimal') return unchanged('0')
  const { precision, scale } =
    shape.precision === null ? { precision: 38, scale: 8 } : { ...shape, precision: shape.precision }
  const whole = precision - scale
  const largest = `${'9'.repeat(whole) || '0'}${scale > 0 ? `.${'9'.repeat(scale)}` : ''}`
  const small = scale > 0 ? [`0.${'0'.repeat(scale - 1)}1`] : []
  const ones = whole > 0 ? ['1', '-1', '2'] : []
  const halves = whole > 0 && scale > 0 ? ['1.5', '-1.5', '1.4'] : []
  const normalized = random.pick(['0', largest, `-${largest}`, ...small, ...ones, ...halves])
  const padded = normalized.includes('.') ? normalized : `${normalized}.0`
  if (random.chance(0.2))
    return { sent: shape.isWhole || (type.kind === 'decimal' && type.isWhole) ? normalized : padded, normalized }
  return { sent: random.chance(0.3) && normalized.length < 10 ? Number(normalized) : normalized, normalized }
}

function choiceOf(field: NaiveField, random: Random): Drawn {
  const { choices, type } = field
  const valid = validChoices(field)
  const { value } = random.pick(valid.length === 0 ? choices : valid)
  if (type.kind === 'integer') return integer(BigInt(value), random)
  if (type.kind === 'double') return unchanged(type.isSingle ? shortSingle(Number(value)) : Number(value))
  if (typeof value === 'string' && type.kind === 'instant')
    return { sent: `${value}Z`, normalized: `${trimmed(value)}Z` }
  if (typeof value === 'string' && (type.kind === 'time' || type.kind === 'timestamp' || type.kind === 'local'))
    return { sent: value, normalized: trimmed(value) }
  return unchanged(value)
}

/** In UTF-16 units, the smallest limit of the databases. */
function maxUnits({ maxLength, columnType }: NaiveField): number {
  const room = 'length' in columnType ? (columnType.length ?? Infinity) : Infinity
  return Math.min(maxLength ?? Infinity, room)
}
