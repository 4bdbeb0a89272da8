import * as z from 'zod'
import { defineCall } from './call.ts'
import { manifestTag } from './lists.ts'
import { base } from './routes.ts'
import { idParams, resultAnswer, userIdQuery } from './shared.ts'

export const getManifestConfiguration = defineCall({
  id: 'getManifestConfiguration',
  method: 'GET',
  path: `${base}/manifest/{id}/configuration`,
  tag: manifestTag,
  access: 'user',
  concurrency: 'etag',
  summary: 'The configuration of a manifest, without secrets.',
  params: idParams,
  answer: z.object({ manifestProperties: z.unknown() }),
})

export const saveManifestConfiguration = defineCall({
  id: 'saveManifestConfiguration',
  method: 'POST',
  path: `${base}/manifest/{id}/configuration`,
  tag: manifestTag,
  access: 'user',
  concurrency: 'if-match',
  summary: 'Saves the configuration of a manifest.',
  params: idParams,
  query: userIdQuery,
  body: z.unknown(),
  answer: resultAnswer,
})

export const manifestConfigurationCalls = {
  getManifestConfiguration,
  saveManifestConfiguration,
}
