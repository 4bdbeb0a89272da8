import type { OnReferences } from '../detach.ts'
import type { EntityContent } from '../entity.ts'
import { isPrimaryKey, newTypeAttribute, type DataType, type TypeAttribute } from '../type-attribute.ts'
import type { EntityEdit } from './entity-edit.ts'
import type { ItemChange } from './lists.ts'

// What a person does to type attributes, as edits with all that follows from it.

type Fields = Partial<Omit<TypeAttribute, 'uid' | 'position'>>

/** A further attribute, after everything else. */
export function attributeAdded(content: EntityContent, given: { name: string; dataType: DataType }): EntityEdit[] {
  const item = newTypeAttribute({ ...given, position: nextPosition(content) })
  return [{ kind: 'addAttributes', added: [{ item, before: null }] }]
}

/** Fields of one attribute. A new data type clears what only the old one could mean; there is one key. */
export function attributeChanged({ typeAttributes }: EntityContent, uid: string, given: Fields): EntityEdit[] {
  const attribute = typeAttributes.find(item => item.uid === uid)
  if (!attribute) return []
  const others: ItemChange<Fields>[] =
    given.purpose === 'identifiedBy'
      ? typeAttributes
          .filter(item => item.uid !== uid && isPrimaryKey(item))
          .map(item => ({ uid: item.uid, change: { purpose: 'hasA' } }))
      : []
  const change = { ...clearedBy(attribute, given.dataType), ...given }
  return [{ kind: 'changeAttributes', changes: [{ uid, change }, ...others] }]
}

/** `onReferences`: what becomes of relationships to them, where there are any. */
export function attributesRemoved(uids: Iterable<string>, onReferences?: OnReferences): EntityEdit[] {
  return [{ kind: 'removeAttributes', uids: [...uids], ...(onReferences ? { onReferences } : {}) }]
}

/**
 * The movable attributes (all but the key) in the order of the uids. They share their places with the relationships and trade
 * places among themselves only.
 */
export function attributesOrdered({ typeAttributes }: EntityContent, uids: readonly string[]): EntityEdit[] {
  const movable = typeAttributes.filter(item => !isPrimaryKey(item)).toSorted((a, b) => a.position - b.position)
  const wanted = new Map(uids.map((uid, index) => [uid, index]))
  const placeOf = ({ uid }: TypeAttribute) => wanted.get(uid) ?? uids.length
  const ordered = movable.toSorted((a, b) => placeOf(a) - placeOf(b))
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

function clearedBy(attribute: TypeAttribute, dataType: DataType | undefined): Fields {
  if (dataType === undefined || dataType === attribute.dataType) return {}
  const maxLength = dataType === 'string' ? attribute.maxLength : null
  return { format: null, precision: null, scale: null, maxLength, traits: [] }
}
