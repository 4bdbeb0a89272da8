import { configurationWarnings, needsEntities } from '../configuration-warnings.ts'
import type { Problem } from '../problem.ts'
import { warning, type Subject } from './subject.ts'

/** Settings of the configuration without the expected effect. */
export function configurationSettings(subject: Subject): Problem[] {
  const { configuration } = subject.options
  if (!configuration) return []
  const served = (needsEntities(configuration) ? subject.resolvedModel.entities : []).map(entity => ({
    name: entity.name,
    primaryKey: subject.attributesOf(entity).find(attribute => attribute.isPrimaryKey)?.name ?? null,
    operationScopes: entity.operationScopes,
  }))
  const path = subject.manifestPath(subject.resolvedModel.root)
  return configurationWarnings(configuration, served).map(({ code, message }) => warning(code, message, path))
}
