import { limits } from '../limits.ts'
import type { EntityNode } from '../entity.ts'
import type { Problem } from '../problem.ts'
import { boundedName } from '../rules/bounded-name.ts'
import { entityName } from '../rules/entity-name.ts'
import { manifestName } from '../rules/manifest-name.ts'
import { warning, type Subject } from './subject.ts'
import { texts } from './texts.ts'

/** Imported names are accepted even if they break a rule, and reported here. */
export function manifestNames(subject: Subject): Problem[] {
  return subject.resolvedModel.manifests.flatMap(manifest =>
    broken(manifest.name, manifestName(manifest.name), subject.manifestPath(manifest)),
  )
}

/** Names of an entity and its attributes. */
export function entityNames(entity: EntityNode, subject: Subject): Problem[] {
  return [
    ...broken(entity.name, entityName(entity.name), subject.pathOf(entity)),
    ...subject.declaredBy(entity).flatMap(attribute => {
      const problem = boundedName(attribute.name, limits.attributeName)
      return problem === undefined ? [] : broken(attribute.name, problem, subject.pathTo(entity, attribute))
    }),
  ]
}

function broken(name: string, problem: string | undefined, path: Problem['path']): Problem[] {
  return problem === undefined ? [] : [warning('name', texts.brokenName(name, problem), path)]
}
