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
  summary: 'Freezes the current state under its version number and makes the new version the latest.',
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
  summary: 'Lists the versions of a manifest, highest first.',
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
