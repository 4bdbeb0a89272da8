import * as z from 'zod'
import { configurationChangeSchema, configurationSchema } from '../configuration.ts'
import { operationScopesSchema } from '../operation-scopes.ts'
import { defineCall } from './call.ts'
import { manifestTag } from './lists.ts'
import { base } from './routes.ts'
import { idParams, resultAnswer, savedByQuery, saveIdQuery, userIdQuery } from './shared.ts'

export const getManifestConfiguration = defineCall({
  id: 'getManifestConfiguration',
  method: 'GET',
  path: `${base}/manifest/{id}/configuration`,
  tag: manifestTag,
  access: 'user',
  concurrency: 'etag',
  summary: 'The configuration of a manifest, without secrets; as the save named by savedBy left it.',
  params: idParams,
  query: savedByQuery,
  answer: z.object({ manifestProperties: configurationSchema }),
})

export const saveManifestConfiguration = defineCall({
  id: 'saveManifestConfiguration',
  method: 'POST',
  path: `${base}/manifest/{id}/configuration`,
  tag: manifestTag,
  access: 'user',
  concurrency: 'if-match',
  summary:
    'Saves the configuration of a manifest, merged by field with what was saved since the state of If-Match. What the body leaves out is unchanged, and what a GET answered changes nothing. Answers it as it is then, without secrets.',
  params: idParams,
  query: userIdQuery.extend({
    ...saveIdQuery.shape,
    /** The version that it was made for; absent: the latest. */
    version: z.string().max(100).optional(),
  }),
  body: configurationChangeSchema,
  answer: resultAnswer.extend({ manifestProperties: configurationSchema }),
})

export const manifestPathsAnswer = z.object({
  /** The entities of the manifest and of its sub-manifests, each with the attribute by which its items are addressed. */
  entities: z.array(
    z.object({
      id: z.number().int(),
      name: z.string(),
      path: z.string(),
      primaryKey: z.string().nullable(),
      /** What its operations ask for; absent where that is nothing. */
      operationScopes: operationScopesSchema.optional(),
    }),
  ),
  /** Every scope that an operation of one of them asks for. */
  scopes: z.array(z.string()),
})
export type ManifestPaths = z.output<typeof manifestPathsAnswer>

export const getManifestPaths = defineCall({
  id: 'getManifestPaths',
  method: 'GET',
  path: `${base}/manifest/{id}/paths`,
  tag: manifestTag,
  access: 'user',
  summary: 'What a configuration may name: whose operations an API of the manifest has, and which scopes they ask for.',
  params: idParams,
  answer: manifestPathsAnswer,
})

export const manifestConfigurationCalls = {
  getManifestPaths,
  getManifestConfiguration,
  saveManifestConfiguration,
}
