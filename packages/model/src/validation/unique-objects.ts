import type { EntityNode } from '../entity.ts'
import type { Problem } from '../problem.ts'
import { warning, type Subject } from './subject.ts'
import { texts } from './texts.ts'

/** No database compares objects in a constraint or an index. */
export function uniqueObjects(entity: EntityNode, subject: Subject): Problem[] {
  return subject
    .declaredBy(entity)
    .filter(item => item.kind === 'type' && item.dataType === 'object')
    .filter(item => item.kind === 'type' && (item.attribute.unique || item.attribute.indexed))
    .map(item => warning('notIndexable', texts.uniqueObject(item.name), subject.pathTo(entity, item)))
}
