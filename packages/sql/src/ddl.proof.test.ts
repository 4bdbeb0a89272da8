import { databaseTypes, type DatabaseType } from '@cadmus/model/database-types'
import type { Closure } from '@cadmus/model/closure'
import { arbitraryModel } from '@cadmus/model/testing/arbitrary-model'
import { h2Availability } from '@cadmus/testing/availability'
import { startH2 } from '@cadmus/testing/h2'
import { judgeScript } from '@cadmus/testing/parsers'
import { isProving, proofCount, proofSeed, recordProof } from '@cadmus/testing/proof'
import { describe, expect, it } from 'vitest'
import { databaseScript, databaseStatements } from './script.ts'
import { mssqlForH2, oracleForH2 } from './testing/adapted-to-h2.ts'
import { engines, type Engine } from './testing/engines.ts'
import { expected } from './testing/introspect.ts'
import { largeModel } from './testing/large-model.ts'

const count = proofCount('ddl', 25, 500)
const seeds = Array.from({ length: count }, (_, index) => proofSeed() + index)
const options = { applyAutoIncrement: true }

describe(`The schemas of ${count} models that nobody would draw`, () => {
  for (const type of ['postgresql', 'mysql', 'hsql'] as const) {
    for (const [name, engine] of Object.entries<Engine>(engines[type])) {
      const { present, advice } = engine.availability
      it.skipIf(!present)(`run on ${name} and are there as written ${advice}`, async () => {
        expect(await proveOnEngine(type, name, engine)).toBe(count)
      })
    }
  }

  it.each(['oracle', 'mssql'] as const)('are nothing that a parser refuses for %s', type => {
    const start = performance.now()
    for (const seed of seeds) {
      const problems = judgeScript(databaseScript(arbitraryModel(seed), type, options).sql, type)
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

// Half a second where other tests run beside it: what this catches grows with the square of the model.
const patience = isProving() ? 100 : 500

it.each(databaseTypes)(
  `1,000 entities with 20,000 attributes and 3,000 relationships are written in ${patience} ms for %s`,
  type => {
    const closure = largeModel()
    const best = bestTime(closure, type)
    expect(best).toBeLessThan(patience)
    const counts = { entities: 1000, typeAttributes: 20_000, relationships: 3000, milliseconds: Math.round(best) }
    recordProof({ name: `The schema of a large model is written for ${type}`, counts, durationMs: best * 10 })
  },
)

/** Runs every script on the engine and compares what it then has with the schema; answers how many did. */
async function proveOnEngine(type: DatabaseType, name: string, engine: Engine): Promise<number> {
  const start = performance.now()
  const server = await engine.start()
  let tables = 0
  let models = 0
  try {
    for (const seed of seeds) {
      const { schema } = databaseStatements(arbitraryModel(seed), type, options)
      const database = await server.createDatabase()
      try {
        await database.execute(databaseScript(arbitraryModel(seed), type, options).sql)
        expect(await engine.found(statement => database.query(statement)), `seed ${seed}`).toEqual(expected(schema))
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

/** Milliseconds for the script of a large model, the best of several runs: other work on the machine only adds. */
function bestTime(closure: Closure, type: DatabaseType): number {
  const times = Array.from({ length: 10 }, () => {
    const start = performance.now()
    databaseScript(closure, type, options)
    return performance.now() - start
  })
  return Math.min(...times)
}

async function proveOnH2(type: 'oracle' | 'mssql'): Promise<void> {
  const start = performance.now()
  const engine = startH2(type === 'oracle' ? 'Oracle' : 'MSSQLServer')
  try {
    for (const seed of seeds) {
      const { sql } = databaseScript(arbitraryModel(seed), type, options)
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
