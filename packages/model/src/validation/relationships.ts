import type { EntityAttribute } from '../entity-attribute.ts'
import type { EntityNode } from '../entity.ts'
import type { Problem, ProblemStep } from '../problem.ts'
import { error, warning, type Subject } from './subject.ts'
import { texts } from './texts.ts'

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
  if (attribute.dataType === type) return []
  return [error('targetType', texts.targetType(key, type, target.name, attribute.name, attribute.dataType), path)]
}
