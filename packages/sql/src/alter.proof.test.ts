import type { EntityNode } from '@cadmus/model/entity'
import { arbitraryModel } from '@cadmus/model/testing/arbitrary-model'
import { changingModel, resolvedModelIn, modelChanges } from '@cadmus/model/testing/arbitrary-changes'
import { aResolvedModel, aKey, aList, anEntity, aTypeAttribute } from '@cadmus/model/testing/builders'
import { seededRandom } from '@cadmus/model/testing/seeded-random'
import type { TypeAttribute } from '@cadmus/model/type-attribute'
import { proofCount, proofSeed, recordProof } from '@cadmus/testing/proof'
import { describe, expect, it } from 'vitest'
import { alterable, type Alteration, alterationOf } from './alter.ts'
import { databases } from './databases.ts'
import { instanceSchemaOf, type InstanceSchema } from './instance-schema.ts'
import { databaseObjects } from './testing/database-objects.ts'
import { fill, sharedRows } from './testing/filled-tables.ts'
import { packageOf } from './testing/packages.ts'
import { runnerEngines } from './testing/engine-runners.ts'
import type { Runner } from './testing/runners.ts'

const count = proofCount('alter', 10, 500)
const names = { sqlite: 'SQLite', postgresql: 'PostgreSQL' } as const

describe(`Altering the tables of ${count} models`, () => {
  for (const dialect of alterable) {
    const engine = runnerEngines[names[dialect]]
    const { present = false, advice = '' } = engine?.availability ?? {}
    it.skipIf(!present)(
      `gives the same tables as creating them and keeps the records on ${names[dialect]} ${advice}`,
      async () => {
        const began = performance.now()
        const server = await engine?.start()
        if (!server) return
        const counts = { models: 0, changed: 0, records: 0, refused: 0, reverted: 0 }
        const namedPairs = pairsNamedLikeSequences(dialect)
        for (let seed = proofSeed(); counts.models < count; seed += 1) {
          const pair = namedPairs.pop() ?? pairOf(seed, dialect)
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
      },
    )
  }
})

type Pair = { before: InstanceSchema; after: InstanceSchema }
type Dialect = (typeof alterable)[number]

/** A model before and after some changes; null if one of the two has no tables. */
function pairOf(seed: number, dialect: Dialect): Pair | null {
  const random = seededRandom(seed)
  const resolvedModel = arbitraryModel(seed, { checks: true })
  const model = changingModel(resolvedModel)
  try {
    const before = instanceSchemaOf(packageOf(resolvedModel, seed), dialect)
    for (let step = random.between(1, 6); step > 0; step -= 1) random.pick(modelChanges)(model, random)
    const options = random.chance(0.6) ? seed : seed + 1
    return { before, after: instanceSchemaOf(packageOf(resolvedModelIn(model), options), dialect) }
  } catch {
    return null
  }
}

/**
 * Adds and drops tables with names that PostgreSQL chooses for sequences, beside a changed and an unchanged table.
 */
function pairsNamedLikeSequences(dialect: Dialect): Pair[] {
  const schemaOf = (entities: readonly EntityNode[]) =>
    instanceSchemaOf(packageOf(aResolvedModel(entities), 1), dialect)
  const namedPairs = (name: string, ...more: readonly TypeAttribute[]) =>
    anEntity({ name, uid: `uid of ${name}`, typeAttributes: aList({ ...aKey(), uid: `key of ${name}` }, ...more) })
  const more = aTypeAttribute({ name: 'name', nullable: true })
  const [few, all] = [
    [namedPairs('one'), namedPairs('two')],
    [namedPairs('one', more), namedPairs('two'), namedPairs('one_id_seq'), namedPairs('two_id_seq')],
  ]
  const [before, after] = [schemaOf(few), schemaOf(all)]
  return [
    { before, after },
    { before: after, after: before },
  ]
}

async function prove({ before, after }: Pair, dialectName: Dialect, changed: Runner, fresh: Runner) {
  const dialect = databases[dialectName].run.dialect
  await changed.make(before.statements)
  const records = await fill(changed, before.schema, dialect)
  const objects = await databaseObjects(changed, dialectName)
  const unchanged = sharedRows(changed, before.schema, after.schema, dialect)
  const old = await unchanged.before()
  const alteration = alterationOf(before.schema, after.schema, dialectName)
  const end = await applyAlteration(changed, alteration, dialectName)
  // Only existing records may prevent an alteration.
  expect(end).toMatch(/^changed$|^refused$|constraint|too long|out of range|overflow|could not create unique/i)
  const isChanged = end === 'changed'
  expect(await databaseObjects(changed, dialectName)).toEqual(
    isChanged ? await databaseObjects(fresh, dialectName) : objects,
  )
  expect(await (isChanged ? unchanged.after() : unchanged.before())).toEqual(old)
  return {
    records,
    end: isChanged ? ('changed' as const) : end === 'refused' ? ('refused' as const) : ('reverted' as const),
  }
}

/** Alters the tables as the instance does. Returns the outcome or the error of the database. */
async function applyAlteration(changed: Runner, alteration: Alteration, dialect: Dialect): Promise<string> {
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
  const violations = await rowsOf(runner, 'PRAGMA foreign_key_check')
  if (violations.length > 0) throw new Error('A foreign key constraint does not hold.')
}

function rowsOf(runner: Runner, text: string) {
  return runner.run({ text, parameters: [], answers: 'rows' })
}
