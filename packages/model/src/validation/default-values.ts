import type { EntityNode } from '../entity.ts'
import type { Problem } from '../problem.ts'
import { defaultValue } from '../rules/default-value.ts'
import { warning, type Subject } from './subject.ts'
import { texts } from './texts.ts'

/** Default values fit their attributes; imported ones may not. */
export function defaultValues(entity: EntityNode, subject: Subject): Problem[] {
  return subject.declaredBy(entity).flatMap(item => {
    if (item.kind === 'foreignKey') return []
    const message = defaultValue(item.attribute.defaultValue, item.attribute)
    if (message === undefined) return []
    return [warning('defaultType', texts.defaultValue(item.name, message), subject.pathTo(entity, item))]
  })
}
