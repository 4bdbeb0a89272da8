import type { ResolvedModel } from '@cadmus/model/resolved-model'
import { validate } from '@cadmus/model/validate'
import { proofCount, recordProof } from '@cadmus/testing/proof'
import { describe } from 'vitest'
import { placedModel } from './placed-model.ts'
import { realModel } from './testing/real-models.ts'
import { describeScripts } from './testing/run-scripts.ts'
import { hasSharedCdm } from './testing/shared-cdm.ts'

const count = proofCount('real_manifests', 1, 100)
const archive = 'core-applicationCommon-full'

describe.skipIf(!hasSharedCdm)('manifests of a real folder of 1,022 entities', () => {
  describeScripts(
    `manifests of ${archive} without errors, the largest first`,
    resolvedModels,
    (engine, all, durationMs) => {
      const entities = all.reduce((sum, resolvedModel) => sum + resolvedModel.entities.length, 0)
      const counts = { manifests: all.length, entities }
      recordProof({ name: `Schemas of real manifests pass ${engine}`, counts, durationMs })
    },
  )
})

let chosen: readonly ResolvedModel[] | undefined

function resolvedModels(): readonly ResolvedModel[] {
  if (chosen) return chosen
  const model = realModel(archive)
  chosen = model.manifests
    .map(({ path }) => placedModel(model, path))
    .toSorted((a, b) => b.entities.length - a.entities.length)
    .values()
    .filter(resolvedModel => validate(resolvedModel).every(problem => problem.severity !== 'error'))
    .take(count)
    .toArray()
  return chosen
}
