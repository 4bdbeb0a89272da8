import type { Closure } from '@cadmus/model/closure'
import type { DatabaseType } from '@cadmus/model/database-types'
import { databaseScript, databaseStatements } from '@cadmus/sql/script'
import { mssqlForH2, oracleForH2 } from '@cadmus/sql/testing/adapted-to-h2'
import { engines, type Engine } from '@cadmus/sql/testing/engines'
import { expected } from '@cadmus/sql/testing/introspect'
import { h2Availability } from '@cadmus/testing/availability'
import { startH2 } from '@cadmus/testing/h2'
import { judgeScript } from '@cadmus/testing/parsers'
import { describe, expect, it } from 'vitest'

// For tests only: the schemas of what was read, proven on every engine that can be had.

const options = { applyAutoIncrement: true }
const standIns = {
  oracle: { mode: 'Oracle', adapted: oracleForH2 },
  mssql: { mode: 'MSSQLServer', adapted: mssqlForH2 },
} as const
const patience = 120_000

/**
 * Tests that the scripts of the closures run on PostgreSQL, MariaDB in its modes and HSQLDB, and that these then have the tables,
 * columns and keys of the schema; and that for Oracle and SQL Server a parser and H2 refuse nothing.
 */
export function describeScripts(what: string, closures: () => readonly Closure[]): void {
  describe(`Issue 2, steps 3 to 5: the schemas of ${what}`, () => {
    for (const type of ['postgresql', 'mysql', 'hsql'] as const) {
      for (const [name, engine] of Object.entries<Engine>(engines[type])) {
        const { present, advice } = engine.availability
        it.skipIf(!present)(
          `run on ${name}, which then has their tables, columns and keys ${advice}`,
          { timeout: patience },
          () => expectToRun(closures(), type, engine),
        )
      }
    }
    for (const type of ['oracle', 'mssql'] as const) {
      it(`are nothing that a parser refuses for ${type}`, { timeout: patience }, () => {
        for (const closure of closures())
          expect(judgeScript(databaseScript(closure, type, options).sql, type)).toEqual([])
      })
      const { present, advice } = h2Availability()
      it.skipIf(!present)(
        `run on H2 in the mode of ${type} ${advice}`,
        () => expectToRunOnH2(closures(), type),
        patience,
      )
    }
  })
}

async function expectToRun(closures: readonly Closure[], type: DatabaseType, engine: Engine): Promise<void> {
  const server = await engine.start()
  try {
    for (const closure of closures) {
      const database = await server.createDatabase()
      await database.execute(databaseScript(closure, type, options).sql)
      const { schema } = databaseStatements(closure, type, options)
      const { name } = closure.root
      expect({ name, ...(await engine.found(statement => database.query(statement))) }).toEqual({
        name,
        ...expected(schema),
      })
      await database.drop()
    }
  } finally {
    await server.stop()
  }
}

async function expectToRunOnH2(closures: readonly Closure[], type: 'oracle' | 'mssql'): Promise<void> {
  const { mode, adapted } = standIns[type]
  const engine = startH2(mode)
  try {
    for (const closure of closures) {
      const database = await engine.createDatabase()
      await expect(database.execute(adapted(databaseScript(closure, type, options).sql))).resolves.toBeUndefined()
      await database.drop()
    }
  } finally {
    await engine.stop()
  }
}
