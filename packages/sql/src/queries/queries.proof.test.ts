import type { Operation, OperationResult, WireValue } from '@cadmus/model/api/operation'
import { arbitraryModel } from '@cadmus/model/testing/arbitrary-model'
import { seededRandom } from '@cadmus/model/testing/seeded-random'
import { proofCount, proofSeed, recordProof } from '@cadmus/testing/proof'
import { describe, expect, it } from 'vitest'
import { apiOf } from '../api-of.ts'
import { instanceSchemaOf } from '../instance-schema.ts'
import { runnerEngines, type RunnerEngine, type RunnerServer } from '../testing/engine-runners.ts'
import { arbitraryOperation, hasTotalOrder, type GeneratedOperation } from '../testing/naive/arbitrary-operations.ts'
import { naiveOf } from '../testing/naive/naive-of.ts'
import { evaluateRead, type Outcome } from '../testing/naive/reads.ts'
import { entityOf, type Naive } from '../testing/naive/state.ts'
import { evaluateWrite } from '../testing/naive/writes.ts'
import { packageOf } from '../testing/packages.ts'
import { outcomeOf } from '../testing/runners.ts'
import { compileApi } from './compile.ts'

const models = proofCount('queries', 7, 500)
const operations = proofCount('operations', 40, 105)
const seeds = Array.from({ length: models }, (_, index) => proofSeed() + index)

describe(`${operations} operations on each of ${models} packages`, () => {
  for (const [name, engine] of Object.entries(runnerEngines)) {
    const { present, advice } = engine.availability
    it.skipIf(!present)(`give the result of the reference implementation on ${name} ${advice}`, async () => {
      const start = performance.now()
      const server = await engine.start()
      let count = 0
      try {
        for (const seed of seeds) count += await provePackage(seed, engine, server)
      } finally {
        await server.stop()
      }
      expect(count).toBeGreaterThan(models * operations * 0.5)
      const counts = { packages: models, operations: count }
      recordProof({
        name: `Operations come to what they mean on ${name}`,
        counts,
        durationMs: performance.now() - start,
      })
    })
  }
})

async function provePackage(seed: number, { dialect }: RunnerEngine, server: RunnerServer): Promise<number> {
  const model = packageOf(arbitraryModel(seed, { size: 6 }), seed)
  const api = apiOf(model)
  const schema = instanceSchemaOf(model, dialect)
  const compiled = compileApi(api, schema, dialect)
  const naive = naiveOf(model, api, schema, dialect === 'hsql')
  if (naive.entities.size === 0 || hasNullDefault(naive)) return 0
  const runner = await server.open(compiled.session)
  const random = seededRandom(seed)
  let count = 0
  try {
    await runner.make(schema.statements)
    for (let index = 0; index < operations; index += 1) {
      const generated = arbitraryOperation(naive, random)
      if (!generated || isUnsettled(naive, generated)) continue
      // Runs each change once, every second one as written JSON.
      const { outcome, texts } = await outcomeOf(
        compiled,
        runner,
        generated.sent,
        generated.caller,
        !isRead(generated) && index % 2 > 0,
      )
      const expected = expectedOf(naive, generated, outcome)
      const place = `seed ${seed}, operation ${index}: ${short(JSON.stringify(generated.sent))}\n${short(texts.join('\n'))}`
      expect(comparable(naive, generated, sent(outcome)), `at ${place}`).toEqual(
        comparable(naive, generated, sent(expected)),
      )
      expect(texts.length, `at ${place}`).toBeLessThanOrEqual(maxStatements(dialect, generated.sent, outcome))
      const again = isRead(generated)
        ? await outcomeOf(compiled, runner, generated.sent, generated.caller, true)
        : { outcome: expected, texts: [] }
      expect(
        comparable(naive, generated, sent(again.outcome)),
        `written at ${place}\n${short(again.texts.join('\n'))}`,
      ).toEqual(comparable(naive, generated, sent(expected)))
      count += 1
    }
  } finally {
    await runner.close()
  }
  return count
}

