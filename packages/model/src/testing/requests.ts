import { entityRequest } from '../contract/entity-shapes.ts'
import type { EntityContent } from '../entity.ts'
import { newUid } from '../uid.ts'
import { aKey, anEntity, anEntityContent, aRelationship, aTypeAttribute } from './builders.ts'

// For tests only: requests in wire format.

/** A request with both lists, parsed by the contract's schema; its items may be parts of another request. */
export function request(entity: Record<string, unknown>, rest: Record<string, unknown> = {}) {
  const read = entityRequest.parse({ entity: { name: 'Customer', ...entity }, ...rest })
  const { typeAttributes = [], entityAttributes: relationships = [] } = read.entity
  const entityAttributes = relationships.map(({ sentAs: _sentAs, ...item }) => item)
  return { ...read, entity: { ...read.entity, typeAttributes, entityAttributes } }
}

/** A request of the page without changes. */
export function unchanged(content: EntityContent): Record<string, unknown> {
  return {
    uid: content.uid,
    name: content.name,
    description: content.description,
    extendsEntity: content.extendsEntity,
    operationScopes: content.operationScopes,
    typeAttributes: content.typeAttributes.map(({ nullable, traits: _traits, copiedFrom: _from, ...rest }) => ({
      ...rest,
      isNullable: nullable,
      appliedTraits: [],
    })),
    entityAttributes: content.entityAttributes.map(item => ({
      uid: item.uid,
      associatedEntityId: item.associatedEntity.id,
      associatedEntityName: item.associatedEntity.name,
      associatedEntityPath: item.associatedEntity.path,
      associatedEntityTypeAttribute: item.associatedEntityTypeAttribute,
      description: item.description,
      traitReference: item.traitReference,
      simple: item.simple,
      foreignKeyAttribute: {
        purpose: item.foreignKeyPurpose,
        dataType: item.foreignKeyDataType,
        typeAttributeName: item.foreignKeyTypeAttribute,
      },
      nullable: item.nullable,
      unique: item.unique,
      onDelete: item.onDelete,
      position: item.position,
    })),
  }
}

/** A stored entity with everything that requests lack: traits, import paths, origin of a copy. */
export const stored: EntityContent = anEntityContent({
  extendsEntity: { id: 9, name: 'Party', path: 'user-defined/Party' },
  referenceImportPaths: ['cdm:/foundations.cdm.json'],
  traits: ['is.entity'],
  copiedFrom: newUid(),
  typeAttributes: [
    aKey({ traits: ['is.identifiedBy'] }),
    aTypeAttribute({ name: 'title', position: 1, traits: ['means.title'], maxLength: 80, description: 'Its title' }),
    aTypeAttribute({ name: 'pieces', position: 3, dataType: 'integer', format: 'int32', traits: ['means.count'] }),
  ],
  entityAttributes: [aRelationship(anEntity({ name: 'Country' }), { position: 2, traits: ['is.linked'] })],
  operationScopes: { ...anEntityContent().operationScopes, selectOperationScopes: ['read'] },
})
