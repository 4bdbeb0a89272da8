import { databaseScript } from '@cadmus/sql/script'
import { hardModels } from '@cadmus/sql/testing/hard-models'
import { findDump, mariadbAvailability, postgresAvailability } from '@cadmus/testing/availability'
import { dump } from '@cadmus/testing/dump'
import { startMariadb } from '@cadmus/testing/mariadb'
import { startPostgres } from '@cadmus/testing/postgres'
import { describe, it } from 'vitest'
import { expectSameTables } from '../testing/dumped-models.ts'
import { readSqlScripts } from './read.ts'

const options = { applyAutoIncrement: true }
const pgDump = findDump('pg_dump')
const models = Object.entries(hardModels)

describe.skipIf(!postgresAvailability().present || !pgDump)('reading pg_dump output of our schemas', () => {
  it.each(models)('pg_dump output is read to the same tables: %s', async (_, make) => {
    const server = await startPostgres()
    const database = await server.createDatabase()
    try {
      await database.execute(databaseScript(make(), 'postgresql', options).sql)
      const text = pgDump ? dump(pgDump, database.url) : ''
      expectSameTables(readSqlScripts(new Map([['dump.sql', text]])), make(), 'postgresql')
    } finally {
      await database.drop()
      await server.stop()
    }
  })
})

const mysqlDumps = [findDump('mariadb-dump'), findDump('mysqldump')].filter(program => program !== undefined)

describe.skipIf(!mariadbAvailability().present)('reading mariadb-dump output of our schemas', () => {
  describe.each(mysqlDumps)('with $name', program => {
    it.each(models)('mariadb-dump output is read to the same tables: %s', async (_, make) => {
      const server = await startMariadb()
      const database = await server.createDatabase()
      try {
        await database.execute(databaseScript(make(), 'mysql', options).sql)
        expectSameTables(readSqlScripts(new Map([['dump.sql', dump(program, database.url)]])), make(), 'mysql')
      } finally {
        await database.drop()
        await server.stop()
      }
    })
  })
})
