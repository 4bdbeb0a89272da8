import { aResolvedModel, aKey, aList, anEntity, aTypeAttribute } from '@cadmus/model/testing/builders'
import type { TypeAttribute } from '@cadmus/model/type-attribute'
import { jsonFault } from '@cadmus/model/values/json'
import type { Literal } from '@cadmus/model/values/literal'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { alterable, alterationOf } from './alter.ts'
import { databases } from './databases.ts'
import { instanceSchemaOf } from './instance-schema.ts'
import { wireOf } from './queries/values.ts'
import { packageOf } from './testing/packages.ts'
import { runnerEngines, type RunnerServer } from './testing/engine-runners.ts'
import type { ColumnType } from './tree.ts'

type Attribute = Partial<TypeAttribute>
/** Values and their conversions; null if they do not fit. */
type Case = [name: string, from: Attribute, to: Attribute, values: readonly (readonly [Literal, unknown])[]]

const key = aKey()
const text = (value: string): Literal => ({ kind: 'text', value })
const number = (value: string): Literal => ({ kind: 'number', value })
const date = (value: string): Literal => ({ kind: 'date', value })
const timestamp = (value: string): Literal => ({ kind: 'timestamp', value })
const inUtc = (value: string): Literal => ({ kind: 'instant', value })

const string: Attribute = { dataType: 'string' }
const integer: Attribute = { dataType: 'integer' }
const digits = (precision: number): Attribute => ({ dataType: 'integer', precision })
const double: Attribute = { dataType: 'double' }
const decimal = (precision: number, scale: number): Attribute => ({ dataType: 'double', precision, scale })
const single: Attribute = { dataType: 'float', format: 'single' }
const fixed = (maxLength: number): Attribute => ({ dataType: 'string', format: 'fixed', maxLength })
const exact: Attribute = { dataType: 'double', format: 'decimal' }
const day: Attribute = { dataType: 'dateTime', format: 'date' }
const moment: Attribute = { dataType: 'dateTime' }
const instant: Attribute = { dataType: 'dateTime', format: 'instant' }
const local: Attribute = { dataType: 'dateTime', format: 'local' }

const nulls = (...values: readonly string[]) => values.map(value => [text(value), null] as const)

const samples = [
  '{"a":[1,-2.5,true,null,{"b":{}}],"c\\n\\"\\u00e9":"\\ud83d\\ude00"}',
  ' [ [ ] , "x" , 1e5 , 0 , { "k" : [ { } ] } ] ',
  '"text"',
  '-0.5E-9',
]
const broken = [
  '',
  '{',

  '"\\x"',
  '"\t"',

  '[1,]',
  '{"a":1,}',
  '01',
  'NaN',
  "'a'",
  '\u0001',
]

/** Samples, and what remains of them without one character or with one repeated. */
function jsonTexts(): string[] {
  const changed = samples.flatMap(sample =>
    [...sample].flatMap((character, at) =>
      ['', character.repeat(2), ','].map(by => `${sample.slice(0, at)}${by}${sample.slice(at + 1)}`),
    ),
  )
  return [...new Set([...samples, ...broken, ...changed])].filter(one => jsonFault(one) !== 'value')
}

/** Valid JSON that SQLite keeps, because it stores the text. */
const onPostgres: readonly Case[] = [
  ['string to object of jsonb', string, { dataType: 'object' }, nulls('"\\u0000"', '"\\ud83d"', '["\\udc00\\ud83d"]')],
]

function parsed(json: string): unknown {
  return jsonFault(json) === undefined ? JSON.parse(json) : null
}

