import { arbitraryModel } from '@cadmus/model/testing/arbitrary-model'
import { changingModel, modelChanges, resolvedModelIn } from '@cadmus/model/testing/arbitrary-changes'
import { aKey, aList, anEntity, aResolvedModel, aTypeAttribute } from '@cadmus/model/testing/builders'
import type { ResolvedModel } from '@cadmus/model/resolved-model'
import { type Random, seededRandom } from '@cadmus/model/testing/seeded-random'
import type { DatabaseType } from '@cadmus/model/database-types'
import { proofCount, proofSeed, recordProof } from '@cadmus/testing/proof'
import { describe, expect, it } from 'vitest'
import { pairsOf } from '../alter-pairs.ts'
import { compileSchema } from '../compiler.ts'
import { databases } from '../databases.ts'
import { instanceSchemaOf } from '../instance-schema.ts'
import { databaseStatements } from '../script.ts'
import { type Database, engines } from '../testing/engines.ts'
import { catalogueOf, insertsOf, remainingRows } from '../testing/migrated-tables.ts'
import { packageOf } from '../testing/packages.ts'
import type { Schema } from '../tree.ts'
import { migrationPlan } from './plan.ts'
import type { ScriptPiece } from './frame.ts'
import { migrationPieces } from './script.ts'

const count = proofCount('migrate', 6, 500)
/** Of these, scripts that are killed after each of their statements, and run again each time. */
const killed = proofCount('migrate_killed', 4, 100)
const runs = [
  { name: 'PostgreSQL', database: 'postgresql', engine: engines.postgresql.PostgreSQL },
  { name: 'MariaDB', database: 'mysql', engine: engines.mysql.MariaDB },
  { name: 'HSQLDB', database: 'hsql', engine: engines.hsql.HSQLDB },
] as const

const renameCount = proofCount('renames', 4, 200)

describe.each(runs)(`${renameCount} exchanges of names on $name`, ({ name, database, engine }) => {
  const { present, advice } = engine.availability
  it.skipIf(!present)(`keep every value with its uid ${advice}`, { timeout: 1_000_000 }, async () => {
    const began = performance.now()
    const dialect = databases[database].export
    const server = await engine.start()
    for (let seed = proofSeed(); seed < proofSeed() + renameCount; seed += 1) {
      const random = seededRandom(seed)
      const schemaOf = (tables: readonly string[], columns: readonly string[]) =>
        databaseStatements(namedModel(tables, columns), database, { applyAutoIncrement: true })
      const [old, now] = [schemaOf(names, names), schemaOf(permuted(random), permuted(random))]
      const changed = await server.createDatabase()
      try {
        await changed.execute(old.statements.map(sql => `${sql};\n`).join(''))
        for (const sql of insertsOf(old.schema, dialect)) await changed.execute(sql)
        const remaining = remainingRows(changed.query, pairsOf(old.schema, now.schema), dialect)
        const rows = await remaining.before()
        expect(rows.map(({ length }) => length)).toEqual(names.map(() => 4))
        const plan = migrationPlan(old.schema, now.schema, database)
        expect(plan.steps.filter(({ grade }) => grade === 'losesData')).toEqual([])
        expect(await brokenOff(changed, migrationPieces(plan, database), random, database)).toBeNull()
        expect(await remaining.after()).toEqual(rows)
      } catch (error) {
        throw new Error(`Seed ${seed}`, { cause: error })
      } finally {
        await changed.drop()
      }
    }
    await server.stop()
    const counts = { exchanges: renameCount }
    recordProof({ name: `Exchanged names keep every value on ${name}`, counts, durationMs: performance.now() - began })
  })
})

const names = ['A', 'B', 'C', 'D']

/** The names in another order; sometimes with a new one. */
function permuted(random: Random): string[] {
  const left = random.chance(0.3) ? [...names.slice(1), 'E'] : [...names]
  return names.map(() => left.splice(random.between(0, left.length - 1), 1)[0] ?? '')
}

