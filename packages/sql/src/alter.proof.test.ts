import type { EntityNode } from '@cadmus/model/entity'
import { arbitraryModel } from '@cadmus/model/testing/arbitrary-model'
import { changingModel, closureIn, modelChanges } from '@cadmus/model/testing/arbitrary-changes'
import { aClosure, aKey, aList, anEntity, aTypeAttribute } from '@cadmus/model/testing/builders'
import { seededRandom } from '@cadmus/model/testing/seeded-random'
import type { TypeAttribute } from '@cadmus/model/type-attribute'
import { proofCount, proofSeed, recordProof } from '@cadmus/testing/proof'
import { describe, expect, it } from 'vitest'
import { alterable, type Alteration, alterationOf } from './alter.ts'
import { instanceDialects } from './instance-dialects.ts'
import { instanceSchemaOf, type InstanceSchema } from './instance-schema.ts'
import { madeObjects } from './testing/made-objects.ts'
import { fill, keptRows } from './testing/filled-tables.ts'
import { packageOf } from './testing/packages.ts'
import { runnerEngines } from './testing/engine-runners.ts'
import type { Runner } from './testing/runners.ts'

const count = proofCount('alter', 25, 500)
const names = { sqlite: 'SQLite', postgresql: 'PostgreSQL' } as const

describe(`Tables of ${count} models that become those of changed ones`, () => {
  for (const dialect of alterable) {
    const engine = runnerEngines[names[dialect]]
    const { present = false, advice = '' } = engine?.availability ?? {}
    it.skipIf(!present)(`are as if made anew, with the records in them, on ${names[dialect]} ${advice}`, async () => {
      const began = performance.now()
      const server = await engine?.start()
      if (!server) return
      const counts = { models: 0, changed: 0, records: 0, refused: 0, takenBack: 0 }
      const named = pairsNamedLikeSequences(dialect)
      for (let seed = proofSeed(); counts.models < count; seed += 1) {
        const pair = named.pop() ?? pairOf(seed, dialect)
        if (pair === null) continue
        const [changed, fresh] = [await server.open([]), await server.open([])]
        try {
          await fresh.make(pair.after.statements)
          const outcome = await prove(pair, dialect, changed, fresh)
          counts.models += 1
          counts.records += outcome.records
          counts[outcome.end] += 1
        } catch (error) {
          throw new Error(`Seed ${seed}`, { cause: error })
        } finally {
          await changed.close()
          await fresh.close()
        }
      }
      await server.stop()
      expect(counts.changed).toBeGreaterThan(count / 3)
      expect(counts.records).toBeGreaterThan(count)
      recordProof({
        name: `Tables of one model become those of another with their records on ${names[dialect]}`,
        counts,
        durationMs: performance.now() - began,
      })
    })
  }
})

type Pair = { before: InstanceSchema; after: InstanceSchema }
type Dialect = (typeof alterable)[number]

/** A model and what some changes made of it; null where one of them has no tables. */
function pairOf(seed: number, dialect: Dialect): Pair | null {
  const random = seededRandom(seed)
  const closure = arbitraryModel(seed)
  const model = changingModel(closure)
  try {
    const before = instanceSchemaOf(packageOf(closure, seed), dialect)
    for (let step = random.between(1, 6); step > 0; step -= 1) random.pick(modelChanges)(model, random)
    const options = random.chance(0.6) ? seed : seed + 1
    return { before, after: instanceSchemaOf(packageOf(closureIn(model), options), dialect) }
  } catch {
    return null
  }
}

/** PostgreSQL calls sequences itself: a table of such a name comes, and goes, beside one that changes and one that does not. */
function pairsNamedLikeSequences(dialect: Dialect): Pair[] {
  const schemaOf = (entities: readonly EntityNode[]) => instanceSchemaOf(packageOf(aClosure(entities), 1), dialect)
  const named = (name: string, ...more: readonly TypeAttribute[]) =>
    anEntity({ name, uid: `uid of ${name}`, typeAttributes: aList({ ...aKey(), uid: `key of ${name}` }, ...more) })
  const more = aTypeAttribute({ name: 'name', nullable: true })
  const [few, all] = [
    [named('one'), named('two')],
    [named('one', more), named('two'), named('one_id_seq'), named('two_id_seq')],
  ]
  const [before, after] = [schemaOf(few), schemaOf(all)]
  return [
    { before, after },
    { before: after, after: before },
  ]
}

async function prove({ before, after }: Pair, dialectName: Dialect, changed: Runner, fresh: Runner) {
  const dialect = instanceDialects[dialectName]
  await changed.make(before.statements)
  const records = await fill(changed, before.schema, dialect)
  const objects = await madeObjects(changed, dialectName)
  const kept = keptRows(changed, before.schema, after.schema, dialect)
  const old = await kept.before()
  const alteration = alterationOf(before.schema, after.schema, dialectName)
  const end = await altered(changed, alteration, dialectName)
  // What the records stand in the way of, and nothing else.
  expect(end).toMatch(/^changed$|^refused$|constraint|too long|out of range|overflow|could not create unique/i)
  const isChanged = end === 'changed'
  expect(await madeObjects(changed, dialectName)).toEqual(isChanged ? await madeObjects(fresh, dialectName) : objects)
  expect(await (isChanged ? kept.after() : kept.before())).toEqual(old)
  return {
    records,
    end: isChanged ? ('changed' as const) : end === 'refused' ? ('refused' as const) : ('takenBack' as const),
  }
}

/** As the instance does it. Answers what the database said where it took all back. */
async function altered(changed: Runner, alteration: Alteration, dialect: Dialect): Promise<string> {
  const { statements, locks, refusals } = alteration
  if (dialect === 'sqlite') await changed.make(['PRAGMA foreign_keys = OFF'])
  await changed.begin()
  try {
    await changed.make(locks)
    for (const { query } of refusals) {
      if ((await rowsOf(changed, query)).length > 0) {
        await changed.rollback()
        return 'refused'
      }
    }
    await changed.make(statements)
    if (dialect === 'sqlite') await checkForeignKeys(changed)
    await changed.commit()
    return 'changed'
  } catch (error) {
    await changed.rollback()
    return String(error)
  }
}

async function checkForeignKeys(runner: Runner): Promise<void> {
  const lost = await rowsOf(runner, 'PRAGMA foreign_key_check')
  if (lost.length > 0) throw new Error('A foreign key constraint does not hold.')
}

function rowsOf(runner: Runner, text: string) {
  return runner.run({ text, parameters: [], answers: 'rows' })
}
