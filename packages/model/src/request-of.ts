import type { EntityAttribute } from './entity-attribute.ts'
import type { EntityContent } from './entity.ts'
import type { TypeAttribute } from './type-attribute.ts'

/** The update body of document 1 §7 for this content; inverse of `contentFromRequest`. */
export function entityRequestOf(content: EntityContent, version: string, targetManifestId = -1) {
  const { format: _format, type, traits: _traits, copiedFrom: _from, referenceImportPaths, ...own } = content
  return {
    entity: {
      ...own,
      typeAttributes: content.typeAttributes.map(attributeRequestOf),
      entityAttributes: content.entityAttributes.map(item => relationshipRequestOf(item, version)),
    },
    referenceImportPaths,
    traits: [],
    targetManifestId,
    type,
    version,
  }
}

/** A type attribute in the form of requests: without stored-only fields, `nullable` as `isNullable`. */
function attributeRequestOf({ nullable, traits: _traits, copiedFrom: _from, ...fields }: TypeAttribute) {
  return { ...fields, isNullable: nullable, appliedTraits: [] }
}

/** A relationship in its wire format (document 1 §3). */
export function relationshipRequestOf(relationship: EntityAttribute, version: string) {
  const { associatedEntity, foreignKeyPurpose, foreignKeyDataType, foreignKeyTypeAttribute, ...others } = relationship
  const { traits: _traits, copiedFrom: _from, ...fields } = others
  return {
    ...fields,
    associatedEntityId: associatedEntity.id,
    associatedEntityName: associatedEntity.name,
    associatedEntityPath: associatedEntity.path,
    foreignKeyAttribute: {
      purpose: foreignKeyPurpose,
      dataType: foreignKeyDataType,
      typeAttributeName: foreignKeyTypeAttribute,
    },
    version,
  }
}
