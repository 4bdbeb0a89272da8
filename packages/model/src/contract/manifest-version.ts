import * as z from 'zod'
import { defineCall } from './call.ts'
import { manifestTag } from './lists.ts'
import { base } from './routes.ts'
import { idParams, resultAnswer, saveIdQuery, versionQuery } from './shared.ts'

export const addManifestVersion = defineCall({
  id: 'addManifestVersion',
  method: 'POST',
  path: `${base}/manifest/{id}/version`,
  tag: manifestTag,
  access: 'user',
  summary: 'Freezes the present state under its number and makes the new one the latest.',
  params: idParams,
  query: versionQuery.extend(saveIdQuery.shape),
  answer: resultAnswer,
})

export const getManifestVersionContent = defineCall({
  id: 'getManifestVersionContent',
  method: 'GET',
  path: `${base}/manifest/version/content/{id}`,
  tag: manifestTag,
  access: 'user',
  summary: 'The stored content of a version.',
  params: idParams,
  query: versionQuery,
  answer: z.object({ manifest: z.object({ CONTENT: z.string() }) }),
})

export const listManifestVersions = defineCall({
  id: 'listManifestVersions',
  method: 'GET',
  path: `${base}/manifest/{id}/version`,
  tag: manifestTag,
  access: 'user',
  summary: 'The versions of a manifest, highest first.',
  params: idParams,
  answer: z.object({ manifestVersions: z.array(z.object({ VERSION: z.string(), CONTENT: z.string() })) }),
})

export const deleteManifestVersion = defineCall({
  id: 'deleteManifestVersion',
  method: 'DELETE',
  path: `${base}/manifest/{id}/version`,
  tag: manifestTag,
  access: 'user',
  summary: 'Deletes a version that is not the latest.',
  params: idParams,
  query: versionQuery,
  answer: resultAnswer,
})

export const manifestVersionCalls = {
  addManifestVersion,
  getManifestVersionContent,
  listManifestVersions,
  deleteManifestVersion,
}
