import { arbitraryModel } from '@cadmus/model/testing/arbitrary-model'
import { seededRandom } from '@cadmus/model/testing/seeded-random'
import { checkScript } from '@cadmus/testing/parsers'
import { proofCount, proofSeed, recordProof } from '@cadmus/testing/proof'
import { describe, expect, it } from 'vitest'
import { apiOf } from '../api-of.ts'
import { instanceSchemaOf } from '../instance-schema.ts'
import { arbitraryOperation } from '../testing/naive/arbitrary-operations.ts'
import { naiveOf } from '../testing/naive/naive-of.ts'
import { packageOf } from '../testing/packages.ts'
import { compileApi } from './compile.ts'
import { PlanFault, type Plan } from './plan.ts'

const models = proofCount('judged', 10, 500)
const operations = 40

// Neither database can be started here, so their parsers check the statements.
describe(`Statements of ${operations} operations on each of ${models} packages`, () => {
  it.each(['oracle', 'mssql'] as const)('pass the parser for %s', dialect => {
    const start = performance.now()
    let checked = 0
    for (let index = 0; index < models; index += 1) {
      const texts = textsOf(proofSeed() + index, dialect)
      for (const text of texts) expect(checkScript(text, dialect), `seed ${proofSeed() + index}`).toEqual([])
      checked += texts.size
    }
    expect(checked).toBeGreaterThan(models * 10)
    const counts = { packages: models, statements: checked }
    recordProof({ name: `Queries pass the parser for ${dialect}`, counts, durationMs: performance.now() - start })
  })
})

function textsOf(seed: number, dialect: 'oracle' | 'mssql'): ReadonlySet<string> {
  const model = packageOf(arbitraryModel(seed, { size: 6 }), seed)
  const api = apiOf(model)
  const schema = instanceSchemaOf(model, dialect)
  const compiled = compileApi(api, schema, dialect)
  const naive = naiveOf(model, api, schema, false)
  const random = seededRandom(seed)
  const texts = new Set<string>()
  if (naive.entities.size === 0) return texts
  for (let index = 0; index < operations; index += 1) {
    const operation = arbitraryOperation(naive, random)
    if (operation && operation.refused === null) collect(() => compiled.plan(operation.sent, operation.caller), texts)
  }
  return texts
}

/** Answers every statement with a row of ones, so that plans run to their end. */
function collect(plan: () => Plan, texts: Set<string>): void {
  try {
    const { steps } = plan()
    let step = steps.next([])
    while (!step.done) {
      // The parser rejects the INTO clause of Oracle; exact texts are tested elsewhere.
      texts.add(step.value.text.replace(/ INTO :\d+$/, ''))
      step = steps.next([Array.from({ length: 100 }, () => '1')])
    }
  } catch (error) {
    // The row of ones may not fit a field.
    if (!(error instanceof PlanFault)) throw error
  }
}
