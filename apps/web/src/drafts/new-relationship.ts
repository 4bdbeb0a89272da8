import { type EntityAnswer, relationshipRequest } from '@cadmus/model/contract/entity-shapes'
import type { EntityListItem } from '@cadmus/model/contract/lists'
import { addRelationshipEdits } from '@cadmus/model/edits/entity-actions'
import type { EntityEdit } from '@cadmus/model/edits/entity-edits'
import type { EntityContent } from '@cadmus/model/entity'
import { defaults } from '@cadmus/model/limits'
import { keyDataTypes, type KeyDataType } from '@cadmus/model/type-attribute'

/** A relationship as the New Relationship dialog and the diagram add it to a draft. */
export type NewRelationship = {
  associatedEntity: Pick<EntityListItem, 'id' | 'name' | 'location'>
  associatedEntityTypeAttribute: string
  foreignKeyTypeAttribute: string
  foreignKeyDataType: KeyDataType
  /** Further own columns of the key, with the attributes that they refer to, by name. */
  alsoBy?: readonly { name: string; target: string }[]
}

export function newRelationshipEdits(
  content: EntityContent,
  relationship: NewRelationship,
  version: string,
): EntityEdit[] {
  const { associatedEntity, associatedEntityTypeAttribute, foreignKeyTypeAttribute, foreignKeyDataType } = relationship
  const request = relationshipRequest.parse({
    associatedEntityId: associatedEntity.id,
    associatedEntityName: associatedEntity.name,
    associatedEntityPath: associatedEntity.location,
    associatedEntityTypeAttribute,
    alsoBy: relationship.alsoBy ?? [],
    description: '',
    traitReference: defaults.traitReference,
    simple: 'true',
    foreignKeyAttribute: { purpose: 'hasA', dataType: foreignKeyDataType, typeAttributeName: foreignKeyTypeAttribute },
    version,
  })
  return addRelationshipEdits(content, request).edits
}

/** An attribute that a foreign key may reference: own or inherited, integer or string. */
export type Target = { name: string; isPrimaryKey: boolean; dataType: KeyDataType }

export function targetsOf({ resolvedAttributes = [] }: Pick<EntityAnswer, 'resolvedAttributes'>): Target[] {
  return resolvedAttributes.flatMap(({ name, isPrimaryKey, dataType }) => {
    const keyType = keyDataTypes.find(type => type === dataType)
    return keyType ? [{ name, isPrimaryKey, dataType: keyType }] : []
  })
}
