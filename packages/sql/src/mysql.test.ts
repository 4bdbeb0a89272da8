import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mariadbAvailability } from '@cadmus/testing/availability'
import { startMariadb, type MariadbServer } from '@cadmus/testing/mariadb'
import { isProving } from '@cadmus/testing/proof'
import { databaseScript } from './script.ts'
import { edgeModels } from './testing/edge-models.ts'
import { hardModels } from './testing/hard-models.ts'

const { present, advice } = mariadbAvailability()
const options = { applyAutoIncrement: true }

const modes = [
  'NO_BACKSLASH_ESCAPES',
  'STRICT_ALL_TABLES,NO_BACKSLASH_ESCAPES',
  'ANSI,NO_BACKSLASH_ESCAPES',
  'TRADITIONAL,PAD_CHAR_TO_FULL_LENGTH,HIGH_NOT_PRECEDENCE',
  'EMPTY_STRING_IS_NULL,IGNORE_SPACE,NO_UNSIGNED_SUBTRACTION',
  'ORACLE',
  'MSSQL',
  'POSTGRESQL',
  'DB2',
]

describe.skipIf(!present)(`Decisions 7: the script for MySQL runs in any sql_mode ${advice}`, () => {
  let server: MariadbServer

  beforeAll(async () => {
    server = await startMariadb()
  })
  afterAll(() => server?.stop())

  it.each(modes)('%s', async mode => {
    const start = modes.indexOf(mode)
    for (const [at, make] of Object.values({ ...hardModels, ...edgeModels }).entries()) {
      // Each model in a third of the modes; in full proofs in all of them.
      if (!isProving() && (start + at) % 3 !== 0) continue
      const database = await server.createDatabase()
      const script = `SET SESSION sql_mode = '${mode}';\n${databaseScript(make(), 'mysql', options).sql}`
      await expect(database.execute(script)).resolves.toBeUndefined()
      await database.drop()
    }
  })

  it('keeps a backslash in defaults and choices in any mode', async () => {
    const database = await server.createDatabase()
    const { sql } = databaseScript(hardModels['data-types']!(), 'mysql', options)
    await database.execute(`SET SESSION sql_mode = 'NO_BACKSLASH_ESCAPES';\n${sql}`)
    await database.execute("INSERT INTO Everything (code, tooLong, status) VALUES ('c', 'a', 'back\\\\slash')")
    expect(await database.query('SELECT title, status FROM Everything')).toEqual([
      { title: "it's a \\ default", status: 'back\\slash' },
    ])
    await database.drop()
  })

  it('accepts a row of 300 filled columns and rejects a text that is too long', async () => {
    const database = await server.createDatabase()
    await database.execute(databaseScript(hardModels['wide']!(), 'mysql', options).sql)
    const names = Array.from({ length: 300 }, (_, index) => `attribute${index}`)
    const insert = (text: string) =>
      database.execute(`INSERT INTO Wide (${names.join()}) VALUES (${names.map(() => `'${text}'`).join()})`)
    await insert('x'.repeat(20))
    await expect(insert('x'.repeat(101))).rejects.toThrow()
    await database.drop()
  })
})