/** The JSON value null is stored by a database but is a missing value on the wire. */
function hasNullDefault({ entities }: Naive): boolean {
  return [...entities.values()].some(({ fields }) =>
    fields.some(({ type, columnDefault }) => type.kind === 'json' && columnDefault?.value === 'null'),
  )
}

/**
 * A read is one statement if the database builds JSON. Nested relations may need the sizes of tables first; on SQLite
 * the totals of an empty page are read afterwards.
 */
function maxStatements(dialect: string, operation: Operation, outcome: Outcome): number {
  if (dialect !== 'postgresql' && dialect !== 'sqlite') return Infinity
  if (operation.kind !== 'selectAll' && operation.kind !== 'select') return Infinity
  const isNested = operation.select.relations.some(({ select }) => select.relations.length > 0)
  const isEmpty = 'kind' in outcome && outcome.kind === 'list' && outcome.records.length === 0
  return 1 + Number(isNested) + Number(isEmpty && dialect === 'sqlite')
}

function expectedOf(naive: Naive, { normalized, refused, caller }: GeneratedOperation, outcome: Outcome): Outcome {
  if (refused !== null) return { fault: { kind: 'invalid', message: refused } }
  if (normalized.kind !== 'insert' && normalized.kind !== 'update' && normalized.kind !== 'delete')
    return evaluateRead(naive, normalized, caller)
  const count = normalized.kind === 'insert' ? generatedKey(naive, normalized.entity, outcome) : null
  return evaluateWrite(naive, normalized, caller, count) ?? outcome
}

function isRead({ normalized: { kind } }: GeneratedOperation): boolean {
  return kind !== 'insert' && kind !== 'update' && kind !== 'delete'
}

/** As transferred: -0 does not exist in JSON. */
function sent(outcome: Outcome): Outcome {
  return JSON.parse(JSON.stringify(outcome))
}

/** Returns the generated key, which is unpredictable, after checking that no other record has it. */
function generatedKey(naive: Naive, name: string, outcome: Outcome): WireValue {
  const { api, rows } = entityOf(naive, name)
  const key = api.key.find(({ generated }) => generated)
  if (!key || 'fault' in outcome || outcome.kind !== 'record') return 1
  const count = outcome.record[key.name] ?? null
  expect(rows.map(({ values }) => values[key.name])).not.toContain(count)
  return count
}

/** Whether the outcome of a delete depends on when the database checks constraints. */
function isUnsettled(naive: Naive, { normalized, refused, caller }: GeneratedOperation): boolean {
  if (normalized.kind !== 'delete' || refused !== null) return false
  const copy = {
    ...naive,
    entities: new Map(
      [...naive.entities].map(([name, one]) => [
        name,
        { ...one, rows: one.rows.map(row => ({ ...row })), history: [...one.history] },
      ]),
    ),
  }
  return evaluateWrite(copy, normalized, caller, null) === undefined
}

/** Removes sequences and times, which the database chooses, and the order of indistinguishable records. */
function comparable(naive: Naive, { normalized }: GeneratedOperation, outcome: Outcome): unknown {
  if ('fault' in outcome || outcome.kind !== 'list') return outcome
  if (normalized.kind === 'history' || normalized.kind === 'changes') {
    const records = outcome.records.map(({ sequence: _sequence, changedAt: _changedAt, ...record }) => record)
    // The order of changes recorded with a record is not defined.
    return inAnyOrder({ ...outcome, records })
  }
  const entity = entityOf(naive, normalized.entity)
  return normalized.kind === 'selectAll' && !hasTotalOrder(entity) ? inAnyOrder(outcome) : outcome
}

function inAnyOrder(outcome: OperationResult & { kind: 'list' }): unknown {
  return { ...outcome, records: new Set(outcome.records) }
}

function short(text: string): string {
  return text.replace(/(.{2,20}?)\1{5,}/g, '$1…').slice(0, 3000)
}
