import { packageModelFormat, type PackageModel } from '@cadmus/model/api/package-model'
import type { ResolvedModel } from '@cadmus/model/resolved-model'
import { newConfiguration } from '@cadmus/model/configuration'
import { seededRandom } from '@cadmus/model/testing/seeded-random'

// For tests only: packages of models with random options.

export function packageOf(resolvedModel: ResolvedModel, seed: number): PackageModel {
  const random = seededRandom(seed)
  const configuration = newConfiguration(resolvedModel.root.name)
  const { sqlConfiguration, serviceConfiguration } = configuration.configurationBuild
  Object.assign(sqlConfiguration, {
    applyAutoIncrement: random.chance(0.7),
    applyCoalesce: random.chance(0.5),
    applyLimitOffset: random.chance(0.5),
    applyJoin: random.chance(0.5),
  })
  Object.assign(serviceConfiguration, {
    applyMultiTenancy: random.chance(0.4),
    applyCustomField: random.chance(0.4),
    applySot: random.chance(0.5),
    sotEntities: resolvedModel.entities.filter(() => random.chance(0.5)).map(({ name }) => name),
  })
  return {
    format: packageModelFormat,
    package: 'arbitrary',
    version: '1.0.0',
    manifestVersion: '1.0.0',
    root: resolvedModel.root.id,
    manifests: [...resolvedModel.manifests],
    entities: [...resolvedModel.byId.values()],
    configuration,
  }
}
