import { arbitraryModel } from '@cadmus/model/testing/arbitrary-model'
import { databaseScript, databaseStatements } from '@cadmus/sql/script'
import { findDump, mariadbAvailability, postgresAvailability, type DumpProgram } from '@cadmus/testing/availability'
import { dump } from '@cadmus/testing/dump'
import { startMariadb } from '@cadmus/testing/mariadb'
import { startPostgres } from '@cadmus/testing/postgres'
import { proofCount, proofSeed, recordProof } from '@cadmus/testing/proof'
import { expect, it } from 'vitest'
import { expectSameTables } from '../testing/dumped-models.ts'
import { readSqlScripts } from './read.ts'

const count = proofCount('sql_dumps', 4, 500)
const options = { applyAutoIncrement: true }

type Database = { url: string; execute(script: string): Promise<unknown>; drop(): Promise<void> }
type Server = { createDatabase(): Promise<Database>; stop(): Promise<void> }

/**
 * Creates each schema on the server, dumps it with the server's tool and reads the dump. Returns the number of equal
 * schemas.
 */
async function prove(program: DumpProgram, type: 'postgresql' | 'mysql', server: Server): Promise<number> {
  const started = performance.now()
  let models = 0
  try {
    for (let seed = proofSeed(); seed < proofSeed() + count; seed += 1) {
      models += 1
      const resolvedModel = arbitraryModel(seed)
      if (databaseStatements(resolvedModel, type, options).schema.tables.length === 0) continue
      const database = await server.createDatabase()
      await database.execute(databaseScript(resolvedModel, type, options).sql)
      const text = dump(program, database.url)
      await database.drop()
      expectSameTables(readSqlScripts(new Map([['dump.sql', text]])), resolvedModel, type, `seed ${seed}`)
    }
  } finally {
    await server.stop()
  }
  recordProof({
    name: `What ${program.name} writes of generated schemas is read to the same tables`,
    counts: { models },
    durationMs: performance.now() - started,
  })
  return models
}

const [pgDump, mariadbDump] = [findDump('pg_dump'), findDump('mariadb-dump')]

it.skipIf(!postgresAvailability().present || !pgDump)(
  'pg_dump output of generated schemas is read to the same tables',
  async () => {
    expect(pgDump && (await prove(pgDump, 'postgresql', await startPostgres()))).toBe(count)
  },
)

it.skipIf(!mariadbAvailability().present || !mariadbDump)(
  'mariadb-dump output of generated schemas is read to the same tables',
  async () => {
    expect(mariadbDump && (await prove(mariadbDump, 'mysql', await startMariadb()))).toBe(count)
  },
)
