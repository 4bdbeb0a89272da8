import { foldName } from '../paths.ts'
import type { Problem } from '../problem.ts'
import { error, type Subject } from './subject.ts'
import { texts } from './texts.ts'

/** Entities with recorded changes exist in the manifest. */
export function sotEntities(subject: Subject): Problem[] {
  const service = subject.options.configuration?.configurationBuild.serviceConfiguration
  if (!service?.applySot || service.sotEntities.length === 0) return []
  const names = new Set(subject.resolvedModel.entities.map(({ name }) => foldName(name)))
  const path = subject.manifestPath(subject.resolvedModel.root)
  const missing = service.sotEntities.filter(name => !names.has(foldName(name)))
  return missing.map(name => error('sotEntity', texts.sotEntity(name), path))
}
