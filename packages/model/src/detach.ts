import { type Column, columnsInOrder, isKey, isRelationship, isTypeAttribute, columnName } from './columns.ts'
import type { EntityAttribute } from './entity-attribute.ts'
import type { EntityContent, EntityNode } from './entity.ts'
import { constraintsWithUids, copiedConstraints, type Constraints, withSettledConstraints } from './constraints.ts'
import { withPairUids } from './key-pairs.ts'
import { resolvedAttributes, type EntityLookup, type ResolvedAttribute } from './inherit.ts'
import { foldName } from './paths.ts'
import { newTypeAttribute, type TypeAttribute } from './type-attribute.ts'
import { newUid } from './uid.ts'

/** Handling of a relationship whose target is deleted: its column becomes an attribute, or is removed. */
export const onReferencesChoices = ['keep', 'remove'] as const
export type OnReferences = (typeof onReferencesChoices)[number]

/** The entities to delete; `lookup` still finds them and their ancestors. */
export type Removal = { removed: ReadonlySet<number>; lookup: EntityLookup; onReferences: OnReferences }

/**
 * The content without references to the deleted entities: inherited columns become its own, the nearest remaining ancestor becomes the
 * parent, and relationships become attributes or are removed.
 */
export function detachFrom(content: EntityContent, removal: Removal): EntityContent {
  const own = withInherited(content, removal)
  const stays = ({ associatedEntity }: EntityAttribute) => !removal.removed.has(associatedEntity.id)
  const remaining = own.entityAttributes.filter(stays).map(relationship => withoutAlternatives(relationship, removal))
  const left = own.entityAttributes.filter(relationship => !stays(relationship))
  const columnOf = columnsOfTargets(removal.lookup)
  const columns =
    removal.onReferences === 'keep' ? left.map(relationship => asAttribute(relationship, columnOf(relationship))) : []
  const detached = {
    ...own,
    entityAttributes: remaining,
    typeAttributes: [...own.typeAttributes, ...columns].toSorted((a, b) => a.position - b.position),
  }
  return withSettledConstraints(detached, own)
}

function withInherited(content: EntityContent, { removed, lookup }: Removal): EntityContent {
  let columns = columnsInOrder(content)
  let constraints: Constraints = content
  let parent = content.extendsEntity
  const passed = new Set<number>()
  while (parent && removed.has(parent.id)) {
    const node = passed.has(parent.id) ? undefined : lookup(parent.id)
    passed.add(parent.id)
    if (node) {
      const copies = columnsInOrder(node).map(copied)
      const byName = new Map(columns.map(column => [foldName(columnName(column)), column.uid]))
      // An own column of the same name takes the place of the inherited one.
      const uids = new Map(copies.map(one => [one.copiedFrom, byName.get(foldName(columnName(one))) ?? one.uid]))
      const inherited = copiedConstraints(node, uid => uids.get(uid))
      const own = constraintsWithUids(constraints, uid => uids.get(uid))
      constraints = {
        groups: [...inherited.groups, ...own.groups],
        checks: [...inherited.checks, ...own.checks],
      }
      columns = inPlace(copies, columns).map(column => withPairUids(column, uid => uids.get(uid)))
    }
    parent = node?.extendsEntity ?? null
  }
  if (parent === content.extendsEntity) return content
  const placed = columns.map((column, position) => ({ ...column, position }))
  return {
    ...content,
    extendsEntity: parent,
    groups: constraints.groups,
    checks: constraints.checks,
    typeAttributes: placed.filter(isTypeAttribute),
    entityAttributes: placed.filter(isRelationship),
  }
}

/** Inherited columns first; an own column of the same name takes the inherited one's place. */
function inPlace(inherited: readonly Column[], own: readonly Column[]): Column[] {
  const byName = new Map(own.map(column => [foldName(columnName(column)), column]))
  const first = inherited.map(column => byName.get(foldName(columnName(column))) ?? column)
  const placed = new Set(first.map(column => column.uid))
  // Only the nearest key is a key: with an own key an inherited one becomes an ordinary attribute.
  const hasKey = own.some(isKey)
  const ours = new Set(own)
  const demoted = first.map(column => (hasKey && isKey(column) && !ours.has(column) ? withoutKey(column) : column))
  return [...demoted, ...own.filter(column => !placed.has(column.uid))]
}

function copied<T extends Column>(column: T): T {
  return { ...column, uid: newUid(), copiedFrom: column.uid }
}

function withoutAlternatives(relationship: EntityAttribute, { removed }: Removal): EntityAttribute {
  const alternativeTargets = relationship.alternativeTargets.filter(({ entity }) => !removed.has(entity.id))
  return alternativeTargets.length === relationship.alternativeTargets.length
    ? relationship
    : { ...relationship, alternativeTargets }
}

/** The foreign key column as an attribute with the same uid, name and position, and the type of the referenced key. */
export function asAttribute(relationship: EntityAttribute, key: TypeAttribute | undefined): TypeAttribute {
  const { uid, description, nullable, unique, position, copiedFrom } = relationship
  const dataType = relationship.foreignKeyDataType
  const shape =
    key?.dataType === dataType
      ? { maxLength: key.maxLength, format: key.format, precision: key.precision, scale: key.scale }
      : {}
  return newTypeAttribute({
    ...shape,
    uid,
    name: relationship.foreignKeyTypeAttribute,
    dataType,
    purpose: relationship.foreignKeyPurpose,
    description,
    nullable,
    unique,
    position,
    copiedFrom,
    ...(dataType === 'string' && (shape.maxLength ?? null) === null ? { maxLength: keyLength } : {}),
  })
}

/** Length of a foreign key column for a string key without max length. */
const keyLength = 255

/** Resolves relationship targets by uid or name; caches each target. */
export function columnsOfTargets(lookup: EntityLookup): (relationship: EntityAttribute) => TypeAttribute | undefined {
  const targets = new Map<number, ReadonlyMap<string, ResolvedAttribute>>()
  return ({ associatedEntity: { id }, associatedEntityTypeAttribute: name, associatedEntityTypeAttributeUid: uid }) => {
    const target: EntityNode | undefined = lookup(id)
    const columns = targets.get(id) ?? byUidAndName(target ? resolvedAttributes(target, lookup) : [])
    targets.set(id, columns)
    const column = (uid === null ? undefined : columns.get(uid)) ?? columns.get(foldName(name))
    return column?.kind === 'type' ? column.attribute : undefined
  }
}

function byUidAndName(columns: readonly ResolvedAttribute[]): ReadonlyMap<string, ResolvedAttribute> {
  return new Map([
    ...columns.map(column => [foldName(column.name), column] as const),
    ...columns.map(column => [(column.kind === 'type' ? column.attribute : column.relationship).uid, column] as const),
  ])
}

function withoutKey(column: Column): Column {
  return isTypeAttribute(column) ? { ...column, purpose: 'hasA' } : { ...column, foreignKeyPurpose: 'hasA' }
}
