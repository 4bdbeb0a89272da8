import { arbitraryModel } from '@cadmus/model/testing/arbitrary-model'
import { entityAttributeSchema } from '@cadmus/model/entity-attribute'
import { typeAttributeSchema } from '@cadmus/model/type-attribute'
import { processorTime } from '@cadmus/testing/processor-time'
import { proofCount, proofSeed, recordProof } from '@cadmus/testing/proof'
import { expect, it } from 'vitest'
import { readArchive, writeArchive } from '../archive.ts'
import { ImportError } from '../import-error.ts'
import type { ImportedModel } from '../imported-model.ts'
import { conformanceFaults } from '../testing/model-conformance.ts'
import { placedModel } from '../placed-model.ts'
import { mutateBytes, mutateJson, randomFrom } from '../testing/mutations.ts'
import { summarizeImport, summarizeModel } from '../testing/model-summary.ts'
import { readDataModel } from './read.ts'
import { writeDataModel } from './write.ts'

it.each([true, false])(
  'Decisions 7: generated models survive a data model round trip as far as the format allows (joins: %s)',
  applyJoin => {
    const count = proofCount('data_model', 10, 500)
    const started = performance.now()
    let entities = 0
    for (let seed = proofSeed(); seed < proofSeed() + count; seed += 1) {
      const resolvedModel = arbitraryModel(seed, { checks: true })
      const { files } = writeDataModel(resolvedModel, { applyJoin })
      expect(conformanceFaults(files), `seed ${seed}`).toEqual([])
      const paths = [...files.keys()]
      const read = readDataModel(readArchive(writeArchive(files)))
      const back = new Map(read.entities.map(entity => [entity.corpusPath, entity]))
      // Zip entries are sorted; restore the original entity order before comparing.
      const ordered = { ...read, entities: paths.flatMap(path => back.get(`/${path}`) ?? []) }
      const expected = summarizeModel(resolvedModel, applyJoin)
      const plain = (index: number, name: string) =>
        expected[index]?.attributes.some(attribute => attribute.name === name && attribute.is === 'foreign key') ??
        false
      expect(summarizeImport(ordered, plain), `seed ${seed}`).toEqual(json(expected))
      entities += read.entities.length
    }
    recordProof({
      name: `Generated models come back from their data model zip (joins: ${applyJoin})`,
      counts: { models: count, entities },
      durationMs: performance.now() - started,
    })
  },
)

it('reading a mutated data model gives a model or an ImportError in bounded time', () => {
  const count = proofCount('data_model_mutations', 1_000, 100_000)
  const random = randomFrom(proofSeed())
  const started = performance.now()
  const outcomes = { read: 0, refused: 0 }
  let slowest = 0
  const models = Array.from(
    { length: 5 },
    (_, index) => writeDataModel(arbitraryModel(proofSeed() + index), { applyJoin: true }).files,
  )
  for (let run = 0; run < count; run += 1) {
    const files = new Map<string, string | Uint8Array>(models[random(models.length)])
    const path = [...files.keys()][random(files.size)] ?? ''
    const text = String(files.get(path))
    const kind = random(10)
    if (kind < 7) files.set(path, JSON.stringify(mutateJson(JSON.parse(text), random)))
    else if (kind < 9) files.set(path, mutateBytes(new TextEncoder().encode(text), random))
    const before = processorTime()
    try {
      const model = readDataModel(kind === 9 ? readArchive(mutateBytes(writeArchive(files), random)) : files)
      expectStorable(model)
      outcomes.read += 1
    } catch (error) {
      if (!(error instanceof ImportError)) throw new Error(`Seed ${proofSeed()}, run ${run}`, { cause: error })
      outcomes.refused += 1
    }
    slowest = Math.max(slowest, processorTime() - before)
  }
  expect(slowest).toBeLessThan(5_000)
  expect(outcomes.read).toBeGreaterThan(count * 0.3)
  expect(outcomes.refused).toBeGreaterThan(count / 100)
  recordProof({
    name: 'A mutated data model is read or refused by ImportError, never anything else',
    counts: { mutations: count, ...outcomes, slowestMs: Math.round(slowest) },
    durationMs: performance.now() - started,
  })
})

/**
 * The result must be cloneable between threads, reference only its own contents and hold only values that the store
 * accepts.
 */
function expectStorable(model: ImportedModel): void {
  placedModel(structuredClone(model))
  for (const { typeAttributes, entityAttributes } of model.entities) {
    typeAttributes.forEach(attribute => typeAttributeSchema.parse(attribute))
    entityAttributes.forEach(attribute => entityAttributeSchema.parse(attribute))
  }
}

/** Converts to JSON and back, as the worker protocol does. */
function json(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}
