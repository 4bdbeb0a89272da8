import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { postgresAvailability } from '@cadmus/testing/availability'
import { startPostgres, type PostgresServer } from '@cadmus/testing/postgres'
import { databaseScript, databaseStatements } from './script.ts'
import { hardModels } from './testing/hard-models.ts'
import { expected, foundInPostgres } from './testing/introspect.ts'

const { present, advice } = postgresAvailability()
const names = Object.keys(hardModels)

describe.skipIf(!present)(`PostgreSQL runs the scripts ${advice}`, () => {
  let server: PostgresServer

  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(() => server.stop())

  it.each(names)('%s: tables, columns, nullability and keys are the schema’s', async name => {
    const closure = hardModels[name]!()
    const database = await server.createDatabase()
    try {
      await database.execute(databaseScript(closure, 'postgresql', { applyAutoIncrement: true }).sql)
      const { schema } = databaseStatements(closure, 'postgresql', { applyAutoIncrement: true })
      expect(await foundInPostgres(statement => database.query(statement))).toEqual(expected(schema))
    } finally {
      await database.drop()
    }
  })

  it('means the same with standard_conforming_strings off', async () => {
    const database = await server.createDatabase()
    const { sql } = databaseScript(hardModels['data-types']!(), 'postgresql', { applyAutoIncrement: true })
    await database.execute(`SET standard_conforming_strings = off; SET backslash_quote = off;\n${sql}`)
    const [comment] = await database.query(`select obj_description('"Everything"'::regclass) as text`)
    expect(comment?.['text']).toContain('a \\ backslash.')
    await database.drop()
  })

  it('generates keys only when auto-increment is applied', async () => {
    const database = await server.createDatabase()
    await database.execute(
      databaseScript(hardModels['inheritance']!(), 'postgresql', { applyAutoIncrement: false }).sql,
    )
    const insert = database.query(`insert into "User" default values`)
    await expect(insert).rejects.toThrow(/null value in column "id"/)
    await database.drop()
  })
})
