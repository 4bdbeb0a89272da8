import type { ResolvedAttribute } from '../inherit.ts'
import type { EntityNode } from '../entity.ts'
import type { Problem } from '../problem.ts'
import { warning, type Subject } from './subject.ts'
import { texts } from './texts.ts'

/** A foreign key refers to one row: its target is the primary key or unique. */
export function targetUnique(entity: EntityNode, subject: Subject): Problem[] {
  const { standsFor } = subject.nameConflicts
  return subject.declaredBy(entity).flatMap(item => {
    if (item.kind === 'type' || item.relationship.alternativeTargets.length > 0) return []
    const { associatedEntity, associatedEntityTypeAttribute: name } = item.relationship
    const target = standsFor.get(associatedEntity.id)
    const attribute = target && subject.attributeOf(target, name)
    if (!attribute || isOneRow(attribute, subject.attributesOf(target))) return []
    const message = texts.targetNotUnique(item.name, target.name, attribute.name)
    return [warning('targetNotUnique', message, subject.pathTo(entity, item))]
  })
}

function isOneRow(attribute: ResolvedAttribute, all: readonly ResolvedAttribute[]): boolean {
  const isUnique = attribute.kind === 'type' ? attribute.attribute.unique : attribute.relationship.unique
  return isUnique || (attribute.isPrimaryKey && all.filter(one => one.isPrimaryKey).length === 1)
}
