import type { DatabaseType } from '@cadmus/model/database-types'
import { aClosure, aKey, aList, anEntity } from '@cadmus/model/testing/builders'
import { expect, it } from 'vitest'
import { databaseScript } from './script.ts'
import { engines, type Database, type Engine } from './testing/engines.ts'
import { attribute } from './testing/hard-names.ts'

// One model means the same on every engine: the same rows are taken and refused, and the same defaults are read back.

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
    attribute('half', { ...nullable, dataType: 'double', defaultValue: '.5' }),
    attribute('exact', { ...nullable, dataType: 'double', format: 'decimal', defaultValue: '1e5' }),
    attribute('digits', { ...nullable, dataType: 'double', format: 'decimal', defaultValue: '9'.repeat(38) }),
  ),
})

/** Column, text, and whether it is taken, in this order. */
const rows: readonly (readonly [column: string, text: string, taken: boolean])[] = [
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
]

const runs = (['postgresql', 'mysql', 'hsql'] as const).flatMap(type =>
  Object.entries<Engine>(engines[type]).map(([name, engine]) => ({ name, type, engine })),
)

for (const { name, type, engine } of runs) {
  const { present, advice } = engine.availability
  it.skipIf(!present)(
    `${name} takes and refuses the rows that the model does, and has its defaults ${advice}`,
    async () => {
      const server = await engine.start()
      try {
        const database = await server.createDatabase()
        await database.execute(databaseScript(aClosure([same]), type, { applyAutoIncrement: true }).sql)
        for (const [column, text, taken] of rows) {
          expect([column, text.slice(0, 5), await isTaken(database, type, column, text)]).toEqual([
            column,
            text.slice(0, 5),
            taken,
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
    },
  )
}

async function isTaken(database: Database, type: DatabaseType, column: string, text: string): Promise<boolean> {
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
