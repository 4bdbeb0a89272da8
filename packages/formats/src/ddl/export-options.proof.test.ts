import { arbitraryModel } from '@cadmus/model/testing/arbitrary-model'
import { scriptDatabases } from '@cadmus/sql/databases'
import { singleOptions } from '@cadmus/sql/testing/single-options'
import { proofCount, proofSeed, recordProof } from '@cadmus/testing/proof'
import { expect, it } from 'vitest'
import { expectSameAgain } from '../testing/option-round-trip.ts'

it.each(scriptDatabases)('Generated models are the same after an export with each option and its import: %s', type => {
  const options = singleOptions(type)
  const count = proofCount('sql_options', options.length, 500)
  const started = performance.now()
  let tables = 0
  for (let run = 0; run < count; run += 1) {
    const seed = proofSeed() + run
    const [name, sqlExport] = options[run % options.length] ?? ['', {}]
    try {
      tables += expectSameAgain(arbitraryModel(seed, { crowds: true }), type, sqlExport, run % 2 === 0)
    } catch (error) {
      throw new Error(`Seed ${seed} with ${name}`, { cause: error })
    }
  }
  expect(tables).toBeGreaterThan(0)
  recordProof({
    name: `Generated ${type} scripts with each option are read back to their schema`,
    counts: { models: count, values: options.length, tables },
    durationMs: performance.now() - started,
  })
})
