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
  summary: 'The configuration of a manifest without secrets. `savedBy` selects the state made by that save.',
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
    'Saves the configuration of a manifest, merged by field with saves since the state of If-Match. Absent fields are unchanged; sending back a GET answer changes nothing. Returns the merged configuration without secrets.',
  params: idParams,
  query: userIdQuery.extend({
    ...saveIdQuery.shape,
    /** The manifest version that the configuration was made for; absent: the latest. */
    version: z.string().max(100).optional(),
  }),
  body: configurationChangeSchema,
  answer: resultAnswer.extend({ manifestProperties: configurationSchema }),
})

export const manifestPathsAnswer = z.object({
  /** Entities of the manifest and its sub-manifests, each with the attribute that identifies its records. */
  entities: z.array(
    z.object({
      id: z.number().int(),
      name: z.string(),
      path: z.string(),
      primaryKey: z.string().nullable(),
      /** Scopes required by its operations; absent without such scopes. */
      operationScopes: operationScopesSchema.optional(),
    }),
  ),
  /** All scopes required by operations of these entities. */
  scopes: z.array(z.string()),
})
export type ManifestPaths = z.output<typeof manifestPathsAnswer>

export const getManifestPaths = defineCall({
  id: 'getManifestPaths',
  method: 'GET',
  path: `${base}/manifest/{id}/paths`,
  tag: manifestTag,
  access: 'user',
  summary: 'Entities that a configuration may refer to, and the scopes that their operations require.',
  params: idParams,
  answer: manifestPathsAnswer,
})

export const manifestConfigurationCalls = {
  getManifestPaths,
  getManifestConfiguration,
  saveManifestConfiguration,
}
