import { proofCount, proofSeed, recordProof } from '@cadmus/testing/proof'
import type { Closure } from '@cadmus/model/closure'
import { expect, it } from 'vitest'
import { contractBreaches } from '../testing/contract.ts'
import { comparable } from '../testing/equal-models.ts'
import { exportableModels } from '../testing/exportable-model.ts'
import { knownNames, outAndIn, writtenOtherwise } from '../testing/exported.ts'
import { placedModel } from '../testing/placed-model.ts'
import { readCdm } from './read.ts'
import { writeCdm } from './write.ts'
import { expectedBack, knownUids } from '../testing/expected-back.ts'

it(
  'a generated model goes out as a CDM folder that keeps the contract, and comes back equal',
  { timeout: 600_000 },
  () => {
    const count = proofCount('cdm_write', 25, 500)
    const started = performance.now()
    const sums = { entities: 0, relationships: 0, notes: 0 }
    for (const [index, closure] of exportableModels(count, proofSeed()).entries()) {
      const versions = versionsOf(closure)
      const { files, notes, read } = outAndIn(closure, { versions })
      const where = `Seed ${proofSeed()}, model ${index}`
      expect({ where, breaches: contractBreaches(files, knownNames) }).toEqual({ where, breaches: [] })
      const back = comparable(placedModel(read), knownUids(closure))
      expect({ where, back }).toEqual({ where, back: expectedBack(closure) })
      const numbers = [...read.manifests, ...read.entities].map(({ uid, version }) => [uid, version] as const)
      expect({ where, numbers: new Map(numbers) }).toEqual({ where, numbers: versions.byUid })
      expect({ where, otherwise: alone(withoutChoices(closure)) }).toEqual({ where, otherwise: [] })
      sums.entities += closure.entities.length
      sums.relationships += read.entities.reduce((sum, entity) => sum + entity.entityAttributes.length, 0)
      sums.notes += notes.length
    }
    // A proof of models that hold nothing would prove nothing.
    expect(sums.entities).toBeGreaterThan(count * 2)
    expect(sums.relationships).toBeGreaterThan(count)
    recordProof({
      name: 'A generated model goes out as a CDM folder that keeps the contract, and comes back equal',
      counts: { models: count, ...sums },
      durationMs: performance.now() - started,
    })
  },
)

/** A number for each manifest and each entity, by id and by uid. */
function versionsOf({ manifests, entities }: Closure) {
  const numbered = <T extends { id: number }>(all: readonly T[]) =>
    new Map(all.map(({ id }, at) => [id, `${at}.2.${id}`]))
  const known = { manifests: numbered(manifests), entities: numbered(entities) }
  const byUid = new Map([
    ...manifests.map(({ id, uid }) => [uid, known.manifests.get(id)] as const),
    ...entities.map(({ id, uid }) => [uid, known.entities.get(id)] as const),
  ])
  return { ...known, byUid }
}

/** Choices that are no values of their data type are left out on reading: only what is kept beside the documents brings them back. */
function withoutChoices(closure: Closure): Closure {
  const plain = new Map(
    [...closure.byId].map(([id, entity]) => [
      id,
      { ...entity, typeAttributes: entity.typeAttributes.map(attribute => ({ ...attribute, choices: [] })) },
    ]),
  )
  return { ...closure, byId: plain, entities: closure.entities.flatMap(({ id }) => plain.get(id) ?? []) }
}

/** Which documents a reader of the documents alone would write otherwise, wherever they stand: what extends nothing there stands elsewhere. */
function alone(closure: Closure): string[] {
  const { files } = writeCdm(closure)
  const bare = new Map([...files].filter(([path]) => path.endsWith('.cdm.json')))
  const again = writeCdm(placedModel(readCdm(bare))).files
  return writtenOtherwise(bare, again)
}
