import { assignPositions, type Placed, relationshipFrom } from '../apply-request.ts'
import { type Column, columnsOf, isKey, isTypeAttribute } from '../columns.ts'
import type { RelationshipRequest } from '../contract/entity-shapes.ts'
import type { OnReferences } from '../detach.ts'
import type { EntityAttribute, EntityReference } from '../entity-attribute.ts'
import type { EntityContent } from '../entity.ts'
import { namesOf } from '../fields/field.ts'
import { typeAttributeFields } from '../fields/type-attribute.ts'
import { constraintsWithoutParent } from '../constraints.ts'
import { type InheritedKey, inheritsKey, withoutSecondKey, withRestoredKey } from '../one-key.ts'
import { foldName } from '../paths.ts'
import { replacedAttribute } from '../rules/relationship.ts'
import { type DataType, isPrimaryKey, newTypeAttribute, type TypeAttribute } from '../type-attribute.ts'
import { isUid, newUid } from '../uid.ts'
import { movesBetween } from './column-moves.ts'
import { hasEffect } from './definition.ts'
import { attributeChange, type EntityEdit, entityEditsBetween } from './entity-edits.ts'
import type { ItemChange } from './lists.ts'

// User actions on an entity, as edits with their consequences: first those on type attributes.

type Fields = Partial<Omit<TypeAttribute, 'uid' | 'position'>>

/** A new attribute in last position. */
export function addAttributeEdits(content: EntityContent, fields: { name: string; dataType: DataType }): EntityEdit[] {
  const item = newTypeAttribute({ ...fields, position: nextPosition(content) })
  return [{ kind: 'addAttributes', added: [{ item, before: null }] }]
}

/** Changes fields of an attribute. A new data type clears fields that applied only to the old one; an entity has one key. */
export function changeAttributeEdits({ typeAttributes }: EntityContent, uid: string, fields: Fields): EntityEdit[] {
  const attribute = typeAttributes.find(item => item.uid === uid)
  if (!attribute) return []
  const others: ItemChange<Fields>[] =
    fields.purpose === 'identifiedBy'
      ? typeAttributes
          .filter(item => item.uid !== uid && isPrimaryKey(item))
          .map(item => ({ uid: item.uid, change: { purpose: 'hasA' } }))
      : []
  const change = { ...clearedBy(attribute, fields), ...fields }
  return [{ kind: 'changeAttributes', changes: [{ uid, change }, ...others] }]
}

/** `onReferences`: how references to the attributes are handled, if there are any. */
export function removeAttributesEdits(uids: Iterable<string>, onReferences?: OnReferences): EntityEdit[] {
  return [{ kind: 'removeAttributes', uids: [...uids], ...(onReferences ? { onReferences } : {}) }]
}

/** Reorders columns (all but the key) by uid. They exchange positions among themselves; relationships that are not named keep theirs. */
export function reorderColumnsEdits(content: EntityContent, uids: readonly string[]): EntityEdit[] {
  const ranks = new Map(uids.map((uid, index) => [uid, index]))
  const columns = columnsOf(content)
  const movable = columns
    .filter(item => !isKey(item) && (isTypeAttribute(item) || ranks.has(item.uid)))
    .toSorted((a, b) => a.position - b.position)
  const rankOf = ({ uid }: Column) => ranks.get(uid) ?? uids.length
  const ordered = movable.toSorted((a, b) => rankOf(a) - rankOf(b))
  const positions = new Map(ordered.map(({ uid }, index) => [uid, movable[index]?.position ?? index]))
  const after = columns.map(({ uid, position }) => ({ uid, position: positions.get(uid) ?? position }))
  return [{ kind: 'moveColumns' as const, ...movesBetween(columns, after) }].filter(hasEffect)
}

/** The position after the last attribute and relationship. */
export function nextPosition({
  typeAttributes,
  entityAttributes,
}: Pick<EntityContent, 'typeAttributes' | 'entityAttributes'>): number {
  return [...typeAttributes, ...entityAttributes].reduce((next, item) => Math.max(next, item.position + 1), 0)
}

/** Fields that a change of other fields resets. */
export function clearedBy(attribute: TypeAttribute, change: Fields): Fields {
  const cleared = namesOf(typeAttributeFields, field => field.clearedBy?.(change, attribute) ?? false)
  if (cleared.length === 0) return {}
  return attributeChange.parse(Object.fromEntries(cleared.map(name => [name, typeAttributeFields[name].default])))
}

