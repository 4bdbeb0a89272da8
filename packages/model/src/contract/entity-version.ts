import * as z from 'zod'
import { defineCall } from './call.ts'
import { entityTag } from './lists.ts'
import { base } from './routes.ts'
import { idParams, resultAnswer, saveIdQuery, versionQuery } from './shared.ts'

export const addEntityVersion = defineCall({
  id: 'addEntityVersion',
  method: 'POST',
  path: `${base}/entity/custom/{id}/version`,
  tag: entityTag,
  access: 'user',
  summary: 'Freezes the current state under its version number and makes the new version the latest.',
  params: idParams,
  query: versionQuery.extend(saveIdQuery.shape),
  answer: resultAnswer,
})

export const getEntityVersionContent = defineCall({
  id: 'getEntityVersionContent',
  method: 'GET',
  path: `${base}/entity/version/content/{id}`,
  tag: entityTag,
  access: 'user',
  summary: 'The stored content of a version.',
  params: idParams,
  query: versionQuery,
  answer: z.object({ entity: z.object({ CONTENT: z.string() }) }),
})

export const listEntityVersions = defineCall({
  id: 'listEntityVersions',
  method: 'GET',
  path: `${base}/entity/custom/{id}/version`,
  tag: entityTag,
  access: 'user',
  summary: 'Lists the versions of an entity, highest first.',
  params: idParams,
  answer: z.object({
    entityVersions: z.array(
      z.object({ VERSION: z.string(), NAME: z.string(), DESCRIPTION: z.string(), CONTENT: z.string() }),
    ),
  }),
})

export const deleteEntityVersion = defineCall({
  id: 'deleteEntityVersion',
  method: 'DELETE',
  path: `${base}/entity/custom/{id}/version`,
  tag: entityTag,
  access: 'user',
  summary: 'Deletes a version that is not the latest.',
  params: idParams,
  query: versionQuery,
  answer: resultAnswer,
})

export const entityVersionCalls = {
  addEntityVersion,
  getEntityVersionContent,
  listEntityVersions,
  deleteEntityVersion,
}
