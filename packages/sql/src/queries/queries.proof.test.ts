import type { Operation, OperationResult, WireValue } from '@cadmus/model/api/operation'
import { arbitraryModel } from '@cadmus/model/testing/arbitrary-model'
import { seededRandom } from '@cadmus/model/testing/seeded-random'
import { proofCount, proofSeed, recordProof } from '@cadmus/testing/proof'
import { describe, expect, it } from 'vitest'
import { apiOf } from '../api-of.ts'
import { instanceSchemaOf } from '../instance-schema.ts'
import { runnerEngines, type RunnerEngine, type RunnerServer } from '../testing/engine-runners.ts'
import { arbitraryOperation, isSettled, type Asked } from '../testing/naive/arbitrary-operations.ts'
import { naiveOf } from '../testing/naive/naive-of.ts'
import { evaluateRead, type Outcome } from '../testing/naive/reads.ts'
import { entityOf, type Naive } from '../testing/naive/state.ts'
import { evaluateWrite } from '../testing/naive/writes.ts'
import { packageOf } from '../testing/packages.ts'
import { outcomeOf } from '../testing/runners.ts'
import { compileApi } from './compile.ts'

const models = proofCount('queries', 25, 500)
const operations = proofCount('operations', 40, 105)
const seeds = Array.from({ length: models }, (_, index) => proofSeed() + index)

describe(`${operations} operations on each of ${models} packages`, () => {
  for (const [name, engine] of Object.entries(runnerEngines)) {
    const { present, advice } = engine.availability
    it.skipIf(!present)(`come to what they mean on ${name} ${advice}`, async () => {
      const start = performance.now()
      const server = await engine.start()
      let made = 0
      try {
        for (const seed of seeds) made += await provePackage(seed, engine, server)
      } finally {
        await server.stop()
      }
      expect(made).toBeGreaterThan(models * operations * 0.5)
      const counts = { packages: models, operations: made }
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
  let made = 0
  try {
    await runner.make(schema.statements)
    for (let index = 0; index < operations; index += 1) {
      const asked = arbitraryOperation(naive, random)
      if (!asked || isUnsettled(naive, asked)) continue
      // Changes are made once, and written every other time.
      const { outcome, texts } = await outcomeOf(
        compiled,
        runner,
        asked.sent,
        asked.caller,
        !isRead(asked) && index % 2 > 0,
      )
      const expected = expectedOf(naive, asked, outcome)
      const place = `seed ${seed}, operation ${index}: ${short(JSON.stringify(asked.sent))}\n${short(texts.join('\n'))}`
      expect(comparable(naive, asked, sent(outcome)), `at ${place}`).toEqual(comparable(naive, asked, sent(expected)))
      expect(texts.length, `at ${place}`).toBeLessThanOrEqual(mostTexts(dialect, asked.sent, outcome))
      const again = isRead(asked)
        ? await outcomeOf(compiled, runner, asked.sent, asked.caller, true)
        : { outcome: expected, texts: [] }
      expect(
        comparable(naive, asked, sent(again.outcome)),
        `written at ${place}\n${short(again.texts.join('\n'))}`,
      ).toEqual(comparable(naive, asked, sent(expected)))
      made += 1
    }
  } finally {
    await runner.close()
  }
  return made
}

/** JSON's own null is a value to a database and none on the wire. */
function hasNullDefault({ entities }: Naive): boolean {
  return [...entities.values()].some(({ fields }) =>
    fields.some(({ type, columnDefault }) => type.kind === 'json' && columnDefault?.value === 'null'),
  )
}

/**
 * A read is one statement where the database builds JSON. Where it leads to records by way of others, the sizes of its tables may be asked for
 * before; on SQLite the totals of a page without records are asked for after it.
 */
function mostTexts(dialect: string, operation: Operation, outcome: Outcome): number {
  if (dialect !== 'postgresql' && dialect !== 'sqlite') return Infinity
  if (operation.kind !== 'selectAll' && operation.kind !== 'select') return Infinity
  const leadsFar = operation.select.relations.some(({ select }) => select.relations.length > 0)
  const isEmpty = 'kind' in outcome && outcome.kind === 'list' && outcome.records.length === 0
  return 1 + Number(leadsFar) + Number(isEmpty && dialect === 'sqlite')
}

function expectedOf(naive: Naive, { meant, refused, caller }: Asked, outcome: Outcome): Outcome {
  if (refused !== null) return { fault: { kind: 'invalid', message: refused } }
  if (meant.kind !== 'insert' && meant.kind !== 'update' && meant.kind !== 'delete')
    return evaluateRead(naive, meant, caller)
  const made = meant.kind === 'insert' ? generatedKey(naive, meant.entity, outcome) : null
  return evaluateWrite(naive, meant, caller, made) ?? outcome
}

function isRead({ meant: { kind } }: Asked): boolean {
  return kind !== 'insert' && kind !== 'update' && kind !== 'delete'
}

/** As it is on the wire, where -0 is none. */
function sent(outcome: Outcome): Outcome {
  return JSON.parse(JSON.stringify(outcome))
}

/** Nobody can foretell a generated key; that no other record has it is seen here. */
function generatedKey(naive: Naive, name: string, outcome: Outcome): WireValue {
  const { api, rows } = entityOf(naive, name)
  if (!api.key?.generated || 'fault' in outcome || outcome.kind !== 'record') return 1
  const made = outcome.record[api.key.name] ?? null
  expect(rows.map(({ values }) => values[api.key?.name ?? ''])).not.toContain(made)
  return made
}

/** A delete whose outcome depends on when the database checks. */
function isUnsettled(naive: Naive, { meant, refused, caller }: Asked): boolean {
  if (meant.kind !== 'delete' || refused !== null) return false
  const copy = {
    ...naive,
    entities: new Map(
      [...naive.entities].map(([name, one]) => [
        name,
        { ...one, rows: one.rows.map(row => ({ ...row })), history: [...one.history] },
      ]),
    ),
  }
  return evaluateWrite(copy, meant, caller, null) === undefined
}

/** Sequences and moments of changes are the database's; records that nothing tells apart come in any order. */
function comparable(naive: Naive, { meant }: Asked, outcome: Outcome): unknown {
  if ('fault' in outcome || outcome.kind !== 'list') return outcome
  if (meant.kind === 'history' || meant.kind === 'changes') {
    const records = outcome.records.map(({ sequence: _sequence, changedAt: _changedAt, ...record }) => record)
    // What goes with a record is told in the order in which it was met.
    return inAnyOrder({ ...outcome, records })
  }
  const entity = entityOf(naive, meant.entity)
  return meant.kind === 'selectAll' && !isSettled(entity) ? inAnyOrder(outcome) : outcome
}

function inAnyOrder(outcome: OperationResult & { kind: 'list' }): unknown {
  return { ...outcome, records: new Set(outcome.records) }
}

function short(text: string): string {
  return text.replace(/(.{2,20}?)\1{5,}/g, '$1…').slice(0, 3000)
}
