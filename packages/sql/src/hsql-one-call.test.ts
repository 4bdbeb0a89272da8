import { aResolvedModel, aKey, aList, anEntity, aTypeAttribute } from '@cadmus/model/testing/builders'
import { hsqldbAvailability } from '@cadmus/testing/availability'
import { startHsqldb } from '@cadmus/testing/hsqldb'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databaseScript } from './script.ts'

const { present, advice } = hsqldbAvailability()

const texts = [
  "It's; -- not the end",
  `';-- "quoted" '';--`,
  `'; DROP TABLE "Thing"; --`,
  "/* ; */ 'x' */",
  "two\nlines;\n-- 'three'",
  "\\'; {fn now()} ? :name $$",
]

// HSQLDB compiles all statements of a call before running the first, so keys and indexes of new tables need a separate
// call.
describe.skipIf(!present)(`A script for HSQLDB sent in one call ${advice}`, () => {
  let engine: ReturnType<typeof startHsqldb>
  beforeAll(() => {
    engine = startHsqldb()
  })
  afterAll(() => engine.stop())

  it.each(texts)('preserves descriptions, defaults and choices: %j', async text => {
    const typeAttributes = aList(
      aKey(),
      aTypeAttribute({ name: 'note', description: text, defaultValue: text, choices: [text, 'other'] }),
    )
    const things = ['Thing', 'Other'].map(name => anEntity({ name, description: text, typeAttributes }))
    const { sql } = databaseScript(aResolvedModel(things), 'hsql', { applyAutoIncrement: true })
    const database = await engine.createDatabase()
    await database.run(sql)
    await database.run('INSERT INTO "Other" ("id") VALUES (1)')
    const remarks = (table: string) =>
      database.run(`SELECT DISTINCT remarks FROM information_schema.${table} WHERE remarks IS NOT NULL
        AND table_schem = 'PUBLIC'`)
    const rows = [await remarks('system_tables'), await remarks('system_columns')]
    rows.push(await database.run('SELECT "note" FROM "Other"'))
    expect(rows.map(result => result.rows)).toEqual([[[text]], [[text]], [[text]]])
    await database.drop()
  })
})
