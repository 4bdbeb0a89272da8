import type { WireValue } from '@cadmus/model/api/operation'
import type { Literal } from '@cadmus/model/values/literal'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databases } from './databases.ts'
import { wireOf } from './queries/values.ts'
import { scriptedValue } from './scripted-conversions.ts'
import { scriptedMisfit } from './scripted-misfits.ts'
import { runnerEngines, type RunnerServer } from './testing/engine-runners.ts'
import type { ColumnType } from './tree.ts'

const instant = { kind: 'instant' } as const
const timestamp = { kind: 'timestamp' } as const
const text = { kind: 'varchar', length: 40 } as const
const whole = { kind: 'decimal', precision: 20, scale: 0, isWhole: true } as const
const digits = { kind: 'integer', bits: 64, digits: 5 } as const
const twenty = '9'.repeat(20)
const moment = '2024-03-31T22:30:00.25'

const cases: readonly (readonly [
  what: string,
  from: ColumnType,
  to: ColumnType,
  value: Literal,
  expected: WireValue,
])[] = [
  ['a timestamp as an instant', timestamp, instant, { kind: 'timestamp', value: moment }, `${moment}Z`],
  ['an instant as a timestamp', instant, timestamp, { kind: 'instant', value: moment }, moment],
  ['an instant as a date', instant, { kind: 'date' }, { kind: 'instant', value: moment }, '2024-03-31'],
  ['a date as an instant', { kind: 'date' }, instant, { kind: 'date', value: '2024-03-31' }, '2024-03-31T00:00:00Z'],
  ['a text as an instant', text, instant, { kind: 'text', value: `${moment}Z` }, `${moment}Z`],
  ['an integer of 20 digits as a text', whole, text, { kind: 'number', value: twenty }, twenty],
  ['a text as an integer of 20 digits', text, whole, { kind: 'text', value: `-${twenty}` }, `-${twenty}`],
  ['an integer of 5 digits as a text', digits, text, { kind: 'number', value: '-99999' }, '-99999'],
  [
    'a decimal as an integer of 5 digits',
    { kind: 'decimal', precision: 9, scale: 2 },
    digits,
    { kind: 'number', value: '12' },
    12,
  ],
  ['an instant as a text', instant, text, { kind: 'instant', value: moment }, `${moment}0000Z`],
]

const single = { kind: 'double', isSingle: true } as const
const double = { kind: 'double' } as const
/** Values that fit, and those that do not. */
const singleCases: readonly (readonly [from: ColumnType, to: ColumnType, fits: string[], not: string[]])[] = [
  [single, double, ['0.1', '0.123456789', '16777217'], []],
  [double, single, ['0', '0.1', '-123456', '0.5', '16777216', '1e30'], ['0.123456789', '16777217', '1e39', '1e-60']],
  [{ kind: 'decimal', precision: 10, scale: 2 }, single, ['0.10', '12345.50'], ['12345678.91']],
  [{ kind: 'integer', bits: 64 }, single, ['16777216'], ['16777217']],
  [text, single, ["'0.1'", "'-12.3456'"], ['0.1234567']],
]

describe.each([
  ['hsql', 'HSQLDB', [`SET TIME ZONE INTERVAL '+5:00' HOUR TO MINUTE`]],
  ['mysql', 'MariaDB', [`SET time_zone = '+05:00'`]],
] as const)('In UTC, whatever the session, %s converts', (database, name, session) => {
  const engine = runnerEngines[name]
  const { dialect, queries } = databases[database].run
  let server: RunnerServer
  beforeAll(async () => {
    if (engine?.availability.present) server = await engine.start()
  })
  afterAll(() => server?.stop())

  it.skipIf(!engine?.availability.present).each(cases)('%s', async (_what, from, to, value, expected) => {
    const runner = await server.open(session)
    try {
      const [table, column] = ['Thing', 'value'].map(dialect.quote)
      await runner.make([
        `CREATE TABLE ${table} (${column} ${dialect.typeName(from)})`,
        `INSERT INTO ${table} VALUES (${dialect.literal(value)})`,
      ])
      const read = queries.read(scriptedValue(column ?? '', from, to, database), to)
      const rows = await runner.run({ text: `SELECT ${read} FROM ${table}`, parameters: [], answers: 'rows' })
      const type = to.kind === 'varchar' ? ({ kind: 'text' } as const) : to
      expect(wireOf(type, rows[0]?.[0])).toBe(expected)
    } finally {
      await runner.close()
    }
  })

  const engineCases = database === 'mysql' ? singleCases : []
  it.skipIf(!engine?.availability.present).each(engineCases)(
    'tells whether %s fits %s',
    async (from, to, fits, not) => {
      const runner = await server.open(session)
      try {
        const values = [...fits, ...not].map(value => `(${value})`).join(', ')
        await runner.make([`CREATE TABLE a (b ${dialect.typeName(from)})`, `INSERT INTO a VALUES ${values}`])
        const misfit = scriptedMisfit('b', from, to, database) ?? '1 = 0'
        const statement = { text: `SELECT CONCAT(b) FROM a WHERE ${misfit}`, parameters: [], answers: 'rows' } as const
        expect((await runner.run(statement)).map(([value]) => String(value)).sort()).toEqual(not.toSorted())
      } finally {
        await runner.close()
      }
    },
  )
})
