import type { DatabaseType } from '@cadmus/model/database-types'
import { aResolvedModel, aKey, aList, anEntity } from '@cadmus/model/testing/builders'
import { expect, it } from 'vitest'
import { databaseScript } from './script.ts'
import { engines, type Database, type Engine } from './testing/engines.ts'
import { attribute } from './testing/hard-names.ts'

// A model means the same on every engine: the same rows are accepted, and the same defaults are stored.

const nullable = { nullable: true }
const same = anEntity({
  name: 'Same',
  typeAttributes: aList(
    aKey(),
    attribute('code', { ...nullable, maxLength: 5, unique: true }),
    attribute('kind', { ...nullable, choices: ['a', 'b '] }),
    attribute('long', { ...nullable, maxLength: 20_000 }),
    attribute('face', { ...nullable, maxLength: 3, defaultValue: '😀😀😀' }),
    attribute('slashes', { ...nullable, defaultValue: '\\'.repeat(1000) }),
    attribute('guid', { ...nullable, format: 'guid', unique: true }),
    attribute('flag', { ...nullable, dataType: 'boolean' }),
    attribute('day', { ...nullable, dataType: 'dateTime', format: 'date' }),
    attribute('time', { ...nullable, dataType: 'dateTime', format: 'time' }),
    attribute('moment', { ...nullable, dataType: 'dateTime' }),
    attribute('oneDay', { ...nullable, dataType: 'dateTime', format: 'date', choices: ['2026-01-31', '1582-10-10'] }),
    attribute('oneTime', { ...nullable, dataType: 'dateTime', format: 'time', choices: ['13:45', '23:59:59.5'] }),
    attribute('oneMoment', { ...nullable, dataType: 'dateTime', choices: ['2026-01-31', '2026-01-31T13:45:00Z'] }),
    attribute('oneFlag', { ...nullable, dataType: 'boolean', choices: ['true'], defaultValue: 'true' }),
    attribute('oneGuid', { ...nullable, format: 'guid', choices: ['6f9619ff-8b86-d011-b42d-00c04fc964ff'] }),
    attribute('oneNumber', {
      ...nullable,
      dataType: 'double',
      format: 'decimal',
      choices: ['.5', `0.${'1'.repeat(60)}`],
    }),
    attribute('half', { ...nullable, dataType: 'double', defaultValue: '.5' }),
    attribute('exact', { ...nullable, dataType: 'double', format: 'decimal', defaultValue: '1e5' }),
    attribute('digits', { ...nullable, dataType: 'double', format: 'decimal', defaultValue: '9'.repeat(38) }),
  ),
})

/** Column, text, and whether the row is accepted, in order of insertion. */
const rows: readonly (readonly [column: string, text: string, isAccepted: boolean])[] = [
  ['code', 'a', true],
  ['code', 'a ', true],
  ['code', 'A', true],
  ['code', 'a', false],
  ['kind', 'a', true],
  ['kind', 'A', false],
  ['kind', 'a ', false],
  ['kind', 'b', false],
  ['kind', 'b ', true],
  ['long', 'x'.repeat(20_000), true],
  ['long', 'x'.repeat(20_001), false],
  ['face', '😀a😀', true],
  ['guid', '6f9619ff-8b86-d011-b42d-00c04fc964ff', true],
  ['guid', '6F9619FF-8B86-D011-B42D-00C04FC964FF', false],
  ['guid', '6F9619FF-8B86-D011-B42D-00C04FC964FE', true],
  ['guid', 'hello', false],
  ['guid', '', false],
  ['guid', '6f9619ff-8b86-d011-b42d-00c04fc964f', false],
  ['day', '0001-01-01', true],
  ['day', '9999-12-31', true],
  ['day', '0000-00-00', false],
  ['day', '2020-00-10', false],
  ['day', '10000-01-01', false],
  ['moment', '9999-12-31 23:59:59', true],
  ['moment', '0000-00-00 00:00:00', false],
  ['moment', '10000-01-01 00:00:00', false],
  ['time', '00:00:00', true],
  ['time', '23:59:59', true],
  ['time', '24:00:00', false],
  ['time', '-01:00:00', false],
  ['half', '1e308', true],
  ['oneDay', '2026-01-31', true],
  ['oneDay', '2026-02-01', false],
  ['oneTime', '13:45:00', true],
  ['oneTime', '23:59:59.5', true],
  ['oneTime', '13:45:01', false],
  ['oneMoment', '2026-01-31 00:00:00', true],
  ['oneMoment', '2026-01-31 13:45:00', true],
  ['oneMoment', '2026-01-31 13:45:01', false],
  ['oneGuid', '6f9619ff-8b86-d011-b42d-00c04fc964ff', true],
  ['oneGuid', '6f9619ff-8b86-d011-b42d-00c04fc964fe', false],
  ['oneNumber', '0.5', true],
  ['oneNumber', '0.6', false],
  ['flag', '2', false],
  ['flag', '-1', false],
]

/** Values that a lenient server changes instead of rejecting them. */
const strictRows: typeof rows = [
  ['half', '1e309', false],
  ['half', 'NaN', false],
  ['half', 'Infinity', false],
  ['exact', 'NaN', false],
]

const runs = (['postgresql', 'mysql', 'hsql'] as const).flatMap(type =>
  Object.entries<Engine>(engines[type]).map(([name, engine]) => ({ name, type, engine })),
)

for (const { name, type, engine } of runs) {
  const { present, advice } = engine.availability
  it.skipIf(!present)(`${name} accepts the same rows as the model and stores its defaults ${advice}`, async () => {
    const server = await engine.start()
    try {
      const database = await server.createDatabase()
      await database.execute(databaseScript(aResolvedModel([same]), type, { applyAutoIncrement: true }).sql)
      for (const [column, text, isAccepted] of isLenient(name) ? rows : [...rows, ...strictRows]) {
        expect([column, text.slice(0, 5), await isInserted(database, type, column, text)]).toEqual([
          column,
          text.slice(0, 5),
          isAccepted,
        ])
      }
      expect(await defaults(database, type)).toEqual({
        face: '😀😀😀',
        slashes: '\\'.repeat(1000),
        half: 0.5,
        exact: 100_000,
        digits: '9'.repeat(38),
      })
      await database.drop()
    } finally {
      await server.stop()
    }
  })
}

async function isInserted(database: Database, type: DatabaseType, column: string, text: string): Promise<boolean> {
  const quote = quoted(type)
  const insert = `insert into ${quote('Same')} (${quote(column)}) values ('${text}')`
  return database.execute(insert).then(
    () => true,
    () => false,
  )
}

async function defaults(database: Database, type: DatabaseType): Promise<Record<string, unknown>> {
  const quote = quoted(type)
  const names = ['face', 'slashes', 'half', 'exact', 'digits']
  const columns = names.map(name => `${quote(name)} as ${quote(name)}`).join(', ')
  const [row] = await database.query(
    `select ${columns} from ${quote('Same')} where ${quote('code')} = 'A' and ${quote('half')} = 0.5`,
  )
  const { half, exact, digits, ...texts } = row ?? {}
  return { ...texts, half: Number(half), exact: Number(exact), digits: String(digits).replace(/\.0+$/, '') }
}

function quoted(type: DatabaseType): (name: string) => string {
  return name => (type === 'mysql' ? `\`${name}\`` : `"${name}"`)
}

function isLenient(name: string): boolean {
  return name === 'MariaDB in no sql_mode' || name === 'MariaDB in sql_mode ANSI'
}
