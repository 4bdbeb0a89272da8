import type { EntityAttribute } from './entity-attribute.ts'
import type { EntityContent } from './entity.ts'
import type { Purpose, TypeAttribute } from './type-attribute.ts'

/** An attribute or relationship: both become columns, in one order. */
export type Column = TypeAttribute | EntityAttribute

type Lists = Pick<EntityContent, 'typeAttributes' | 'entityAttributes'>

export function columnsOf({ typeAttributes, entityAttributes }: Lists): Column[] {
  return [...typeAttributes, ...entityAttributes]
}

export function columnsInOrder(lists: Lists): Column[] {
  return columnsOf(lists).toSorted((a, b) => a.position - b.position)
}

export function isTypeAttribute(column: Column): column is TypeAttribute {
  return 'dataType' in column
}

export function isRelationship(column: Column): column is EntityAttribute {
  return !isTypeAttribute(column)
}

export function purposeOf(column: Column): Purpose {
  return isTypeAttribute(column) ? column.purpose : column.foreignKeyPurpose
}

/** Whether a column is a primary key. */
export function isKey(column: Column): boolean {
  return purposeOf(column) === 'identifiedBy'
}

/** The name of the attribute or foreign key. */
export function columnName(column: Column): string {
  return isTypeAttribute(column) ? column.name : column.foreignKeyTypeAttribute
}
