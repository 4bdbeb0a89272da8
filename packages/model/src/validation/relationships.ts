import type { EntityAttribute } from '../entity-attribute.ts'
import type { EntityNode } from '../entity.ts'
import type { ResolvedAttribute } from '../inherit.ts'
import type { Problem, ProblemStep } from '../problem.ts'
import { canIdentify, isKeyDataType } from '../rules/type-attribute.ts'
import { error, type Subject, warning } from './subject.ts'
import { keyPairTexts } from '../messages/key-pairs.ts'
import { texts } from '../messages/validation.ts'

/** Relationships have a target of the foreign key's type. Reports columns without a constraint. */
export function relationships(entity: EntityNode, subject: Subject): Problem[] {
  const { standsFor } = subject.nameConflicts
  return entity.entityAttributes.flatMap(relationship => {
    const { uid, foreignKeyTypeAttribute: name } = relationship
    const path: readonly ProblemStep[] = [...subject.pathOf(entity), { kind: 'entityAttribute', uid, name }]
    return problemsOf(relationship, entity, path, subject, standsFor)
  })
}

function problemsOf(
  relationship: EntityAttribute,
  entity: EntityNode,
  path: readonly ProblemStep[],
  subject: Subject,
  standsFor: ReadonlyMap<number, EntityNode>,
): Problem[] {
  const { foreignKeyTypeAttribute: key, associatedEntity } = relationship
  const target = standsFor.get(associatedEntity.id) ?? subject.lookup(associatedEntity.id)
  if (!target) return [error('targetGone', texts.targetGone(key, associatedEntity.path || associatedEntity.name), path)]
  const problems = [
    ...targetProblems(relationship, target, path, subject),
    ...pairProblems(relationship, entity, target, path, subject),
  ]
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

/** Further columns exist and have the types of their targets. */
function pairProblems(
  relationship: EntityAttribute,
  entity: EntityNode,
  target: EntityNode,
  path: readonly ProblemStep[],
  subject: Subject,
): Problem[] {
  const { foreignKeyTypeAttribute: key } = relationship
  return subject.pairsOf(relationship, entity).flatMap(({ name, column, target: other }) => {
    if (!column) return subject.isWhole(entity) ? [error('pairGone', keyPairTexts.unknown(name), path)] : []
    const attribute = subject.attributeOf(target, other)
    if (!attribute) {
      const message = texts.targetAttributeGone(key, target.name, other)
      return subject.isWhole(target) ? [error('targetAttributeGone', message, path)] : []
    }
    const { dataType: type } = attribute
    if (type === column.dataType || (column.kind === 'foreignKey' && hasOtherKeyType(attribute))) return []
    return [error('pairType', keyPairTexts.type(name, column.dataType, target.name, attribute.name, type), path)]
  })
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
    if (!attribute) return []
    if (item.relationship.alsoBy.length > 0) {
      const further = item.relationship.alsoBy.map(pair => subject.attributeOf(target, pair.target))
      const isKey = further.every(one => one !== undefined) && subject.isOneRecord([attribute, ...further], target)
      const message = keyPairTexts.notUnique(target.name)
      return isKey ? [] : [warning('targetNotUnique', message, subject.pathTo(entity, item))]
    }
    if (isOneRow(attribute, subject.attributesOf(target))) return []
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
    if (item.kind === 'type') return []
    const { onDelete, onUpdate, alsoBy } = item.relationship
    if (onDelete !== 'setNull' && onUpdate !== 'setNull') return []
    const further = subject.pairsOf(item.relationship, entity).flatMap(({ column }) => column ?? [])
    if ([item, ...further].every(({ nullable, isPrimaryKey }) => nullable && !isPrimaryKey)) return []
    const isPlain = alsoBy.length === 0 && onDelete === 'setNull'
    const message = isPlain ? texts.setNullRequired(item.name) : keyPairTexts.setNull
    return [warning('setNullRequired', message, subject.pathTo(entity, item))]
  })
}
