import { arbitraryModel } from '@cadmus/model/testing/arbitrary-model'
import { seededRandom } from '@cadmus/model/testing/seeded-random'
import { judgeScript } from '@cadmus/testing/parsers'
import { proofCount, proofSeed, recordProof } from '@cadmus/testing/proof'
import { describe, expect, it } from 'vitest'
import { apiOf } from '../api-of.ts'
import { instanceSchemaOf } from '../instance-schema.ts'
import { arbitraryOperation } from '../testing/naive/arbitrary-operations.ts'
import { naiveOf } from '../testing/naive/naive-of.ts'
import { packageOf } from '../testing/packages.ts'
import { compileApi } from './compile.ts'
import { PlanFault, type Plan } from './plan.ts'

const models = proofCount('judged', 25, 500)
const operations = 40

// Neither database can be started here: their parser says whether they would read what they are sent.
describe(`The statements of ${operations} operations on each of ${models} packages`, () => {
  it.each(['oracle', 'mssql'] as const)('are nothing that a parser refuses for %s', dialect => {
    const start = performance.now()
    let judged = 0
    for (let index = 0; index < models; index += 1) {
      const texts = textsOf(proofSeed() + index, dialect)
      for (const text of texts) expect(judgeScript(text, dialect), `seed ${proofSeed() + index}`).toEqual([])
      judged += texts.size
    }
    expect(judged).toBeGreaterThan(models * 10)
    const counts = { packages: models, statements: judged }
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
    const asked = arbitraryOperation(naive, random)
    if (asked && asked.refused === null) collect(() => compiled.plan(asked.sent, asked.caller), texts)
  }
  return texts
}

/** Whatever is asked is answered by one row of ones, so that plans go on to their end. */
function collect(plan: () => Plan, texts: Set<string>): void {
  try {
    const { steps } = plan()
    let step = steps.next([])
    while (!step.done) {
      // The parser does not know where Oracle puts what is returned; the literal texts do.
      texts.add(step.value.text.replace(/ INTO :\d+$/, ''))
      step = steps.next([Array.from({ length: 100 }, () => '1')])
    }
  } catch (error) {
    // A value that the row answers may be none of its field.
    if (!(error instanceof PlanFault)) throw error
  }
}
