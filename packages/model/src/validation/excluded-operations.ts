import { defaultOperations, isSameOperation, parseExclusion } from '../operations.ts'
import { foldName } from '../paths.ts'
import type { Problem } from '../problem.ts'
import { error, type Subject } from './subject.ts'
import { texts } from './texts.ts'

/** Every excluded operation is one that an entity of the manifest has. */
export function excludedOperations(subject: Subject): Problem[] {
  const excluded = subject.options.configuration?.configurationBuild.apiConfiguration.excludeOperations ?? []
  const byName = new Map(subject.closure.entities.map(entity => [foldName(entity.name), entity]))
  const path = subject.manifestPath(subject.closure.root)
  return excluded.flatMap(text => {
    const operation = parseExclusion(text)
    const entity = operation && byName.get(foldName(operation.entity))
    if (!entity) return [error('exclusion', texts.exclusion(text), path)]
    const key = subject.attributesOf(entity).find(attribute => attribute.isPrimaryKey)?.name ?? null
    const exists = defaultOperations(entity.name, key).some(one => isSameOperation(one, operation))
    return exists ? [] : [error('exclusion', texts.exclusion(text), path)]
  })
}
