import type { EntityAttribute, EntityReference } from '@cadmus/model/entity-attribute'
import type { EntityContent } from '@cadmus/model/entity'
import { foldName } from '@cadmus/model/paths'
import { newUid } from '@cadmus/model/uid'

type Options = {
  name?: string
  /** The entity itself as it is in the store, and its copy: a self-reference of the original becomes one of the copy. */
  self?: { from: number; to: EntityReference }
  /** Entities of the closure that the copy goes to, by folded name: relationships to a namesake are pointed at it. */
  namesakes?: ReadonlyMap<string, EntityReference>
}

/**
 * An independent copy: new uids for the entity and all that is in it, each remembering what it was copied from. What it extends
 * and the targets without a namesake stay as they are.
 */
export function copyEntity(source: EntityContent, options: Options = {}): EntityContent {
  return {
    ...source,
    uid: newUid(),
    copiedFrom: source.uid,
    name: options.name ?? source.name,
    type: 'EXCLUSIVE',
    typeAttributes: source.typeAttributes.map(attribute => ({
      ...attribute,
      uid: newUid(),
      copiedFrom: attribute.uid,
    })),
    entityAttributes: source.entityAttributes.map(relationship => copyRelationship(relationship, options)),
  }
}

function copyRelationship(relationship: EntityAttribute, options: Options): EntityAttribute {
  return {
    ...relationship,
    uid: newUid(),
    copiedFrom: relationship.uid,
    associatedEntity: target(relationship.associatedEntity, options),
    alternativeTargets: relationship.alternativeTargets.map(({ entity, attribute }) => ({
      entity: target(entity, options),
      attribute,
    })),
  }
}

function target(reference: EntityReference, { self, namesakes }: Options): EntityReference {
  if (self && reference.id === self.from) return self.to
  return namesakes?.get(foldName(reference.name)) ?? reference
}