// Actions on relationships, without validation; check the result with `entityProblems`.

/**
 * Adds a relationship. A non-key type attribute with the foreign key's name is replaced; the relationship keeps its uid and, unless one is
 * requested, its position.
 */
export function addRelationshipEdits(
  content: EntityContent,
  request: RelationshipRequest,
): { edits: EntityEdit[]; item: EntityAttribute } {
  const replaced = replacedAttribute(request.foreignKeyTypeAttribute ?? '', content.typeAttributes)
  const uid = replaced?.uid ?? freshUid(content, request.uid)
  const made = relationshipFrom(request, uid)
  const described = { ...made, description: made.description || (replaced?.description ?? '') }
  const requested = request.position ?? replaced?.position ?? nextPosition(content)
  const { first: typeAttributes, second: entityAttributes } = assignPositions(
    content.typeAttributes.filter(item => item !== replaced).map(asPlaced),
    [...content.entityAttributes.map(asPlaced), { value: described, requested, before: replaced?.position }],
  )
  const item = entityAttributes.find(other => other.uid === uid) ?? described
  const next = entityAttributes.toSorted((a, b) => a.position - b.position)
  return { item, edits: entityEditsBetween(content, { ...content, typeAttributes, entityAttributes: next }) }
}

function asPlaced<T extends { position: number }>(value: T): Placed<T> {
  return { value, requested: value.position, before: value.position }
}

/** Changes the relationship as requested; uid and position are unchanged. */
export function changeRelationshipEdits(
  content: EntityContent,
  uid: string,
  request: RelationshipRequest,
): EntityEdit[] {
  const entityAttributes = content.entityAttributes.map(item =>
    item.uid === uid ? relationshipFrom(request, uid, item) : item,
  )
  return entityEditsBetween(content, { ...content, entityAttributes })
}

/** Removes the relationship with its foreign key column. */
export function removeRelationshipEdits(uid: string): EntityEdit[] {
  return [{ kind: 'removeRelationships', uids: [uid] }]
}

/** The relationship addressed by a call: by target entity and foreign key name. */
export function findRelationship(
  content: EntityContent,
  associatedEntityId: number,
  foreignKey: string,
): EntityAttribute | undefined {
  const name = foldName(foreignKey)
  return content.entityAttributes.find(
    item => item.associatedEntity.id === associatedEntityId && foldName(item.foreignKeyTypeAttribute) === name,
  )
}

function freshUid(content: EntityContent, requested: string | undefined): string {
  if (requested === undefined || !isUid(requested)) return newUid()
  const used = [content, ...content.typeAttributes, ...content.entityAttributes]
  return used.some(({ uid }) => uid === requested) ? newUid() : requested
}

// Setting or removing the parent, with the effect on the primary key. `keys`: keys of the new or former parent.

/** Uid of the automatic key that a parent with these keys replaces; undefined without one. */
export function replacedKeyOf(content: EntityContent, keys: readonly InheritedKey[]): string | undefined {
  const left = withoutSecondKey(content, keys)
  return left === content ? undefined : content.typeAttributes.find(isPrimaryKey)?.uid
}

/** Sets the parent. `onReferences`: how relationships to the replaced key are handled. */
export function setParentEdits(
  content: EntityContent,
  { parent, keys }: { parent: EntityReference; keys: readonly InheritedKey[] },
  onReferences?: OnReferences,
): EntityEdit[] {
  const replacedKey = replacedKeyOf(content, keys)
  return [
    { kind: 'changeEntity', change: { extendsEntity: parent } },
    ...(replacedKey === undefined ? [] : removeAttributesEdits([replacedKey], onReferences)),
  ]
}

/**
 * Removes the parent, takes inherited columns out of groups and checks, and restores the automatic key if the inherited one is lost. `onReferences`: how references to inherited columns are
 * handled, by uid.
 */
export function removeParentEdits(
  content: EntityContent,
  keys: readonly InheritedKey[],
  onReferencesByUid: Readonly<Record<string, OnReferences>> = {},
): EntityEdit[] {
  const onReferences = Object.keys(onReferencesByUid).length > 0 ? { onReferences: { ...onReferencesByUid } } : {}
  const restored = inheritsKey(content, keys) ? withRestoredKey(content) : content
  const change = { extendsEntity: null, ...constraintsWithoutParent(restored) }
  return [{ kind: 'changeEntity', change, ...onReferences }, ...entityEditsBetween(content, restored)]
}
