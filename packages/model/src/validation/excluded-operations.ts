import type { EntityNode } from '../entity.ts'
import { defaultOperations, isSameOperation, parseExclusion, type ApiOperation } from '../operations.ts'
import { foldName } from '../paths.ts'
import type { Problem } from '../problem.ts'
import { error, type Subject } from './subject.ts'
import { texts } from './texts.ts'

/** Excluded operations exist on an entity of the manifest. */
export function excludedOperations(subject: Subject): Problem[] {
  const excluded = subject.options.configuration?.configurationBuild.apiConfiguration.excludeOperations ?? []
  if (excluded.length === 0) return []
  const byName = new Map(subject.resolvedModel.entities.map(entity => [foldName(entity.name), entity]))
  const path = subject.manifestPath(subject.resolvedModel.root)
  const operations = new Map<number, readonly ApiOperation[]>()
  return excluded.flatMap(text => {
    const operation = parseExclusion(text)
    const entity = operation && byName.get(foldName(operation.entity))
    if (!entity) return [error('exclusion', texts.exclusion(text), path)]
    const available = operations.get(entity.id) ?? operationsOf(entity, subject)
    operations.set(entity.id, available)
    const exists = available.some(one => isSameOperation(one, operation))
    return exists ? [] : [error('exclusion', texts.exclusion(text), path)]
  })
}

function operationsOf(entity: EntityNode, subject: Subject): readonly ApiOperation[] {
  const key = subject.attributesOf(entity).find(attribute => attribute.isPrimaryKey)?.name ?? null
  return defaultOperations(entity.name, key)
}
