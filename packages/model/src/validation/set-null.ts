import type { EntityNode } from '../entity.ts'
import type { Problem } from '../problem.ts'
import { warning, type Subject } from './subject.ts'
import { texts } from './texts.ts'

/** A foreign key that must have a value cannot be cleared when what it refers to is deleted. */
export function setNullRequired(entity: EntityNode, subject: Subject): Problem[] {
  return subject.declaredBy(entity).flatMap(item => {
    if (item.kind === 'type' || item.relationship.onDelete !== 'setNull') return []
    if (item.nullable && !item.isPrimaryKey) return []
    return [warning('setNullRequired', texts.setNullRequired(item.name), subject.pathTo(entity, item))]
  })
}
