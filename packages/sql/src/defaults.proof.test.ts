import type { ResolvedModel } from '@cadmus/model/resolved-model'
import { arbitraryModel } from '@cadmus/model/testing/arbitrary-model'
import { aResolvedModel, anEntity } from '@cadmus/model/testing/builders'
import type { TypeAttribute } from '@cadmus/model/type-attribute'
import { isFault, readDefault } from '@cadmus/model/values/literal'
import { proofCount, proofSeed, recordProof } from '@cadmus/testing/proof'
import { describe, expect, it } from 'vitest'
import { databaseScript, databaseStatements } from './script.ts'
import { engines, type Database, type Engine } from './testing/engines.ts'
import { storedDefaults, comparableValue, type TestedType } from './testing/stored-defaults.ts'

const count = proofCount('defaults', 10, 2000)
/** Number of models per database, as creating a database is slow. */
const batchSize = 50
const options = { applyAutoIncrement: true }

describe(`Default values of ${count} generated models`, () => {
  for (const type of ['postgresql', 'mysql', 'hsql'] as const) {
    for (const [name, engine] of Object.entries<Engine>(engines[type])) {
      const { present, advice } = engine.availability
      it.skipIf(!present)(`are stored by ${name} or have a note ${advice}`, async () => {
        expect(await proveOnEngine(type, name, engine)).toBeGreaterThan(count)
      })
    }
  }
})

/** Inserts an empty row into every table and compares it with the model; returns the number of defaults. */
async function proveOnEngine(type: TestedType, name: string, engine: Engine): Promise<number> {
  const start = performance.now()
  const server = await engine.start()
  let defaults = 0
  try {
    for (let first = 0; first < count; first += batchSize) {
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

async function proveModel(resolvedModel: ResolvedModel, type: TestedType, database: Database): Promise<number> {
  await database.execute(databaseScript(resolvedModel, type, options).sql)
  const { schema, notes } = databaseStatements(resolvedModel, type, options)
  const noted = new Set(notes.map(({ path }) => path.at(-1)?.uid))
  const attributes = new Map(resolvedModel.entities.flatMap(entity => entity.typeAttributes.map(one => [one.uid, one])))
  let defaults = 0
  for (const table of schema.tables) {
    const stored = await storedDefaults(table, type, database)
    for (const column of table.columns) {
      const expectedValue = expectedDefault(attributes.get(column.source.uid))
      const actual = stored.get(column.name) ?? null
      const place = `${table.name.slice(0, 60)}.${column.name.slice(0, 60)}`
      if (column.default?.kind === 'computed') {
        expect([place, actual]).toEqual([place, expect.stringMatching(computedTexts[column.default.value])])
        defaults += 1
      } else if (column.default === null) {
        expect([place, actual, expectedValue === null || noted.has(column.source.uid)]).toEqual([place, null, true])
      } else {
        expect([place, actual]).toEqual([
          place,
          expectedValue === null ? null : comparableValue(expectedValue, column.type),
        ])
        defaults += 1
      }
    }
  }
  return defaults
}

const moment = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}(?:\.\d{1,6})?$/
const computedTexts = {
  instant: moment,
  utc: moment,
  local: moment,
  today: /^\d{4}-\d{2}-\d{2}$/,
  uuid: /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/,
}

/** The default of the attribute according to the model. */
function expectedDefault(attribute: TypeAttribute | undefined) {
  if (!attribute || attribute.defaultValue === null) return null
  const read = readDefault(attribute.defaultValue, attribute)
  return isFault(read) ? null : read
}

/**
 * The entities with default values of the models from a seed on. Attributes are nullable, not keys and not references,
 * so that an empty row is valid.
 */
function emptyRows(first: number): ResolvedModel {
  const seeds = Array.from({ length: Math.min(batchSize, count - first) }, (_, index) => proofSeed() + first + index)
  const entities = seeds.flatMap(seed => [...arbitraryModel(seed).byId.values()])
  const withDefaults = entities.filter(({ typeAttributes }) =>
    typeAttributes.some(({ defaultValue, defaultKind }) => defaultValue !== null || defaultKind !== 'literal'),
  )
  return aResolvedModel(
    withDefaults.map(({ description, typeAttributes }, index) =>
      anEntity({
        name: `Table ${index}`,
        description,
        typeAttributes: typeAttributes.map(one => ({ ...one, nullable: true, purpose: 'hasA' as const })),
      }),
    ),
  )
}
