import { isRelationship } from '../columns.ts'
import type { EntityAttribute } from '../entity-attribute.ts'
import type { EntityNode } from '../entity.ts'
import type { ResolvedAttribute } from '../inherit.ts'
import { foldName } from '../paths.ts'
import { isKeyDataType } from '../rules/type-attribute.ts'
import type { Fix } from './fix.ts'
import type { FixedProblem, FixState } from './fix-state.ts'

/** Leads a relationship whose target is gone to the only entity of the same name. */
export const useNamesake: Fix = {
  kind: 'useNamesake',
  apply(problem, state) {
    const relationship = relationshipOf(problem, state)
    if (!relationship) return undefined
    const name = foldName(relationship.associatedEntity.name)
    const [target, ...others] = state.model.entities.filter(
      one => one.id !== problem.entity && foldName(one.name) === name,
    )
    const node = target && others.length === 0 ? state.entity(target.id) : undefined
    if (!node) return undefined
    const column = attributeNamed(relationship.associatedEntityTypeAttribute, node, state) ?? keyOf(node, state)
    return column && refer(problem, state, node, column)
  },
}

/** Leads a relationship to the primary key of its target. */
export const useKey: Fix = {
  kind: 'useKey',
  apply(problem, state) {
    const relationship = relationshipOf(problem, state)
    const target = relationship && state.entity(relationship.associatedEntity.id)
    const key = target && keyOf(target, state)
    return target && key && refer(problem, state, target, key)
  },
}

/** Gives a foreign key the data type of its target. */
export const matchType: Fix = {
  kind: 'matchType',
  apply(problem, state) {
    const relationship = relationshipOf(problem, state)
    const target = relationship && state.entity(relationship.associatedEntity.id)
    const column = target && attributeNamed(relationship.associatedEntityTypeAttribute, target, state)
    return target && column && refer(problem, state, target, column) && column.dataType
  },
}

/** Makes the target of a relationship unique. */
export const makeTargetUnique: Fix = {
  kind: 'makeTargetUnique',
  apply(problem, state) {
    const relationship = relationshipOf(problem, state)
    const target = relationship && state.entity(relationship.associatedEntity.id)
    const column = target && attributeNamed(relationship.associatedEntityTypeAttribute, target, state)
    if (!target || !column || column.dataType === 'object' || relationship.alsoBy.length > 0) return undefined
    const unique = () => ({ unique: true })
    const place = { ...problem, entity: column.declaredBy.id, row: uidOf(column) }
    const isChanged = state.changeColumn(place, { attribute: unique, relationship: unique })
    return isChanged ? `${target.name}.${column.name}` : undefined
  },
}

export const makeNullable: Fix = {
  kind: 'makeNullable',
  apply(problem, state) {
    const relationship = relationshipOf(problem, state)
    if (!relationship || relationship.nullable || relationship.foreignKeyPurpose === 'identifiedBy') return undefined
    if (relationship.alsoBy.length > 0) return undefined
    return state.changeColumn(problem, { relationship: () => ({ nullable: true }) }) ? '' : undefined
  },
}

export const refuseDeletion: Fix = {
  kind: 'refuseDeletion',
  apply(problem, state) {
    if (!relationshipOf(problem, state)) return undefined
    return state.changeColumn(problem, { relationship: withoutSetNull }) ? '' : undefined
  },
}

export const removeRelationship: Fix = {
  kind: 'removeRelationship',
  apply(problem, state) {
    const relationship = relationshipOf(problem, state)
    if (!relationship || problem.entity === null) return undefined
    const isRemoved = state.change(problem.entity, content => ({
      ...content,
      entityAttributes: content.entityAttributes.filter(({ uid }) => uid !== problem.row),
    }))
    return isRemoved ? relationship.foreignKeyTypeAttribute : undefined
  },
}

function withoutSetNull({ onDelete, onUpdate }: EntityAttribute): Partial<EntityAttribute> {
  return {
    ...(onDelete === 'setNull' ? { onDelete: 'restrict' } : {}),
    ...(onUpdate === 'setNull' ? { onUpdate: 'restrict' } : {}),
  }
}

function relationshipOf(problem: FixedProblem, state: FixState): EntityAttribute | undefined {
  const column = state.column(problem)
  return column && isRelationship(column) ? column : undefined
}

function attributeNamed(name: string, target: EntityNode, state: FixState): ResolvedAttribute | undefined {
  return state.attributesOf(target).find(one => foldName(one.name) === foldName(name))
}

/** The primary key, if it is one column of a type that foreign keys have. */
function keyOf(target: EntityNode, state: FixState): ResolvedAttribute | undefined {
  const [key, ...others] = state.attributesOf(target).filter(({ isPrimaryKey }) => isPrimaryKey)
  return others.length === 0 && key && isKeyDataType(key.dataType) ? key : undefined
}

/** Returns the target in words; undefined if it cannot be referred to. */
function refer(
  problem: FixedProblem,
  state: FixState,
  { id, uid, name, path }: EntityNode,
  column: ResolvedAttribute,
): string | undefined {
  const { dataType } = column
  if (!isKeyDataType(dataType)) return undefined
  const isChanged = state.changeColumn(problem, {
    relationship: before => ({
      // Further columns refer to other attributes of the former target.
      ...(before.associatedEntity.id === id && isTarget(before, column) ? {} : { alsoBy: [] }),
      associatedEntity: { id, uid, name, path },
      associatedEntityTypeAttribute: column.name,
      associatedEntityTypeAttributeUid: uidOf(column),
      foreignKeyDataType: dataType,
    }),
  })
  return isChanged ? `${name}.${column.name}` : undefined
}

function isTarget(relationship: EntityAttribute, column: ResolvedAttribute): boolean {
  return foldName(relationship.associatedEntityTypeAttribute) === foldName(column.name)
}

function uidOf(column: ResolvedAttribute): string {
  return column.kind === 'type' ? column.attribute.uid : column.relationship.uid
}