/** Each table and column by its uid, whatever its name is. */
function namedModel(tables: readonly string[], columns: readonly string[]) {
  return aResolvedModel(
    tables.map((name, table) =>
      anEntity({
        uid: `table ${table}`,
        name,
        typeAttributes: aList(
          aKey({ uid: `key ${table}` }),
          ...columns.map((column, at) =>
            aTypeAttribute({ uid: `column ${table} ${at}`, name: column, maxLength: 20 + at, indexed: at === 0 }),
          ),
        ),
      }),
    ),
  )
}

describe.each(runs)(`Migrating the tables of ${count} models on $name`, ({ name, database, engine }) => {
  const { present, advice } = engine.availability
  it.skipIf(!present)(`gives those of the other model, and back ${advice}`, { timeout: 1_000_000 }, async () => {
    const began = performance.now()
    const dialect = databases[database].export
    const server = await engine.start()
    const counts = { models: 0, migrated: 0, stopped: 0, refused: 0, records: 0 }
    for (let seed = proofSeed(); counts.models < count; seed += 1) {
      const random = seededRandom(seed)
      const schemas = schemasOf(seed, random, database)
      if (!schemas) continue
      const [before, after] = schemas
      const plan = migrationPlan(before, after, database)
      counts.models += 1
      if (plan.refused.length > 0) {
        counts.refused += 1
        continue
      }
      const [changed, fresh] = [await server.createDatabase(), await server.createDatabase()]
      try {
        const create = (schema: Schema) => {
          const { preamble, tables, indexes, foreignKeys, comments } = compileSchema(schema, dialect)
          return [...preamble, ...tables, ...indexes, ...foreignKeys, ...comments]
        }
        for (const sql of create(before)) await changed.execute(sql)
        for (const sql of create(after)) await fresh.execute(sql)
        const old = await catalogueOf(changed.query, database)
        for (const sql of insertsOf(before, dialect)) {
          await changed.execute(sql).then(
            () => (counts.records += 1),
            () => {},
          )
        }
        const remaining = remainingRows(changed.query, pairsOf(before, after), dialect)
        const rows = await remaining.before()
        const predicted = await counted(changed.query, plan.steps)
        const isEach = counts.models <= killed
        const pieces = migrationPieces(plan, database)
        const error = isEach
          ? await killedAfterEach(changed, pieces, database)
          : await brokenOff(changed, pieces, random, database)
        expect([predicted, error === null]).toEqual([predicted, predicted === 0])
        if (predicted > 0) {
          counts.stopped += 1
          continue
        }
        counts.migrated += 1
        expect(await catalogueOf(changed.query, database)).toEqual(await catalogueOf(fresh.query, database))
        expect(await remaining.after()).toEqual(rows)
        const down = migrationPlan(after, before, database)
        if (down.refused.length > 0 || (await counted(changed.query, down.steps)) > 0) continue
        expect(await brokenOff(changed, migrationPieces(down, database), random, database)).toBeNull()
        expect(await catalogueOf(changed.query, database)).toEqual(old)
      } catch (error) {
        throw new Error(`Seed ${seed}`, { cause: error })
      } finally {
        await changed.drop()
        await fresh.drop()
      }
    }
    await server.stop()
    recordProof({ name: `Migrations up and down on ${name}`, counts, durationMs: performance.now() - began })
  })
})

/**
 * Runs the first statements of a script, as if it were broken off, then all of it; on HSQLDB from the step after the last one that is
 * noted. The error, if there is one.
 */
async function brokenOff(
  { execute }: Database,
  pieces: readonly ScriptPiece[],
  random: Random,
  database: DatabaseType,
): Promise<string | null> {
  if (pieces.length === 0) return null
  const run = async (some: readonly ScriptPiece[]) =>
    execute(some.map(({ sql }) => `${sql};\n`).join('')).then(() => null, String)
  const isEnd = ({ sql }: ScriptPiece) => database !== 'hsql' || sql.startsWith('INSERT INTO cadmus_migration VALUES')
  const ends = pieces.flatMap((piece, at) => (at < pieces.length - 1 && isEnd(piece) ? [at + 1] : []))
  const end = ends.length === 0 ? 0 : random.pick(ends)
  const error = end === 0 ? null : await run(pieces.slice(0, end))
  return error ?? run(database === 'hsql' ? pieces.slice(end) : pieces)
}

