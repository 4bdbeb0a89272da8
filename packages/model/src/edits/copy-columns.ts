import {
  columnName,
  type Column,
  columnsInOrder,
  columnsOf,
  isKey,
  isRelationship,
  isTypeAttribute,
} from '../columns.ts'
import type { OnReferences } from '../detach.ts'
import type { EntityContent } from '../entity.ts'
import { FreeNames } from '../free-names.ts'
import { entityProblems } from '../rules/entity.ts'
import { withPairsAmong } from '../key-pairs.ts'
import { newUid } from '../uid.ts'
import type { RefusedColumn } from './change-columns.ts'
import { hasEffect } from './definition.ts'
import { nextPosition } from './entity-actions.ts'
import { type EntityEdit, entityEditsBetween } from './entity-edits.ts'

/** Free names for columns among those taken, in order. Names that are free stay, before others get a number. */
export function freeColumnNames(columns: readonly Column[], taken: Iterable<string>): string[] {
  const names = new FreeNames({ taken })
  const keeping = new Set(columns.filter(column => !names.has(columnName(column)) && names.take(columnName(column))))
  return columns.map(column => (keeping.has(column) ? columnName(column) : names.take(columnName(column))))
}

/** The column under another name. Imported traits describe the former one. */
export function renamedColumn(column: Column, name: string): Column {
  if (columnName(column) === name) return column
  const traits: unknown[] = []
  return isTypeAttribute(column) ? { ...column, name, traits } : { ...column, foreignKeyTypeAttribute: name, traits }
}

/** A copy with its own identity. */
export function copiedColumn(column: Column, name: string): Column {
  const own = { uid: newUid(), copiedFrom: column.uid, traits: [] }
  return isTypeAttribute(column) ? { ...column, ...own, name } : { ...column, ...own, foreignKeyTypeAttribute: name }
}

/** An entity has one key: a further one is an ordinary column. */
export function withoutKey(column: Column): Column {
  if (!isKey(column)) return column
  return isTypeAttribute(column) ? { ...column, purpose: 'hasA' } : { ...column, foreignKeyPurpose: 'hasA' }
}

/** Adds columns in last position. */
export function addColumnsEdits(content: EntityContent, columns: readonly Column[]): EntityEdit[] {
  const first = nextPosition(content)
  const placed = withPairsAmong(columns, columnsOf(content)).map((column, at) => ({ ...column, position: first + at }))
  const edits: EntityEdit[] = [
    { kind: 'addAttributes', added: placed.filter(isTypeAttribute).map(item => ({ item, before: null })) },
    { kind: 'addRelationships', added: placed.filter(isRelationship).map(item => ({ item, before: null })) },
  ]
  return edits.filter(hasEffect)
}

/** Adds columns of a later content at the places that they have there. */
export function placeColumnsEdits(content: EntityContent, later: EntityContent, uids: Iterable<string>): EntityEdit[] {
  const chosen = new Set(uids)
  const columns = columnsInOrder(content)
  const order = columnsInOrder(later)
  const known = new Set(columns.map(({ uid }) => uid))
  for (const [index, column] of order.entries()) {
    if (!chosen.has(column.uid)) continue
    const above = order.slice(0, index).findLast(({ uid }) => known.has(uid))
    columns.splice(above ? columns.findIndex(({ uid }) => uid === above.uid) + 1 : 0, 0, column)
    known.add(column.uid)
  }
  const added = columns.filter(({ uid }) => chosen.has(uid))
  if (columns.slice(-added.length).every(({ uid }) => chosen.has(uid))) return addColumnsEdits(content, added)
  const paired = new Map(withPairsAmong(added, columnsOf(content)).map(column => [column.uid, column]))
  const placed = columns.map((column, position) => ({ ...(paired.get(column.uid) ?? column), position }))
  return entityEditsBetween(content, {
    ...content,
    typeAttributes: placed.filter(isTypeAttribute),
    entityAttributes: placed.filter(isRelationship),
  })
}

/** `onReferences`: how references to the columns are handled, if there are any. */
export function removeColumnsEdits(
  content: EntityContent,
  uids: Iterable<string>,
  onReferences?: OnReferences,
): EntityEdit[] {
  const removed = new Set(uids)
  const of = (columns: readonly Column[]) => columns.flatMap(({ uid }) => (removed.has(uid) ? [uid] : []))
  const [attributes, relationships] = [of(content.typeAttributes), of(content.entityAttributes)]
  return [
    ...(attributes.length > 0
      ? [{ kind: 'removeAttributes' as const, uids: attributes, ...(onReferences ? { onReferences } : {}) }]
      : []),
    ...(relationships.length > 0 ? [{ kind: 'removeRelationships' as const, uids: relationships }] : []),
  ]
}

/** Copies columns, each below its original, with free names. `taken`: further names, such as inherited ones. */
export function duplicateColumnsEdits(
  content: EntityContent,
  uids: Iterable<string>,
  taken: Iterable<string> = [],
): EntityEdit[] {
  const chosen = new Set(uids)
  const order = columnsInOrder(content)
  const originals = order.filter(({ uid }) => chosen.has(uid))
  const names = freeColumnNames(originals, [...taken, ...order.map(columnName)])
  const copied = originals.map((column, at) => withoutKey(copiedColumn(column, names[at] ?? '')))
  const copies = new Map(withPairsAmong(copied, order).map(column => [column.copiedFrom, column]))
  const columns = order
    .flatMap(column => [column, ...(copies.has(column.uid) ? [copies.get(column.uid)] : [])])
    .flatMap((column, position) => (column ? [{ ...column, position }] : []))
  return entityEditsBetween(content, {
    ...content,
    typeAttributes: columns.filter(isTypeAttribute),
    entityAttributes: columns.filter(isRelationship),
  })
}

/** Why the entity cannot have the added columns, by column; of the entity as a whole with an empty uid. */
export function addedColumnProblems(content: EntityContent, added: readonly Column[], id: number): RefusedColumn[] {
  const placed = added.map((column, at) => ({ ...column, position: nextPosition(content) + at }))
  const next = {
    ...content,
    typeAttributes: [...content.typeAttributes, ...placed.filter(isTypeAttribute)],
    entityAttributes: [...content.entityAttributes, ...placed.filter(isRelationship)],
  }
  const names = new Map(columnsOf(next).map(column => [column.uid, columnName(column)]))
  return entityProblems(next, { previous: content, id }).map(({ path, message: reason }) => {
    const uid = path.flatMap(step => ('uid' in step ? [step.uid] : [])).at(-1) ?? ''
    return { uid, name: names.get(uid) ?? '', reason }
  })
}
