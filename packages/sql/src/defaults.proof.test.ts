import type { Closure } from '@cadmus/model/closure'
import { arbitraryModel } from '@cadmus/model/testing/arbitrary-model'
import { aClosure, anEntity } from '@cadmus/model/testing/builders'
import type { TypeAttribute } from '@cadmus/model/type-attribute'
import { isFault, readDefault } from '@cadmus/model/values/literal'
import { proofCount, proofSeed, recordProof } from '@cadmus/testing/proof'
import { describe, expect, it } from 'vitest'
import { databaseScript, databaseStatements } from './script.ts'
import { engines, type Database, type Engine } from './testing/engines.ts'
import { storedDefaults, writtenAlike, type Tried } from './testing/stored-defaults.ts'

const count = proofCount('defaults', 25, 2000)
/** Models of one database: what costs is the database. */
const together = 50
const options = { applyAutoIncrement: true }

describe(`The default values of ${count} models that nobody would draw`, () => {
  for (const type of ['postgresql', 'mysql', 'hsql'] as const) {
    for (const [name, engine] of Object.entries<Engine>(engines[type])) {
      const { present, advice } = engine.availability
      it.skipIf(!present)(
        `are those of a row that gives none on ${name}, or a note says why not ${advice}`,
        async () => {
          expect(await proveOnEngine(type, name, engine)).toBeGreaterThan(count)
        },
      )
    }
  }
})

/** Puts an empty row into every table and compares it with the model; answers how many defaults it has. */
async function proveOnEngine(type: Tried, name: string, engine: Engine): Promise<number> {
  const start = performance.now()
  const server = await engine.start()
  let defaults = 0
  try {
    for (let first = 0; first < count; first += together) {
      const database = await server.createDatabase()
      try {
        defaults += await proveModel(emptyRows(first), type, database)
      } catch (error) {
        throw new Error(`Seeds from ${proofSeed() + first} on ${name}`, { cause: error })
      } finally {
        await database.drop()
      }
    }
  } finally {
    await server.stop()
  }
  recordProof({
    name: `Default values of generated schemas are stored by ${name} as the model says`,
    counts: { models: count, defaults },
    durationMs: performance.now() - start,
  })
  return defaults
}

async function proveModel(closure: Closure, type: Tried, database: Database): Promise<number> {
  await database.execute(databaseScript(closure, type, options).sql)
  const { schema, notes } = databaseStatements(closure, type, options)
  const noted = new Set(notes.map(({ path }) => path.at(-1)?.uid))
  const attributes = new Map(closure.entities.flatMap(entity => entity.typeAttributes.map(one => [one.uid, one])))
  let defaults = 0
  for (const table of schema.tables) {
    const stored = await storedDefaults(table, type, database)
    for (const column of table.columns) {
      const wanted = wantedOf(attributes.get(column.source.uid))
      const found = stored.get(column.name) ?? null
      const place = `${table.name.slice(0, 60)}.${column.name.slice(0, 60)}`
      if (column.default === null) {
        expect([place, found, wanted === null || noted.has(column.source.uid)]).toEqual([place, null, true])
      } else {
        expect([place, found]).toEqual([place, wanted === null ? null : writtenAlike(wanted, column.type)])
        defaults += 1
      }
    }
  }
  return defaults
}

/** What a row that gives no value has, as the model says it. */
function wantedOf(attribute: TypeAttribute | undefined) {
  if (!attribute || attribute.defaultValue === null) return null
  const read = readDefault(attribute.defaultValue, attribute)
  return isFault(read) ? null : read
}

/**
 * The entities with default values of the models from a seed on, each attribute as it is, but none required, none a key and none
 * referring: then an empty row is one.
 */
function emptyRows(first: number): Closure {
  const seeds = Array.from({ length: Math.min(together, count - first) }, (_, index) => proofSeed() + first + index)
  const entities = seeds.flatMap(seed => [...arbitraryModel(seed).byId.values()])
  const given = entities.filter(({ typeAttributes }) =>
    typeAttributes.some(({ defaultValue }) => defaultValue !== null),
  )
  return aClosure(
    given.map(({ description, typeAttributes }, index) =>
      anEntity({
        name: `Table ${index}`,
        description,
        typeAttributes: typeAttributes.map(one => ({ ...one, nullable: true, purpose: 'hasA' as const })),
      }),
    ),
  )
}
