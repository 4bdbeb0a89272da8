import type { OnReferences } from '../detach.ts'
import type { EntityContent } from '../entity.ts'
import { isPrimaryKey, newTypeAttribute, type DataType, type TypeAttribute } from '../type-attribute.ts'
import { namesOf } from '../fields/field.ts'
import { typeAttributeFields } from '../fields/type-attribute.ts'
import { attributeChange, type EntityEdit } from './entity-edit.ts'
import type { ItemChange } from './lists.ts'

// User actions on type attributes, as edits with their consequences.

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

/** Reorders attributes (all but the key) by uid. They only exchange positions among themselves; relationships keep theirs. */
export function reorderAttributesEdits({ typeAttributes }: EntityContent, uids: readonly string[]): EntityEdit[] {
  const movable = typeAttributes.filter(item => !isPrimaryKey(item)).toSorted((a, b) => a.position - b.position)
  const ranks = new Map(uids.map((uid, index) => [uid, index]))
  const rankOf = ({ uid }: TypeAttribute) => ranks.get(uid) ?? uids.length
  const ordered = movable.toSorted((a, b) => rankOf(a) - rankOf(b))
  const places = ordered.map(({ uid }, index) => ({ uid, position: movable[index]?.position ?? index }))
  const before = new Map(movable.map(({ uid, position }) => [uid, position]))
  const moved = places.filter(({ uid, position }) => before.get(uid) !== position)
  return moved.length > 0 ? [{ kind: 'moveColumns', places: moved }] : []
}

/** The position after the last attribute and relationship. */
export function nextPosition({
  typeAttributes,
  entityAttributes,
}: Pick<EntityContent, 'typeAttributes' | 'entityAttributes'>): number {
  return [...typeAttributes, ...entityAttributes].reduce((next, item) => Math.max(next, item.position + 1), 0)
}

function clearedBy(attribute: TypeAttribute, change: Fields): Fields {
  const cleared = namesOf(typeAttributeFields, field => field.clearedBy?.(change, attribute) ?? false)
  return attributeChange.parse(Object.fromEntries(cleared.map(name => [name, typeAttributeFields[name].default])))
}
