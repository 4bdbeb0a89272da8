import type { DataType, TypeAttribute } from '../type-attribute.ts'
import type { Random } from './seeded-random.ts'

// For tests only: attributes at the limits of the databases, reproducible by seed.

type Edge = (random: Random) => Partial<TypeAttribute>

/** Names that collide in some databases only, and names at the length limit of a database. */
export const edgeNames: readonly string[] = [
  'I',
  'İ',
  'ı',
  'i',
  'Σ',
  'ς',
  'ẞ',
  'ß',
  'ss',
  'K',
  '\u212a',
  'é',
  'e\u0301',
  'Ａ',
  'A',
  'ﬁ',
  'fi',
  'x'.repeat(63),
  'x'.repeat(64),
  'x'.repeat(128),
  'é'.repeat(32),
  '😀'.repeat(32),
  '\u202efdp',
  'a\u200bb',
  'a/b',
  'a  b',
  '.',
  'NULL',
  '_',
  '#',
  '$',
]

/** An attribute of a random data type at one of its limits. */
export function edgeAttribute(random: Random): Partial<TypeAttribute> {
  const attribute = random.pick(edges)(random)
  const nullable = random.chance(0.7)
  return random.chance(0.1)
    ? { nullable, description: random.pick(longDescriptions), ...attribute }
    : { nullable, ...attribute }
}

/** Cases that need many or very long attributes: too many columns, too many choices, too wide a row. */
export function manyAttributes(random: Random): Partial<TypeAttribute>[] {
  const crowd = random.pick(crowds)
  return Array.from({ length: crowd.count }, () => crowd.make(random))
}

const edges: readonly Edge[] = [
  random => ({ maxLength: random.pick(lengths), ...keyed(random) }),
  random => ({ ...keyed(random) }),
  random => withDefault('string', random.pick(texts)),
  emojiAtLength,
  blankChoices,
  random => ({ choices: many(random.pick([65, 500, 1001]), 'choice') }),
  random => ({ ...withDefault('object', random.pick(objects)), format: random.pick([null, 'json', 'text'] as const) }),
  random => ({ ...withDefault('object', random.pick(['AP8Q', '', '=', 'AAA', '0xFF'])), format: 'binary' }),
  random => ({ ...withDefault(random.pick(['double', 'float']), random.pick(numbers)), ...exact(random) }),
  random => ({ ...withDefault('float', random.pick(numbers)), format: 'single', ...keyed(random) }),
  random => {
    const length = random.pick([1, 3, 255])
    const full = ['x'.repeat(length), `${'x'.repeat(length - 1)}ü`]
    const choices = random.chance(0.3) ? full : []
    return { format: 'fixed', maxLength: length, choices, defaultValue: random.pick([null, ...full]), ...keyed(random) }
  },
  random => ({
    ...withDefault('integer', random.pick(integers)),
    format: random.pick([null, 'int16', 'int32', 'int64'] as const),
  }),
  random => ({
    ...withDefault('dateTime', random.pick(moments)),
    format: random.pick([null, 'date', 'time', 'instant', 'local'] as const),
  }),
  random => ({ ...withDefault('boolean', random.pick(['true', 'false', 'TRUE', ' false ', '0'])) }),
  random => ({
    format: 'guid',
    defaultValue: random.pick(['6F9619FF-8B86-D011-B42D-00C04FC964FF', '{6F9619FF-8B86-D011-B42D-00C04FC964FF}', 'x']),
    ...keyed(random),
  }),
]

/** Around the databases' limits for VARCHAR, keys and text length. */
const lengths = [1, 255, 256, 335, 450, 670, 671, 768, 769, 850, 1500, 2704, 4000, 4001, 16_383, 16_384, 65_536]

