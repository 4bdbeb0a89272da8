import type { DatabaseType } from '@cadmus/model/database-types'
import { executedOn } from '@cadmus/model/sql-export'
import { arbitraryModel } from '@cadmus/model/testing/arbitrary-model'
import { h2Availability } from '@cadmus/testing/availability'
import { startH2 } from '@cadmus/testing/h2'
import { checkScript } from '@cadmus/testing/parsers'
import { proofCount, proofSeed, recordProof } from '@cadmus/testing/proof'
import { describe, expect, it } from 'vitest'
import { databaseScript, databaseStatements } from './script.ts'
import { singleOptions } from './testing/single-options.ts'
import { mssqlForH2, oracleForH2 } from './testing/h2-scripts.ts'
import { engines, type Engine } from './testing/engines.ts'
import { expected } from './testing/introspect.ts'

const count = proofCount('ddl', 5, 500)
const seeds = Array.from({ length: count }, (_, index) => proofSeed() + index)
const options = { applyAutoIncrement: true }
const modelOf = (seed: number) => arbitraryModel(seed, { crowds: true })

describe(`Schemas of ${count} generated models`, () => {
  for (const type of ['postgresql', 'mysql', 'hsql'] as const) {
    for (const [name, engine] of Object.entries<Engine>(engines[type])) {
      const { present, advice } = engine.availability
      it.skipIf(!present)(`run on ${name} and give the expected tables ${advice}`, async () => {
        expect(await proveOnEngine(type, name, engine)).toBe(count)
      })
    }
  }

  for (const type of ['postgresql', 'mysql', 'hsql'] as const) {
    // Server modes make no difference to options.
    for (const [name, engine] of Object.entries<Engine>(engines[type]).slice(0, 1)) {
      const { present, advice } = engine.availability
      it.skipIf(!present)(`run with pairs of options on ${name} ${advice}`, async () => {
        expect(await provePairs(type, name, engine)).toBeGreaterThan(0)
      })
    }
  }

  it.each(['oracle', 'mssql'] as const)('pass the parser for %s', type => {
    const start = performance.now()
    for (const seed of seeds) {
      const problems = checkScript(databaseScript(modelOf(seed), type, options).sql, type)
      expect(problems, `seed ${seed}`).toEqual([])
    }
    recordProof({
      name: `Generated schemas pass the parser for ${type}`,
      counts: { models: count },
      durationMs: performance.now() - start,
    })
  })

  const h2 = h2Availability()
  it.skipIf(!h2.present).each(['oracle', 'mssql'] as const)(`run on H2 in the mode of %s ${h2.advice}`, proveOnH2)
})

/** Runs every script on the engine and compares its tables with the schema; returns the number of models. */
async function proveOnEngine(type: DatabaseType, name: string, engine: Engine): Promise<number> {
  const start = performance.now()
  const server = await engine.start()
  let tables = 0
  let models = 0
  try {
    for (const seed of seeds) {
      const { schema } = databaseStatements(modelOf(seed), type, options)
      const database = await server.createDatabase()
      try {
        await database.execute(databaseScript(modelOf(seed), type, options).sql)
        expect(await engine.introspect(statement => database.query(statement)), `seed ${seed}`).toEqual(
          expected(schema),
        )
      } catch (error) {
        throw new Error(`Seed ${seed} on ${name}`, { cause: error })
      } finally {
        await database.drop()
      }
      tables += schema.tables.length
      models += 1
    }
  } finally {
    await server.stop()
  }
  const durationMs = performance.now() - start
  recordProof({
    name: `Generated schemas run on ${name} and are there as written`,
    counts: { models, tables },
    durationMs,
  })
  return models
}

/** A pair of options for each model; full proofs have each pair several times. Returns the number of models. */
async function provePairs(type: DatabaseType, name: string, engine: Engine): Promise<number> {
  const start = performance.now()
  const runs = proofCount('ddl_options', 3, 500)
  const single = singleOptions(type).flatMap(([, given]) =>
    given.schema === undefined && executedOn(type, given) !== null ? [given] : [],
  )
  const pairs = single.flatMap((one, at) => single.slice(at + 1).map(other => ({ ...other, ...one })))
  const server = await engine.start()
  try {
    for (let run = 0; run < runs; run += 1) {
      const seed = proofSeed() + run
      const sqlExport = pairs[(run * 7919) % pairs.length] ?? {}
      const { schema } = databaseStatements(modelOf(seed), type, { ...options, sqlExport })
      const database = await server.createDatabase()
      await database.execute(databaseScript(modelOf(seed), type, { ...options, sqlExport }).sql)
      const tables = await engine.introspect(statement => database.query(statement))
      expect(tables, `seed ${seed} with ${JSON.stringify(sqlExport)}`).toEqual(expected(schema))
      await database.drop()
    }
  } finally {
    await server.stop()
  }
  recordProof({
    name: `Generated schemas with pairs of options run on ${name}`,
    counts: { models: runs, pairs: Math.min(runs, pairs.length) },
    durationMs: performance.now() - start,
  })
  return runs
}

async function proveOnH2(type: 'oracle' | 'mssql'): Promise<void> {
  const start = performance.now()
  const engine = startH2(type === 'oracle' ? 'Oracle' : 'MSSQLServer')
  try {
    for (const seed of seeds) {
      const { sql } = databaseScript(modelOf(seed), type, options)
      const database = await engine.createDatabase()
      const run = database.execute(type === 'oracle' ? oracleForH2(sql) : mssqlForH2(sql))
      await expect(run, `seed ${seed}`).resolves.toBeUndefined()
      await database.drop()
    }
  } finally {
    await engine.stop()
  }
  recordProof({
    name: `Generated schemas run on H2 as ${type}`,
    counts: { models: count },
    durationMs: performance.now() - start,
  })
}
