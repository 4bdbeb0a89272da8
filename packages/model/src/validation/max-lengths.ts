import type { EntityNode } from '../entity.ts'
import type { Problem } from '../problem.ts'
import { maxLength } from '../rules/max-length.ts'
import { warning, type Subject } from './subject.ts'
import { texts } from './texts.ts'

/** Max lengths are supported by databases; imported ones may not be. */
export function maxLengths(entity: EntityNode, subject: Subject): Problem[] {
  return subject.declaredBy(entity).flatMap(item => {
    if (item.kind === 'foreignKey' || item.attribute.maxLength === null) return []
    const message = maxLength(String(item.attribute.maxLength))
    if (message === undefined) return []
    return [warning('maxLength', texts.maxLength(item.name, message), subject.pathTo(entity, item))]
  })
}