const backslashes = '\\'.repeat(10_000)
const longDescriptions = [backslashes.slice(0, 3000), "\\'".repeat(600), '😀'.repeat(2100), 'a\n'.repeat(2000), '&;--']
const texts = [
  backslashes,
  "a\\'".repeat(3000),
  "'".repeat(4000),
  '&'.repeat(4000),
  'a line\n'.repeat(1000),
  '\r\n',
  '\t',
  ' ',
  'trailing  ',
  '\u0000',
  '\ud800',
  '\u2028',
  '$(HOME) &name',
  '%s ?',
  ';\nGO\n/\n',
  "N'x'",
  'NULL',
  'now()',
]
const objects = [
  '"\\u0000"',
  '{"\\ud800": 1}',
  '"\\ud83d\\ude00"',
  '1e200000',
  '-0',
  '"text"',
  'null',
  'true',
  ' [ ] ',
  `${'['.repeat(60)}${']'.repeat(60)}`,
  `"${'\\\\'.repeat(3000)}"`,
  '{"a":1,"a":2}',
  '{"a":"\u2028"}',
  '[1,]',
  '',
]
const numbers = [
  '.5',
  '5.',
  '3.',
  '-.5e1',
  '+1',
  '1e5',
  '1E+5',
  '1e-7',
  '9'.repeat(38),
  `0.${'1'.repeat(30)}`,
  '-0',
  '0x10',
  '5e-324',
  '1.7976931348623157e308',
  '1e309',
  `1${'0'.repeat(400)}`,
  ' 7 ',
  '1,5',
  '12345678901234567890.123456789',
]
const integers = [`+${'0'.repeat(25)}7`, '-0', '-9223372036854775808', '9223372036854775808', '32768', '1e3', ' 5 ']
const moments = [
  '1582-10-10',
  '1582-10-04',
  '0001-01-01',
  '9999-12-31',
  '0000-01-01',
  '10000-01-01',
  '2024-02-30',
  '1900-02-29',
  '2026-01-01T00:30:00.123456789Z',
  '2026-01-01T00:30:00.123456+05:30',
  '0001-01-01T00:00:00+14:00',
  '9999-12-31T23:59:59.999999-12:00',
  '1582-10-10T12:00',
  '2016-12-31T23:59:60Z',
  '24:00:00',
  '23:59:59.999999',
]

function withDefault(dataType: DataType, defaultValue: string): Partial<TypeAttribute> {
  return { dataType, defaultValue }
}

function keyed(random: Random): Partial<TypeAttribute> {
  return { unique: random.chance(0.4), indexed: random.chance(0.4) }
}

function exact(random: Random): Partial<TypeAttribute> {
  return {
    format: random.pick([null, 'decimal'] as const),
    precision: random.pick([null, null, 5, 38]),
    scale: random.pick([null, 2, 38, 40]),
  }
}

/** A default value at the max length, or one character longer. */
function emojiAtLength(random: Random): Partial<TypeAttribute> {
  const maxLength = random.pick([1, 100, 1001, 4000])
  return { maxLength, defaultValue: '😀'.repeat(maxLength + random.pick([0, 0, 1])), ...keyed(random) }
}

function blankChoices(random: Random): Partial<TypeAttribute> {
  return {
    choices: random.pick([['a', 'a ', 'A'], [' '], ['', ' '], ['b  ', 'c'], ['😀', '\ufeff'], ['\n', '\r\n', '\t']]),
    defaultValue: random.pick([null, 'a', 'a ', ' ']),
    unique: random.chance(0.2),
  }
}

function many(count: number, word: string): string[] {
  return Array.from({ length: count }, (_, index) => `${word} ${index}`)
}

const crowds: readonly { count: number; make: Edge }[] = [
  { count: 70, make: random => ({ choices: ['open', 'closed'], nullable: random.chance(0.5) }) },
  { count: 70, make: random => ({ nullable: true, maxLength: random.pick([500, 700, 768]), ...keyed(random) }) },
  { count: 70, make: random => ({ nullable: true, ...keyed(random) }) },
  { count: 2, make: () => ({ choices: many(7000, 'choice') }) },
  { count: 3, make: () => ({ nullable: true, defaultValue: 'x\\'.repeat(20_000) }) },
  { count: 300, make: random => ({ nullable: true, maxLength: random.pick([20, 60, 64, 100]) }) },
  { count: 1100, make: () => ({ nullable: true }) },
  { count: 1100, make: () => ({ nullable: true, dataType: 'integer' }) },
  { count: 900, make: () => ({ nullable: true, dataType: 'double', precision: 38, scale: 2 }) },
  { count: 1700, make: random => ({ nullable: true, dataType: random.pick(['boolean', 'dateTime', 'string']) }) },
]
