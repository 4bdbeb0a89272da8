import type { EntityNode } from '../entity.ts'
import type { Problem } from '../problem.ts'
import { warning, type Subject } from './subject.ts'
import { texts } from './texts.ts'

/** The parent exists. Without it the entity still becomes a table of its own attributes. */
export function parentGone(entity: EntityNode, subject: Subject): Problem[] {
  const parent = entity.extendsEntity
  if (!parent || subject.lookup(parent.id)) return []
  return [warning('parentGone', texts.parentGone(entity.name, parent.path || parent.name), subject.pathOf(entity))]
}
