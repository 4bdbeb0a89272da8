import type { EntityAttribute } from '../entity-attribute.ts'
import type { EntityNode } from '../entity.ts'
import type { ResolvedAttribute } from '../inherit.ts'
import type { Problem, ProblemStep } from '../problem.ts'
import { canIdentify, isKeyDataType } from '../rules/type-attribute.ts'
import { error, type Subject, warning } from './subject.ts'
import { texts } from '../messages/validation.ts'

/** Relationships have a target of the foreign key's type. Reports columns without a constraint. */
export function relationships(entity: EntityNode, subject: Subject): Problem[] {
  const { standsFor } = subject.nameConflicts
  return entity.entityAttributes.flatMap(relationship => {
    const { uid, foreignKeyTypeAttribute: name } = relationship
    const path: readonly ProblemStep[] = [...subject.pathOf(entity), { kind: 'entityAttribute', uid, name }]
    return problemsOf(relationship, path, subject, standsFor)
  })
}

function problemsOf(
  relationship: EntityAttribute,
  path: readonly ProblemStep[],
  subject: Subject,
  standsFor: ReadonlyMap<number, EntityNode>,
): Problem[] {
  const { foreignKeyTypeAttribute: key, associatedEntity } = relationship
  const target = standsFor.get(associatedEntity.id) ?? subject.lookup(associatedEntity.id)
  if (!target) return [error('targetGone', texts.targetGone(key, associatedEntity.path || associatedEntity.name), path)]
  const problems = targetProblems(relationship, target, path, subject)
  if (relationship.alternativeTargets.length > 0)
    return [...problems, warning('alternatives', texts.alternatives(key), path)]
  if (standsFor.has(target.id)) return problems
  return [...problems, warning('external', texts.external(key, target.path), path)]
}

function targetProblems(
  { foreignKeyTypeAttribute: key, foreignKeyDataType: type, associatedEntityTypeAttribute: name }: EntityAttribute,
  target: EntityNode,
  path: readonly ProblemStep[],
  subject: Subject,
): Problem[] {
  const attribute = subject.attributeOf(target, name)
  if (!attribute) {
    return subject.isWhole(target)
      ? [error('targetAttributeGone', texts.targetAttributeGone(key, target.name, name), path)]
      : []
  }
  if (attribute.dataType === type || hasOtherKeyType(attribute)) return []
  return [error('targetType', texts.targetType(key, type, target.name, attribute.name, attribute.dataType), path)]
}

/** A foreign key has the type of its target, also of one that the model has no name for in a relationship. */
function hasOtherKeyType(target: ResolvedAttribute): boolean {
  return target.kind === 'type' && !isKeyDataType(target.dataType) && canIdentify(target.attribute)
}

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

/** A required foreign key cannot be cleared when its target is deleted. */
export function setNullRequired(entity: EntityNode, subject: Subject): Problem[] {
  return subject.declaredBy(entity).flatMap(item => {
    if (item.kind === 'type' || item.relationship.onDelete !== 'setNull') return []
    if (item.nullable && !item.isPrimaryKey) return []
    return [warning('setNullRequired', texts.setNullRequired(item.name), subject.pathTo(entity, item))]
  })
}
