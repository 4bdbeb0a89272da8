import type { EntityNode } from '../entity.ts'
import type { Problem } from '../problem.ts'
import { warning, type Subject } from './subject.ts'
import { texts } from './texts.ts'

/** A required foreign key cannot be cleared when its target is deleted. */
export function setNullRequired(entity: EntityNode, subject: Subject): Problem[] {
  return subject.declaredBy(entity).flatMap(item => {
    if (item.kind === 'type' || item.relationship.onDelete !== 'setNull') return []
    if (item.nullable && !item.isPrimaryKey) return []
    return [warning('setNullRequired', texts.setNullRequired(item.name), subject.pathTo(entity, item))]
  })
}