/**
 * Runs one more statement of a script each time, as if it were killed after each, and at last all of it. On HSQLDB as the head of the script
 * says: from the step after the last one that is noted, and after that one if it turns out to have been done.
 */
async function killedAfterEach(
  { execute, query }: Database,
  pieces: readonly ScriptPiece[],
  database: DatabaseType,
): Promise<string | null> {
  const run = async (some: readonly ScriptPiece[]) =>
    execute(some.map(({ sql }) => `${sql};\n`).join('')).then(() => null, String)
  if (pieces.length === 0) return null
  if (database !== 'hsql') {
    for (let end = 1; end <= pieces.length; end += 1) {
      const error = await run(pieces.slice(0, end))
      if (error !== null) return error
    }
    return null
  }
  const noteOf = ({ sql }: ScriptPiece) => /^INSERT INTO cadmus_migration VALUES \('\w+', (\d+),/.exec(sql)?.[1]
  const ends = pieces.flatMap((piece, at) => (noteOf(piece) === undefined ? [] : [{ at, step: Number(noteOf(piece)) }]))
  const first = pieces.findIndex((_, at) => at > 0 && pieces[at]?.remark?.startsWith('Step '))
  const begin = await run(pieces.slice(0, Math.max(first, 0)))
  if (begin !== null) return begin
  const tests = pieces.filter(({ remark, sql }) => remark?.startsWith('Step ') && sql.includes('SELECT CAST(NULL'))
  for (const test of tests) {
    const error = await run([test])
    if (error !== null) return error
  }
  for (const { at, step } of ends) {
    const start = pieces.findIndex(({ remark }) => remark?.startsWith(`Step ${step}:`))
    const own = pieces.slice(start, pieces[at + 1]?.sql === 'COMMIT' ? at + 3 : at + 1)
    // Killed before its note; a transaction is rolled back.
    await run([
      ...own.slice(
        0,
        own.findIndex(piece => noteOf(piece) !== undefined),
      ),
      { sql: 'ROLLBACK' },
    ])
    await run([{ sql: 'SET AUTOCOMMIT TRUE' }])
    const [last = {}] = await query('SELECT COALESCE(MAX(step), 0) AS s FROM cadmus_migration')
    expect(Number(Object.values(last)[0])).toBeLessThan(step)
    if ((await run(own)) !== null) await run(own.slice(own.findIndex(piece => noteOf(piece) !== undefined)))
  }
  return run(pieces.slice(-1))
}

type Steps = ReturnType<typeof migrationPlan>['steps']

async function counted(query: (sql: string) => Promise<Record<string, unknown>[]>, steps: Steps): Promise<number> {
  let sum = 0
  for (const { grade, question } of steps) {
    if (grade !== 'mayFail' || question === null) continue
    const [row = {}] = await query(question)
    sum += Number(Object.values(row)[0])
  }
  return sum
}

function schemasOf(seed: number, random: Random, database: DatabaseType): [Schema, Schema] | null {
  const resolvedModel = arbitraryModel(seed, { checks: true })
  const model = changingModel(resolvedModel)
  const options = { applyAutoIncrement: random.chance(0.7) }
  try {
    const isServed = random.chance(0.3)
    const schemaOf = (one: ResolvedModel) =>
      (isServed ? instanceSchemaOf(packageOf(one, seed), database) : databaseStatements(one, database, options)).schema
    const before = schemaOf(resolvedModel)
    for (let step = random.between(1, 6); step > 0; step -= 1) random.pick(modelChanges)(model, random)
    return [before, schemaOf(resolvedModelIn(model))]
  } catch {
    return null
  }
}
