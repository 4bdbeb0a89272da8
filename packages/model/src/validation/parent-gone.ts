import type { EntityNode } from '../entity.ts'
import type { Problem } from '../problem.ts'
import { warning, type Subject } from './subject.ts'
import { texts } from './texts.ts'

/** The extended entity exists. Without it the entity has only its own attributes, which still makes a table. */
export function parentGone(entity: EntityNode, subject: Subject): Problem[] {
  const parent = entity.extendsEntity
  if (!parent || subject.lookup(parent.id)) return []
  return [warning('parentGone', texts.parentGone(entity.name, parent.path || parent.name), subject.pathOf(entity))]
}
