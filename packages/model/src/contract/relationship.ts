import * as z from 'zod'
import { defineCall } from './call.ts'
import { entityAnswer, entityAttributeAnswer, entityEnvelope, relationshipRequest } from './entity-shapes.ts'
import { entityTag } from './lists.ts'
import { onReferencesQuery } from './references.ts'
import { base } from './routes.ts'
import { idParams, resultAnswer, saveIdQuery } from './shared.ts'

/** -1 where the entity of a relationship is not in the store. */
const openIdSchema = z.coerce.number().int().min(-1)
const relationshipParams = idParams.extend({ associatedEntityId: openIdSchema })

/** Which of the relationships to that entity: its foreign key's name (before the change). */
const relationshipQuery = z.object({ associatedAttributeName: z.string().max(400) })

/** The relationship, and the entity in the state that the answer's ETag names: it may hold what others saved meanwhile. */
export const relationshipAnswer = z.object({ entityAttribute: entityAttributeAnswer, entity: entityAnswer })
export type RelationshipAnswer = z.output<typeof relationshipAnswer>

export const addRelationship = defineCall({
  id: 'addRelationship',
  method: 'POST',
  path: `${base}/entity/{id}/associatedEntity`,
  tag: entityTag,
  access: 'user',
  concurrency: 'if-match',
  summary: "Adds a relationship; a type attribute of its foreign key's name becomes the foreign key and keeps its uid.",
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
    'Changes a relationship at once, merged by field with what was saved since the state of If-Match. What the body leaves out is unchanged; one as an entity answers it changes nothing.',
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
    'Removes a relationship; 409 where it was changed since the state of If-Match, or where others refer to its foreign key and nobody says what becomes of that.',
  params: relationshipParams,
  query: relationshipQuery.extend(onReferencesQuery.shape),
  answer: resultAnswer.extend(entityEnvelope.shape),
})

export const relationshipCalls = {
  addRelationship,
  updateRelationship,
  deleteRelationship,
}