const cases: readonly Case[] = [
  ['date to dateTime', day, moment, [[date('2024-02-29'), '2024-02-29T00:00:00']]],
  [
    'dateTime to date',
    moment,
    day,
    [
      [timestamp('2024-02-29T00:00:00'), '2024-02-29'],
      [timestamp('2024-02-29T00:00:00.5'), null],
    ],
  ],
  ['dateTime to instant', moment, instant, [[timestamp('2024-02-29T08:30:00.25'), '2024-02-29T08:30:00.25Z']]],
  ['local to instant, in UTC', local, instant, [[timestamp('2024-03-31T02:30:00'), '2024-03-31T02:30:00Z']]],
  ['instant to local, in UTC', instant, local, [[inUtc('2024-03-31T02:30:00'), '2024-03-31T02:30:00']]],
  [
    'instant to date',
    instant,
    day,
    [
      [inUtc('2024-02-29T00:00:00'), '2024-02-29'],
      [inUtc('2024-02-29T22:00:00'), null],
    ],
  ],
  ['instant to string', instant, string, [[inUtc('2024-02-29T08:30:00.25'), '2024-02-29T08:30:00.25Z']]],
  [
    'string to instant',
    string,
    instant,
    [[text('2024-02-29T08:30:00Z'), '2024-02-29T08:30:00Z'], ...nulls('2024-02-29T08:30:00', '2024-02-29', 'now')],
  ],
  [
    'decimal to double',
    decimal(30, 10),
    double,
    [
      [number('12.5'), 12.5],
      [number('0.1'), 0.1],
      [number('12345678901234567890.5'), null],
      [number('-0.0000000001'), -1e-10],
    ],
  ],
  [
    'double to decimal',
    double,
    decimal(6, 2),
    [
      [number('1234.25'), '1234.25'],
      [number('0.1'), '0.1'],
      [number('0.125'), null],
      [number('12345'), null],
      [number('1e300'), null],
    ],
  ],
  ['double to exact decimal', double, decimal(30, 17), [[number('0.30000000000000004'), '0.30000000000000004']]],
  ['double to decimal of any precision', double, exact, [[number('0.1'), '0.1']]],
  ['integer to decimal of any precision', integer, exact, [[number('9223372036854775807'), '9223372036854775807']]],
  ['scale 2 to decimal of any precision', decimal(9, 2), exact, [[number('12.50'), '12.5']]],
  [
    'guid to string',
    { format: 'guid' },
    string,
    [[text('0f8fad5b-d9cb-469f-a165-70867728950e'), '0f8fad5b-d9cb-469f-a165-70867728950e']],
  ],
  ['integer to string', integer, string, [[number('-12'), '-12']]],
  [
    'scale 2 to 0',
    decimal(9, 2),
    decimal(9, 0),
    [
      [number('12.00'), '12'],
      [number('-7'), '-7'],
      [number('12.01'), null],
    ],
  ],
  [
    'decimal to integer',
    decimal(30, 2),
    { ...integer, format: 'int16' },
    [
      [number('-32768'), -32768],
      [number('32768'), null],
      [number('1.5'), null],
      [number('99999999999999999999'), null],
    ],
  ],
  [
    'decimal to integer of 5 digits',
    decimal(9, 2),
    digits(5),
    [
      [number('99999'), 99_999],
      [number('-99999'), -99_999],
      [number('100000'), null],
      [number('1.5'), null],
    ],
  ],
  ['decimal to integer of as many digits', decimal(20, 0), digits(20), [[number('9'.repeat(20)), '9'.repeat(20)]]],
  [
    'decimal to integer of fewer digits',
    decimal(25, 2),
    digits(20),
    [
      [number(`-${'9'.repeat(20)}`), `-${'9'.repeat(20)}`],
      [number(`1${'0'.repeat(20)}`), null],
      [number('0.01'), null],
    ],
  ],
  ['integer to integer of 18 digits', { ...integer, format: 'int32' }, digits(18), [[number('-7'), -7]]],
  ['integer to integer of 38 digits', integer, digits(38), [[number('9223372036854775807'), '9223372036854775807']]],
  ['integer of 18 digits to one of 38', digits(18), digits(38), [[number('-12'), '-12']]],
  ['integer of 15 digits to double', digits(15), double, [[number('999999999999999'), 999999999999999]]],
  [
    'integer of 18 digits to double',
    digits(18),
    double,
    [
      [number('9007199254740992'), 9007199254740992],
      [number('9007199254740993'), null],
    ],
  ],
  [
    'integer of 38 digits to one of 18',
    digits(38),
    digits(18),
    [
      [number('-12'), -12],
      [number('9'.repeat(18)), '9'.repeat(18)],
      [number(`1${'0'.repeat(18)}`), null],
    ],
  ],
  ['integer of 38 digits to string', digits(38), string, [[number('9'.repeat(38)), '9'.repeat(38)]]],
  [
    'digits to integer of 38',
    string,
    digits(38),
    [
      [text('9'.repeat(38)), '9'.repeat(38)],
      [text('-7'), '-7'],
      ...nulls(`1${'0'.repeat(38)}`, '1.5', '007', '-0', 'x'),
    ],
  ],
  ['digits to integer of 5', string, digits(5), [[text('-99999'), -99_999], ...nulls('100000', '1.5', '007', 'x')]],
  [
    'integer to double',
    integer,
    double,
    [
      [number('9007199254740992'), 9007199254740992],
      [number('9007199254740993'), null],
      [number('9223372036854775807'), null],
    ],
  ],
  [
    'single to double',
    single,
    double,
    [
      [number('0.10000000149011612'), 0.1],
      [number('16777216'), 16777216],
    ],
  ],
  [
    'double to single',
    double,
    single,
    [
      [number('0.1'), 0.1],
      [number('16777217'), null],
      [number('0.123456789'), null],
      [number('1e39'), null],
    ],
  ],
  ['single to string', single, string, [[number('0.10000000149011612'), '0.1']]],
  ['string to single', string, single, [[text('0.1'), 0.1], ...nulls('0.123456789', '1e39', 'x')]],
  ['integer of 6 digits to single', digits(6), single, [[number('999999'), 999999]]],
  [
    'string to one of fixed length',
    string,
    fixed(3),
    [
      [text('abc'), 'abc'],
      [text('éüñ'), 'éüñ'],
    ],
  ],
  ['text of fixed length to string', fixed(3), string, [[text('abc'), 'abc']]],
  [
    'double to integer',
    double,
    integer,
    [
      [number('1e15'), 1e15],
      [number('0.5'), null],
      [number('1e19'), null],
    ],
  ],
  [
    'digits to integer',
    string,
    { ...integer, format: 'int32' },
    [
      [text('0'), 0],
      [text('-12'), -12],
      [text('2147483648'), null],
      [text('99999999999999999999999'), null],
      [text('007'), null],
      [text('1.0'), null],
      [text(' 1'), null],
      [text('-0'), null],
      [text('one'), null],
      [text(''), null],
    ],
  ],
  [
    'digits to decimal',
    string,
    decimal(5, 2),
    [
      [text('123.45'), '123.45'],
      [text('123.456'), null],
      [text('1234'), null],
      [text('1e2'), null],
    ],
  ],
  [
    'digits to decimal of any precision',
    string,
    exact,
    [[text('12345678901234567890.123'), '12345678901234567890.123'], ...nulls('1e2', '1.50', 'one')],
  ],
  [
    'boolean to string',
    { dataType: 'boolean' },
    string,
    [
      [{ kind: 'boolean', value: true }, 'true'],
      [{ kind: 'boolean', value: false }, 'false'],
    ],
  ],
  [
    'string to boolean',
    string,
    { dataType: 'boolean' },
    [
      [text('true'), true],
      [text('false'), false],
      [text('yes'), null],
    ],
  ],
  [
    'string to date',
    string,
    day,
    [
      [text('2024-02-29'), '2024-02-29'],
      [text('0001-01-01'), '0001-01-01'],
      [text('9999-12-31'), '9999-12-31'],
      ...nulls(
        '2023-02-29',
        '2024-04-31',
        '0000-01-01',
        '2024-13-01',
        '2024-1-1',
        '20240101',
        ' 2024-01-01',
        'now',
        '',
      ),
      ...nulls('2024-02-29T00:00:00', '-001-01-01', '2024-02-29\n', '2460000', 'infinity', '2024-02-00'),
    ],
  ],
  [
    'string to time',
    string,
    { dataType: 'dateTime', format: 'time' },
    [
      [text('00:00:00'), '00:00:00'],
      [text('23:59:59.999999'), '23:59:59.999999'],
      [text('08:30:00.25'), '08:30:00.25'],
      ...nulls('24:00:00', '08:30', '8:30:00', '08:60:00', '08:30:60', '08:30:00.', '08:30:00.50', '08:30:00.1234567'),
      ...nulls('08:30:00Z', '', 'now', '08:30:00 ', '08:30:00.x1', '08:30:00,5'),
    ],
  ],
  [
    'string to dateTime',
    string,
    moment,
    [
      [text('2024-02-29T08:30:00'), '2024-02-29T08:30:00'],
      [text('2024-02-29T08:30:00.25'), '2024-02-29T08:30:00.25'],
      ...nulls(
        '2023-02-29T08:30:00',
        '2024-02-29',
        '2024-02-29 08:30:00',
        '2024-02-29T24:00:00',
        '2024-02-29T08:30:00Z',
      ),
      ...nulls('2024-02-29T', '', 'T08:30:00', '2024-02-29T08:30:00.250'),
    ],
  ],
  [
    'string to guid',
    string,
    { dataType: 'string', format: 'guid' },
    [
      [text('0f8fad5b-d9cb-469f-a165-70867728950e'), '0f8fad5b-d9cb-469f-a165-70867728950e'],
      [text('0F8FAD5B-D9CB-469F-A165-70867728950E'), '0f8fad5b-d9cb-469f-a165-70867728950e'],
      ...nulls('0f8fad5bd9cb469fa16570867728950e', '{0f8fad5b-d9cb-469f-a165-70867728950e}', '', 'one'),
      ...nulls('0f8fad5b-d9cb-469f-a165-70867728950g', '0f8fad5b-d9cb-469f-a165-70867728950e '),
    ],
  ],
  ['string to object', string, { dataType: 'object' }, jsonTexts().map(one => [text(one), parsed(one)])],
  [
    'string to object with a huge number',
    string,
    { dataType: 'object' },
    nulls('1e400', '[-1e400]', `[9${'0'.repeat(400)}]`),
  ],
  ['dateTime to string', moment, string, [[timestamp('2024-02-29T08:30:00.25'), '2024-02-29T08:30:00.25']]],
  ['date to string', day, string, [[date('2024-02-29'), '2024-02-29']]],
  ['decimal to string', decimal(9, 2), string, [[number('12.50'), '12.5']]],
  [
    'double to string',
    double,
    string,
    [
      [number('0.30000000000000004'), '0.30000000000000004'],
      [number('12'), '12'],
    ],
  ],
]

