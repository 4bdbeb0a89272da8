import type { ResolvedModel } from '@cadmus/model/resolved-model'
import type { DatabaseType } from '@cadmus/model/database-types'
import { databaseScript, databaseStatements } from '@cadmus/sql/script'
import { mssqlForH2, oracleForH2 } from '@cadmus/sql/testing/h2-scripts'
import { engines, type Engine } from '@cadmus/sql/testing/engines'
import { expected } from '@cadmus/sql/testing/introspect'
import { h2Availability } from '@cadmus/testing/availability'
import { startH2 } from '@cadmus/testing/h2'
import { checkScript } from '@cadmus/testing/parsers'
import { isProving } from '@cadmus/testing/proof'
import { describe, expect, it } from 'vitest'

// Test helper: runs the scripts of schemas on all available engines.

const applied = { applyAutoIncrement: true }
const standIns = {
  oracle: { mode: 'Oracle', adapted: oracleForH2 },
  mssql: { mode: 'MSSQLServer', adapted: mssqlForH2 },
} as const
// A busy machine needs seconds per hundred tables.
const options = { timeout: 600_000 }

/**
 * Declares tests: the scripts run on PostgreSQL, MariaDB in its modes and HSQLDB and give the tables, columns and
 * keys of the schema; for Oracle and SQL Server, a parser and H2 accept them. `done` is called for each engine.
 */
export function describeScripts(
  what: string,
  resolvedModels: () => readonly ResolvedModel[],
  done: (engine: string, resolvedModels: readonly ResolvedModel[], milliseconds: number) => void = () => {},
): void {
  describe(`the scripts of ${what}`, () => {
    for (const type of ['postgresql', 'mysql', 'hsql'] as const) {
      const all = Object.entries<Engine>(engines[type])
      // Server modes are tested with other models; real models add nothing to that.
      for (const [name, engine] of isProving() ? all : all.slice(0, 1)) {
        const { present, advice } = engine.availability
        it.skipIf(!present)(`the scripts create their tables, columns and keys on ${name} ${advice}`, options, () =>
          timed(name, all => expectToRun(all, type, engine)),
        )
      }
    }
    for (const type of ['oracle', 'mssql'] as const) {
      const { present, advice } = h2Availability()
      it(`the scripts are accepted by a parser for ${type}`, options, () =>
        timed(`the parser for ${type}`, async all => expectToBeAccepted(all, type)),
      )
      it.skipIf(!present)(`the scripts run on H2 in the mode of ${type} ${advice}`, options, () =>
        timed(`H2 as ${type}`, all => expectToRunOnH2(all, type)),
      )
    }
  })

  async function timed(engine: string, prove: (all: readonly ResolvedModel[]) => Promise<void>): Promise<void> {
    const all = resolvedModels()
    expect(all).not.toEqual([])
    const start = performance.now()
    await prove(all)
    done(engine, all, performance.now() - start)
  }
}

function expectToBeAccepted(resolvedModels: readonly ResolvedModel[], type: 'oracle' | 'mssql'): void {
  for (const resolvedModel of resolvedModels)
    expect(checkScript(databaseScript(resolvedModel, type, applied).sql, type)).toEqual([])
}

async function expectToRun(
  resolvedModels: readonly ResolvedModel[],
  type: DatabaseType,
  engine: Engine,
): Promise<void> {
  const server = await engine.start()
  try {
    for (const resolvedModel of resolvedModels) {
      const database = await server.createDatabase()
      await database.execute(databaseScript(resolvedModel, type, applied).sql)
      const { schema } = databaseStatements(resolvedModel, type, applied)
      const { name } = resolvedModel.root
      expect({ name, ...(await engine.introspect(statement => database.query(statement))) }).toEqual({
        name,
        ...expected(schema),
      })
      await database.drop()
    }
  } finally {
    await server.stop()
  }
}

async function expectToRunOnH2(resolvedModels: readonly ResolvedModel[], type: 'oracle' | 'mssql'): Promise<void> {
  const { mode, adapted } = standIns[type]
  const engine = startH2(mode)
  try {
    for (const resolvedModel of resolvedModels) {
      const database = await engine.createDatabase()
      await expect(database.execute(adapted(databaseScript(resolvedModel, type, applied).sql))).resolves.toBeUndefined()
      await database.drop()
    }
  } finally {
    await engine.stop()
  }
}
