import type { EntityAttribute } from '@cadmus/model/entity-attribute'
import { isEqual } from '@cadmus/model/equal'
import type { Field } from '@cadmus/model/fields/field'
import { relationshipFields, relationshipNames } from '@cadmus/model/fields/relationship'
import { typeAttributeFields, typeAttributeNames } from '@cadmus/model/fields/type-attribute'
import type { ResolvedAttribute } from '@cadmus/model/inherit'
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
  return [
    ...(dataType === read.dataType ? [] : [`its data type ${dataType}`]),
    ...(format === null || format === read.format ? [] : [`its format ${format}`]),
    ...lossesIn(typeAttributeFields, typeAttributeNames, attribute),
  ]
}

function ofRelationship(relationship: EntityAttribute, isJoined: boolean): string[] {
  return [
    ...(isJoined ? [`that it points at '${relationship.associatedEntityTypeAttribute}'`] : []),
    ...lossesIn(relationshipFields, relationshipNames, relationship),
  ]
}

function lossesIn<T extends object>(
  fields: { readonly [name in keyof T]: Field<T> },
  names: readonly (keyof T)[],
  item: T,
): string[] {
  return names.flatMap(name => {
    const { carried, default: fresh } = fields[name]
    if (typeof carried.dataModel !== 'object' || isEqual(item[name], fresh)) return []
    return [carried.dataModel.lost(item[name])]
  })
}

export function listed(words: readonly string[]): string {
  const [last = ''] = words.slice(-1)
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} and ${last}`
}
