import * as z from 'zod'
import { entityReferenceSchema } from '../entity-attribute.ts'
import { defineCall } from './call.ts'
import { onReferencesQuery } from './references.ts'
import { listManifestEntities, listSubManifests, manifestListItem, manifestTag } from './lists.ts'
import { memberTypeSchema } from './manifest-shapes.ts'
import { base } from './routes.ts'
import { idParams, idSchema, idText, listAnswer, pageQuery, resultAnswer, userIdQuery } from './shared.ts'

export const addEntitiesToManifest = defineCall({
  id: 'addEntitiesToManifest',
  method: 'POST',
  path: `${base}/manifest/{id}/entities`,
  tag: manifestTag,
  access: 'user',
  summary: 'Adds entities: EXCLUSIVE copies them, TEMPLATE (administrators) refers to them in place.',
  params: idParams,
  query: userIdQuery,
  body: z.strictObject({
    entityIds: z.array(idSchema).min(1).max(10_000),
    type: memberTypeSchema.default('EXCLUSIVE'),
  }),
  answer: resultAnswer.extend({ entities: z.array(entityReferenceSchema) }),
})

export const removeEntityFromManifest = defineCall({
  id: 'removeEntityFromManifest',
  method: 'DELETE',
  path: `${base}/manifest/{id}/entity/{entityId}`,
  tag: manifestTag,
  access: 'user',
  summary: 'Removes an entity from a manifest; an exclusive one is deleted with it.',
  params: idParams.extend({ entityId: idText }),
  query: onReferencesQuery,
  answer: resultAnswer,
})

export const removeSubManifest = defineCall({
  id: 'removeSubManifest',
  method: 'DELETE',
  path: `${base}/manifest/{id}/submanifest/{subId}`,
  tag: manifestTag,
  access: 'user',
  summary: 'Removes a sub-manifest from this parent without deleting it.',
  params: idParams.extend({ subId: idText }),
  answer: resultAnswer,
})

export const addSubManifests = defineCall({
  id: 'addSubManifests',
  method: 'PUT',
  path: `${base}/manifest/{id}/subManifests`,
  tag: manifestTag,
  access: 'user',
  summary: 'Adds sub-manifests.',
  params: idParams,
  body: z.strictObject({ submanifests: z.array(idSchema).min(1).max(10_000) }),
  answer: resultAnswer,
})

export const listManifestParents = defineCall({
  id: 'listManifestParents',
  method: 'GET',
  path: `${base}/manifest/{id}/parents`,
  tag: manifestTag,
  access: 'user',
  summary: 'Lists the manifests that refer to this one as a sub-manifest.',
  params: idParams,
  query: pageQuery(),
  answer: listAnswer('manifests', manifestListItem),
})

/** Declared in `lists.ts`, which the page loads first. */
export { listManifestEntities, listSubManifests }

export const manifestMembersCalls = {
  addEntitiesToManifest,
  removeEntityFromManifest,
  removeSubManifest,
  addSubManifests,
  listManifestParents,
  listManifestEntities,
  listSubManifests,
}
