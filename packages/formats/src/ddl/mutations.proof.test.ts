import { entityAttributeSchema } from '@cadmus/model/entity-attribute'
import { typeAttributeSchema } from '@cadmus/model/type-attribute'
import { arbitraryModel } from '@cadmus/model/testing/arbitrary-model'
import { scriptDatabases } from '@cadmus/sql/databases'
import { databaseScript, databaseStatements } from '@cadmus/sql/script'
import { hardModels } from '@cadmus/sql/testing/hard-models'
import { processorTime } from '@cadmus/testing/processor-time'
import { proofCount, proofSeed, recordProof } from '@cadmus/testing/proof'
import { expect, it } from 'vitest'
import { ImportError } from '../import-error.ts'
import { generatorScript } from '../testing/mssql-generator.ts'
import { mutateBytes, randomFrom, type Random } from '../testing/mutations.ts'
import { mutateScript } from '../testing/sql-mutations.ts'
import { placedModel } from '../placed-model.ts'
import { readSqlScripts } from './read.ts'

const options = { applyAutoIncrement: true }
const longest = 5_000

it('reading a mutated SQL script gives a model or an ImportError in bounded time', () => {
  const count = proofCount('sql_mutations', 1_000, 100_000)
  const random = randomFrom(proofSeed())
  const scripts = validScripts()
  const outcomes = { read: 0, refused: 0, refusedByLexer: 0 }
  const started = performance.now()
  let slowest = 0
  for (let run = 0; run < count; run += 1) {
    const mutated = mutation(scripts[random(scripts.length)] ?? '', random)
    const before = processorTime()
    outcomes[outcomeOf(mutated, run)] += 1
    slowest = Math.max(slowest, processorTime() - before)
  }
  expect(slowest).toBeLessThan(longest)
  // Guard against a vacuous proof: enough scripts must be read, and enough refused by the parser.
  expect(outcomes.read).toBeGreaterThan(count / 5)
  expect(outcomes.refused).toBeGreaterThan(count / 20)
  expect(outcomes.read + outcomes.refused).toBeGreaterThan(count * 0.3)
  recordProof({
    name: 'A mutated SQL script is read or refused by ImportError, never anything else',
    counts: { mutations: count, ...outcomes, slowestMs: Math.round(slowest) },
    durationMs: performance.now() - started,
  })
})

/** Our own scripts for every database, and the output of SQL Server's generator. */
function validScripts(): string[] {
  const models = [hardModels['data-types'], hardModels['references'], hardModels['names'], () => arbitraryModel(7)]
  return models.flatMap(make => {
    if (!make) return []
    const own = scriptDatabases.map(type => databaseScript(make(), type, options).sql)
    return [...own, generatorScript(databaseStatements(make(), 'mssql', options).schema)]
  })
}

function mutation(script: string, random: Random): string | Uint8Array {
  return random(15) === 0 ? mutateBytes(new TextEncoder().encode(script), random) : mutateScript(script, random)
}

function outcomeOf(script: string | Uint8Array, run: number): 'read' | 'refused' | 'refusedByLexer' {
  try {
    const model = readSqlScripts(new Map([['Shop.sql', script]]))
    // The result must be cloneable between threads, reference only its own contents and hold only values that the
    // store accepts.
    placedModel(structuredClone(model))
    for (const { typeAttributes, entityAttributes } of model.entities) {
      typeAttributes.forEach(attribute => typeAttributeSchema.parse(attribute))
      entityAttributes.forEach(attribute => entityAttributeSchema.parse(attribute))
    }
    return 'read'
  } catch (error) {
    if (!(error instanceof ImportError))
      throw new Error(`Seed ${proofSeed()}, run ${run}: another error.`, { cause: error })
    return error.code === 'not-text' || error.message.endsWith('does not end.') ? 'refusedByLexer' : 'refused'
  }
}
