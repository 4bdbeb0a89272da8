import { foldName } from '../paths.ts'
import type { EntityNode } from '../entity.ts'
import type { Problem } from '../problem.ts'
import { error, type Subject } from './subject.ts'
import { texts } from './texts.ts'

/** No entity declares a name twice. Repeating an inherited name is allowed: it overrides. */
export function repeatedAttributes(entity: EntityNode, subject: Subject): Problem[] {
  const seen = new Set<string>()
  return subject.declaredBy(entity).flatMap(attribute => {
    const isNew = seen.size < seen.add(foldName(attribute.name)).size
    if (isNew) return []
    const message = texts.repeatedAttribute(entity.name, attribute.name)
    return [error('repeatedAttribute', message, subject.pathTo(entity, attribute))]
  })
}
