import { type Column, columnName, columnsOf, isKey, isRelationship, isTypeAttribute } from '../columns.ts'
import { newEntityAttribute, onDeleteActions } from '../entity-attribute.ts'
import type { EntityNode } from '../entity.ts'
import type { KeyPair } from '../key-pair.ts'
import { newTypeAttribute } from '../type-attribute.ts'
import { newUid } from '../uid.ts'
import { isKeyDataType } from '../rules/type-attribute.ts'
import type { Random } from './seeded-random.ts'

// For tests only: random foreign keys over several columns.

/** Adds foreign keys to keys of several columns and to what is unique together; some that no database constrains. */
export function withPairs(entities: readonly EntityNode[], random: Random): EntityNode[] {
  const all = [...entities]
  if (all.every(entity => keysOf(entity).length === 0)) all.splice(0, all.length, ...withUniqueGroup(all, random))
  const targets = all.filter(entity => keysOf(entity).length > 0)
  if (targets.length === 0) return all
  return all.map(entity => (random.chance(0.4) ? withKeyTo(random.pick(targets), entity, random) : entity))
}

/** The sets of at least two own columns that identify a record. */
function keysOf(entity: EntityNode): (readonly Column[])[] {
  const columns = columnsOf(entity)
  const groups = entity.groups
    .filter(({ kind }) => kind === 'unique')
    .map(({ members }) => members.map(({ uid }) => columns.find(column => column.uid === uid)))
  return [columns.filter(isKey), ...groups].flatMap(key => {
    const own = key.filter(column => column !== undefined)
    return own.length > 1 && own.length === key.length && own.every(isCompared) ? [own] : []
  })
}

function hasKeyType(column: Column): boolean {
  return isKeyDataType(isTypeAttribute(column) ? column.dataType : column.foreignKeyDataType)
}

function isCompared(column: Column): boolean {
  return !isTypeAttribute(column) || column.dataType !== 'object'
}

function withUniqueGroup(entities: readonly EntityNode[], random: Random): EntityNode[] {
  const able = entities.filter(entity => columnsOf(entity).filter(isCompared).length > 1)
  if (able.length === 0) return [...entities]
  const chosen = random.pick(able)
  const columns = columnsOf(chosen).filter(isCompared).slice(0, 2)
  const members = columns.map(column => ({ uid: column.uid, name: columnName(column), descending: false }))
  const group = { uid: newUid(), kind: 'unique' as const, name: '', members }
  return entities.map(entity => (entity === chosen ? { ...entity, groups: [...entity.groups, group] } : entity))
}

function withKeyTo(target: EntityNode, entity: EntityNode, random: Random): EntityNode {
  const key = random.pick(keysOf(target))
  const main = random.pick(key)
  const further = key.filter(column => column !== main && !random.chance(0.03))
  const start = columnsOf(entity).length
  const nullable = random.chance(0.7)
  // Keys of other types are imported with a warning.
  const isPart = random.chance(0.15) && key.every(hasKeyType)
  const columns = further.map((column, at) => copyOf(column, start + at, { nullable, isPart }))
  const alsoBy = columns.map(({ uid, ...own }, at): KeyPair => {
    const other = further[at] ?? main
    const name = 'name' in own ? own.name : own.foreignKeyTypeAttribute
    return { uid, name, target: columnName(other), targetUid: random.chance(0.5) ? other.uid : null }
  })
  const relationship = newEntityAttribute({
    associatedEntity: { id: target.id, name: target.name, path: target.path },
    associatedEntityTypeAttribute: columnName(main),
    foreignKeyTypeAttribute: `main${start + columns.length}`,
    foreignKeyPurpose: isPart ? 'identifiedBy' : 'hasA',
    foreignKeyDataType: isTypeAttribute(main) && main.dataType !== 'object' ? main.dataType : 'integer',
    alsoBy,
    nullable: nullable || random.chance(0.2),
    onDelete: random.pick(onDeleteActions),
    position: start + columns.length,
  })
  return {
    ...entity,
    typeAttributes: [...entity.typeAttributes, ...columns.filter(isTypeAttribute)],
    entityAttributes: [...entity.entityAttributes, ...columns.filter(isRelationship), relationship],
  }
}

/** A column of the same type. */
function copyOf(
  column: Column,
  position: number,
  { nullable, isPart }: { nullable: boolean; isPart: boolean },
): Column {
  const purpose = isPart ? 'identifiedBy' : 'hasA'
  if (isTypeAttribute(column)) {
    const { dataType, format, maxLength, precision, scale } = column
    const name = `also${position}`
    return newTypeAttribute({ name, position, dataType, format, maxLength, precision, scale, nullable, purpose })
  }
  const { associatedEntity, associatedEntityTypeAttribute, foreignKeyDataType, alternativeTargets } = column
  return newEntityAttribute({
    associatedEntity,
    associatedEntityTypeAttribute,
    foreignKeyDataType,
    alternativeTargets,
    foreignKeyTypeAttribute: `also${position}`,
    foreignKeyPurpose: purpose,
    nullable,
    position,
  })
}
