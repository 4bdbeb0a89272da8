import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { postgresAvailability } from '@cadmus/testing/availability'
import { startPostgres, type PostgresServer } from '@cadmus/testing/postgres'
import { databaseScript } from './script.ts'
import { hardModels } from './testing/hard-models.ts'

const { present, advice } = postgresAvailability()

describe.skipIf(!present)(`PostgreSQL in other settings ${advice}`, () => {
  let server: PostgresServer

  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(() => server?.stop())

  it('reads the same texts with standard_conforming_strings off', async () => {
    const database = await server.createDatabase()
    const { sql } = databaseScript(hardModels['data-types']!(), 'postgresql', { applyAutoIncrement: true })
    await database.execute(`SET standard_conforming_strings = off; SET backslash_quote = off;\n${sql}`)
    const [comment] = await database.query(`select obj_description('"Everything"'::regclass) as text`)
    expect(comment?.['text']).toContain('a \\ backslash.')
    await database.drop()
  })
})
