import type { CallInput } from '@cadmus/model/contract/call'
import type { EntityAnswer, EntityAttributeAnswer, TypeAttributeAnswer } from '@cadmus/model/contract/entity-shapes'
import type { updateEntity } from '@cadmus/model/contract/entity'
import { type EntityContent, newEntityContent } from '@cadmus/model/entity'
import { newManifestContent } from '@cadmus/model/manifest'
import { insertEntities } from '../store/entity.ts'
import { insertManifests } from '../store/manifest.ts'
import { organisationByCode } from '../store/organisation.ts'
import type { TestConsole } from './console.ts'

type UpdateBody = CallInput<typeof updateEntity>['body']
export type EntityBody = Omit<UpdateBody, 'entity'> & { entity: UpdateBody['entity'] & { name: string } }
export type RelationshipBody = NonNullable<EntityBody['entity']['entityAttributes']>[number]

const actor = { userName: 'Test' }

/** Builds the body of a save from an answer, as the page does; `changes` override the entity's fields. */
export function saveBody(entity: EntityAnswer, changes: Partial<EntityBody['entity']> = {}): EntityBody {
  return {
    entity: {
      uid: entity.uid,
      name: entity.name,
      description: entity.description,
      extendsEntity: entity.extendsEntity,
      typeAttributes: entity.typeAttributes.map(typeAttributeBody),
      entityAttributes: entity.entityAttributes.map(relationshipBody),
      operationScopes: entity.operationScopes,
      ...changes,
    },
    referenceImportPaths: entity.imports,
    version: entity.currentVersion,
  }
}

export function typeAttributeBody({ nullable, ...attribute }: TypeAttributeAnswer) {
  const { uid, name, dataType, purpose, description, choices, maxLength, defaultValue, unique, indexed } = attribute
  const { precision, scale, format, position } = attribute
  return {
    uid,
    name,
    dataType,
    purpose,
    description,
    isNullable: nullable,
    choices,
    maxLength,
    defaultValue,
    unique,
    indexed,
    precision,
    scale,
    format,
    position,
  }
}

export function relationshipBody(relationship: EntityAttributeAnswer): RelationshipBody {
  const { uid, associatedEntity, associatedEntityTypeAttribute, description, traitReference, simple } = relationship
  return {
    uid,
    associatedEntityId: associatedEntity.id,
    associatedEntityName: associatedEntity.name,
    associatedEntityPath: associatedEntity.path,
    associatedEntityTypeAttribute,
    description,
    traitReference,
    simple,
    foreignKeyAttribute: {
      purpose: relationship.foreignKeyPurpose,
      dataType: relationship.foreignKeyDataType,
      typeAttributeName: relationship.foreignKeyTypeAttribute,
    },
    nullable: relationship.nullable,
    unique: relationship.unique,
    onDelete: relationship.onDelete,
    position: relationship.position,
  }
}

export function aRelationship(target: { id: number }, foreignKey: string, attribute = 'id'): RelationshipBody {
  return {
    associatedEntityId: target.id,
    associatedEntityTypeAttribute: attribute,
    foreignKeyAttribute: { typeAttributeName: foreignKey },
  }
}

/** Adds a predefined entity to the library of this console only. */
export async function addPredefined(
  server: TestConsole,
  content: Partial<EntityContent> & Pick<EntityContent, 'name'>,
): Promise<number> {
  const { store } = server.context
  const id = await store.ids.one()
  const path = `predefined/tests/${content.name}`
  await insertEntities(store.of(0), 0, [{ id, path, content: newEntityContent(content) }], actor)
  return id
}

/** Adds an empty manifest to an organisation. */
export async function addManifest(
  server: TestConsole,
  name: string,
  organisation = 'ACME',
  uid?: string,
): Promise<number> {
  const { store } = server.context
  const organisationNumber = await organisationId(server, organisation)
  const id = await store.ids.one()
  const content = newManifestContent({ name, ...(uid === undefined ? {} : { uid }) })
  await insertManifests(
    store.of(organisationNumber),
    organisationNumber,
    [{ id, path: `user-defined/${name}`, content, members: [], subManifests: [] }],
    actor,
  )
  return id
}

export async function organisationId(server: TestConsole, code = 'ACME'): Promise<number> {
  const row = await organisationByCode(server.context.store.shared, code)
  if (!row) throw new Error(`There is no organisation ${code}.`)
  return row.id
}
