import * as z from 'zod'
import { defineCall } from './call.ts'
import { entityAnswer, entityAttributeAnswer, entityEnvelope, relationshipRequest } from './entity-shapes.ts'
import { entityTag } from './lists.ts'
import { onReferencesQuery } from './references.ts'
import { base } from './routes.ts'
import { idParams, resultAnswer, saveIdQuery } from './shared.ts'

/** -1 if the target entity is not stored. */
const openIdSchema = z.coerce.number().int().min(-1)
const relationshipParams = idParams.extend({ associatedEntityId: openIdSchema })

/** Name of the relationship's foreign key before the change. */
const relationshipQuery = z.object({ associatedAttributeName: z.string().max(400) })

/** The relationship, and its entity in the state of the answer's ETag, which may include concurrent changes. */
export const relationshipAnswer = z.object({ entityAttribute: entityAttributeAnswer, entity: entityAnswer })
export type RelationshipAnswer = z.output<typeof relationshipAnswer>

export const addRelationship = defineCall({
  id: 'addRelationship',
  method: 'POST',
  path: `${base}/entity/{id}/associatedEntity`,
  tag: entityTag,
  access: 'user',
  concurrency: 'if-match',
  summary:
    "Adds a relationship; a type attribute with its foreign key's name becomes the foreign key and keeps its uid.",
  params: idParams,
  query: saveIdQuery,
  body: relationshipRequest,
  answer: relationshipAnswer,
})

export const updateRelationship = defineCall({
  id: 'updateRelationship',
  method: 'PUT',
  path: `${base}/entity/{id}/associatedEntity/{associatedEntityId}`,
  tag: entityTag,
  access: 'user',
  concurrency: 'if-match',
  summary:
    'Changes a relationship, merged by field with saves since the state of If-Match. Absent fields are unchanged; sending back a relationship as answered changes nothing.',
  params: relationshipParams,
  query: relationshipQuery,
  body: relationshipRequest,
  answer: relationshipAnswer,
})

export const deleteRelationship = defineCall({
  id: 'deleteRelationship',
  method: 'DELETE',
  path: `${base}/entity/{id}/associatedEntity/{associatedEntityId}`,
  tag: entityTag,
  access: 'user',
  concurrency: 'if-match',
  summary:
    'Removes a relationship; 409 if it changed since the state of If-Match, or if its foreign key has references and `onReferences` is absent.',
  params: relationshipParams,
  query: relationshipQuery.extend(onReferencesQuery.shape),
  answer: resultAnswer.extend(entityEnvelope.shape),
})

export const relationshipCalls = {
  addRelationship,
  updateRelationship,
  deleteRelationship,
}