describe.each(alterable)('Values of attributes whose type changes on %s', dialectName => {
  const engine = runnerEngines[{ sqlite: 'SQLite', postgresql: 'PostgreSQL' }[dialectName]]
  const dialect = databases[dialectName].run.dialect
  let server: RunnerServer
  beforeAll(async () => {
    if (engine?.availability.present) server = await engine.start()
  })
  afterAll(() => server?.stop())

  const schemaOf = (attribute: Attribute) => {
    const value = aTypeAttribute({ name: 'value', nullable: true, ...attribute, uid: 'uid of value' })
    const entity = anEntity({ name: 'Thing', uid: 'uid of Thing', typeAttributes: aList(key, value) })
    const { schema, statements } = instanceSchemaOf(packageOf(aResolvedModel([entity]), 1), dialectName)
    return { schema, statements, type: schema.tables[0]?.columns.find(({ name }) => name === 'value')?.type }
  }

  it.skipIf(!engine?.availability.present).each(dialectName === 'sqlite' ? cases : [...cases, ...onPostgres])(
    'values are converted if they fit the new type: %s',
    async (_name, from, to, values) => {
      const runner = await server.open([])
      const run = (statement: string) => runner.run({ text: statement, parameters: [], answers: 'rows' })
      const [before, after] = [schemaOf(from), schemaOf(to)]
      if (!before.type || !after.type) throw new Error('There is no column.')
      const { type }: { type: ColumnType } = { type: before.type }
      try {
        await runner.make(before.statements)
        const insert = async (id: number, value: string) =>
          runner.make([`INSERT INTO "Thing" ("id", "value") VALUES (${id}, ${value})`])
        for (const [index, [value]] of values.entries()) await insert(index + 1, dialect.defaultValue(value, type))
        await insert(values.length + 1, 'NULL')
        const { changes, statements } = alterationOf(before.schema, after.schema, dialectName)
        const losses = []
        for (const { query } of changes) if (query !== null) losses.push((await run(query)).length > 0)
        expect(losses.includes(true)).toBe(values.some(([, result]) => result === null))
        await runner.make(statements)
        const column = databases[dialectName].run.queries.read('"value"', after.type)
        const rows = await run(`SELECT ${column} FROM "Thing" ORDER BY "id"`)
        const field = after.type.kind === 'varchar' ? { kind: 'text' as const } : after.type
        expect(rows.map(([value]) => wireOf(field, value))).toEqual([...values.map(([, result]) => result), null])
      } finally {
        await runner.close()
      }
    },
  )
})
