import { relationshipRequestFields, type RelationshipRequest } from '@cadmus/model/contract/entity-shapes'
import { asAnswered, changedAnswers } from '@cadmus/model/contract/request-fields'
import type { OnReferences } from '@cadmus/model/detach'
import type { EntityEdit } from '@cadmus/model/edits/entity-edits'
import {
  findRelationship,
  addRelationshipEdits,
  changeRelationshipEdits,
  removeRelationshipEdits,
} from '@cadmus/model/edits/column-edits'
import type { EntityAttribute } from '@cadmus/model/entity-attribute'
import type { EntityContent } from '@cadmus/model/entity'
import { mayEditAttributes } from '@cadmus/model/locks'
import { foldName } from '@cadmus/model/paths'
import { notFound, refuseFields } from '../../errors/api-error.ts'
import { isDefaultEntity } from './entity-answer.ts'
import { contentByHash } from '../../store/content.ts'
import { entityContentOf } from '../../store/entity-content.ts'
import type { StoredEntity } from '../../store/entity.ts'
import type { Change } from '../change.ts'
import { placesInRelationship } from './invalid-entity.ts'
import type { ReferenceHandling } from './column-loss.ts'
import { saveEdits } from './save-edits.ts'

/** The entity, and the state that the call is based on. */
export type RelationshipBase = { entityId: number; ifMatch: string }
/** A relationship by target entity and foreign key name in the base. */
export type RelationshipName = { associatedEntityId: number; foreignKey: string }

/** `uid`: of the relationship, `hash`: the entity's new state. */
export type ChangedRelationship = { uid: string; hash: string }

/** A change cannot touch identity and position. */
const fixedFields = { ...relationshipRequestFields, uid: asAnswered, position: asAnswered }

export async function createRelationship(
  change: Change,
  base: RelationshipBase,
  request: RelationshipRequest,
): Promise<ChangedRelationship> {
  const made = await save(change, base, request.version, (content, entity) => {
    const added = addRelationshipEdits(content, request)
    refuseFields(
      changedAnswers(relationshipRequestFields, request, { ...added.item, isDefault: isDefaultEntity(entity) }),
    )
    return { uid: added.item.uid, edits: added.edits }
  })
  if (change.operationId === undefined) return made
  // A repeated request returns the relationship created by the first.
  const body = await contentByHash(change.store.of(change.organisationId), change.organisationId, made.hash)
  const stored = body === undefined ? [] : entityContentOf(made.hash, body).entityAttributes
  const name = foldName(request.foreignKeyTypeAttribute ?? '')
  return { ...made, uid: stored.find(item => foldName(item.foreignKeyTypeAttribute) === name)?.uid ?? made.uid }
}

export async function updateRelationship(
  change: Change,
  base: RelationshipBase,
  name: RelationshipName,
  request: RelationshipRequest,
): Promise<ChangedRelationship> {
  return save(change, base, request.version, (content, entity) => {
    const before = requireRelationship(content, name)
    refuseFields(changedAnswers(fixedFields, request, { ...before, isDefault: isDefaultEntity(entity) }))
    return { uid: before.uid, edits: changeRelationshipEdits(content, before.uid, request) }
  })
}

export async function deleteRelationship(
  change: Change,
  base: RelationshipBase,
  name: RelationshipName,
  onReferences?: OnReferences,
): Promise<ChangedRelationship> {
  const editsOf = (content: EntityContent) => {
    const { uid } = requireRelationship(content, name)
    return { uid, edits: removeRelationshipEdits(uid) }
  }
  return save(change, base, undefined, editsOf, () => onReferences)
}

type Edits = { uid: string; edits: readonly EntityEdit[] }

async function save(
  change: Change,
  { entityId, ifMatch }: RelationshipBase,
  version: string | undefined,
  editsOf: (content: EntityContent, entity: StoredEntity) => Edits,
  onReferences?: ReferenceHandling,
): Promise<ChangedRelationship> {
  let uid = ''
  const { hash } = await saveEdits(change, entityId, {
    ifMatch,
    version,
    edits(base, entity) {
      const edited = editsOf(base, entity)
      uid = edited.uid
      return edited.edits
    },
    allowed: mayEditAttributes,
    onReferences,
    places: () => placesInRelationship,
  })
  return { uid, hash }
}

function requireRelationship(
  content: EntityContent,
  { associatedEntityId, foreignKey }: RelationshipName,
): EntityAttribute {
  const relationship = findRelationship(content, associatedEntityId, foreignKey)
  if (!relationship) throw notFound('The relationship')
  return relationship
}
