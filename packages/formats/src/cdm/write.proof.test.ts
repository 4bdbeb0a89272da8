import { proofCount, proofSeed, recordProof } from '@cadmus/testing/proof'
import type { ResolvedModel } from '@cadmus/model/resolved-model'
import { expect, it } from 'vitest'
import { contractBreaches } from '../testing/contract.ts'
import { comparable } from '../testing/equal-models.ts'
import { exportableModels } from '../testing/exportable-model.ts'
import { definedNames, roundTrip, differingDocuments } from '../testing/exported.ts'
import { placedModel } from '../placed-model.ts'
import { readCdm } from './read.ts'
import { writeCdm } from './write.ts'
import { expectedAfterImport, existingUids } from '../testing/expected-import.ts'

it('CDM folders of generated models comply with the contract and are imported unchanged', { timeout: 600_000 }, () => {
  const count = proofCount('cdm_write', 10, 500)
  const started = performance.now()
  const sums = { entities: 0, relationships: 0, notes: 0 }
  for (const [index, resolvedModel] of exportableModels(count, proofSeed(), { checks: true }).entries()) {
    const versions = versionsOf(resolvedModel)
    const { files, notes, read } = roundTrip(resolvedModel, { versions })
    const where = `Seed ${proofSeed()}, model ${index}`
    expect({ where, breaches: contractBreaches(files, definedNames) }).toEqual({ where, breaches: [] })
    const back = comparable(placedModel(read), existingUids(resolvedModel))
    expect({ where, back }).toEqual({ where, back: expectedAfterImport(resolvedModel) })
    const numbers = [...read.manifests, ...read.entities].map(({ uid, version }) => [uid, version] as const)
    expect({ where, numbers: new Map(numbers) }).toEqual({ where, numbers: versions.byUid })
    expect({ where, otherwise: alone(withoutChoices(resolvedModel)) }).toEqual({ where, otherwise: [] })
    sums.entities += resolvedModel.entities.length
    sums.relationships += read.entities.reduce((sum, entity) => sum + entity.entityAttributes.length, 0)
    sums.notes += notes.length
  }
  // Guard against a vacuous proof with empty models.
  expect(sums.entities).toBeGreaterThan(count * 2)
  expect(sums.relationships).toBeGreaterThan(count)
  recordProof({
    name: 'A generated model goes out as a CDM folder that keeps the contract, and comes back equal',
    counts: { models: count, ...sums },
    durationMs: performance.now() - started,
  })
})

function versionsOf({ manifests, entities }: ResolvedModel) {
  const numbered = <T extends { id: number }>(all: readonly T[]) =>
    new Map(all.map(({ id }, at) => [id, `${at}.2.${id}`]))
  const versions = { manifests: numbered(manifests), entities: numbered(entities) }
  const byUid = new Map([
    ...manifests.map(({ id, uid }) => [uid, versions.manifests.get(id)] as const),
    ...entities.map(({ id, uid }) => [uid, versions.entities.get(id)] as const),
  ])
  return { ...versions, byUid }
}

/** Choices that are invalid for their data type are restored only by the sidecar. */
function withoutChoices(resolvedModel: ResolvedModel): ResolvedModel {
  const plain = new Map(
    [...resolvedModel.byId].map(([id, entity]) => [
      id,
      { ...entity, typeAttributes: entity.typeAttributes.map(attribute => ({ ...attribute, choices: [] })) },
    ]),
  )
  return { ...resolvedModel, byId: plain, entities: resolvedModel.entities.flatMap(({ id }) => plain.get(id) ?? []) }
}

/**
 * Documents that would differ after an import without the sidecar, regardless of folder: entities without a parent
 * may move.
 */
function alone(resolvedModel: ResolvedModel): string[] {
  const { files } = writeCdm(resolvedModel)
  const bare = new Map([...files].filter(([path]) => path.endsWith('.cdm.json')))
  const again = writeCdm(placedModel(readCdm(bare))).files
  return differingDocuments(bare, again)
}
