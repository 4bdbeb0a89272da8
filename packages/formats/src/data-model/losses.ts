import type { EntityAttribute } from '@cadmus/model/entity-attribute'
import { isEqual } from '@cadmus/model/equal'
import type { Field } from '@cadmus/model/fields/field'
import { typeAttributeFields, typeAttributeNames } from '@cadmus/model/fields/type-attribute'
import type { ResolvedAttribute } from '@cadmus/model/inherit'
import type { TypeAttribute } from '@cadmus/model/type-attribute'
import { readTypes, propertyTypeOf } from './format.ts'

/**
 * Describes the properties of an attribute that the format cannot express; empty if none. Targets of foreign keys
 * that are not joined are reported separately.
 */
export function lossesOf(resolved: ResolvedAttribute, isJoined: boolean): string[] {
  const purpose = resolved.kind === 'type' ? resolved.attribute.purpose : resolved.relationship.foreignKeyPurpose
  const losses =
    purpose === 'identifiedBy' ? ['that it is the key'] : purpose === 'hasA' ? [] : [`its purpose ${purpose}`]
  return [...losses, ...(resolved.kind === 'type' ? ofType(resolved) : ofRelationship(resolved.relationship, isJoined))]
}

function ofType({ attribute }: ResolvedAttribute & { kind: 'type' }): string[] {
  const { dataType, format } = attribute
  const type = propertyTypeOf(attribute)
  const read = type === 'bigDecimal' ? { dataType: 'double', format: 'decimal' } : readTypes[type]
  const others = typeAttributeNames.flatMap(name => {
    const { carried, default: fresh }: Field<TypeAttribute> = typeAttributeFields[name]
    const value = attribute[name]
    return typeof carried.dataModel === 'object' && !isEqual(value, fresh) ? [carried.dataModel.lost(value)] : []
  })
  return [
    ...(dataType === read.dataType ? [] : [`its data type ${dataType}`]),
    ...(format === null || format === read.format ? [] : [`its format ${format}`]),
    ...others,
  ]
}

function ofRelationship(
  { unique, onDelete, associatedEntityTypeAttribute }: EntityAttribute,
  isJoined: boolean,
): string[] {
  return [
    ...(isJoined ? [`that it points at '${associatedEntityTypeAttribute}'`] : []),
    ...(unique ? ['that it is unique'] : []),
    ...(onDelete === 'restrict' ? [] : [`its action on delete (${onDelete})`]),
  ]
}

export function listed(words: readonly string[]): string {
  const [last = ''] = words.slice(-1)
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} and ${last}`
}
