import * as z from 'zod'
import { apiConfigurationSchema, apiScopeConfigurationSchema } from '../configuration.ts'
import { limits } from '../limits.ts'
import { manifestCall } from './lists.ts'
import { base } from './routes.ts'
import { idParams } from './shared.ts'

const indices = z.array(z.number().int().min(0))

/** Parallel columns; an entity is its index. */
const scopeMatrixAnswer = z.object({
  version: z.string(),
  manifests: z.array(z.object({ id: z.number().int(), name: z.string(), path: z.string() })),
  entities: z.object({
    ids: z.array(z.number().int()),
    uids: z.array(z.string()),
    names: z.array(z.string()),
    paths: z.array(z.string()),
    manifests: indices.describe('Indices into `manifests`: the first that contains the entity.'),
    keys: z.array(z.string().nullable()).describe('Names of primary keys; null: an entity has none.'),
    others: indices.describe('Indices into `others`.'),
  }),
  others: z
    .array(z.array(z.string()))
    .describe(
      `Distinct lists of names of manifests outside that contain an entity themselves or by a sub-manifest, at most ${limits.impact.manifests} each; the first is empty. Always empty for old versions.`,
    ),
  lists: z.array(z.array(z.string())).describe('Distinct lists of scopes; the first is empty.'),
  operations: z
    .object({ selectAll: indices, select: indices, insert: indices, update: indices, delete: indices })
    .describe('By entity, an index into `lists`.'),
  configuration: z.object({
    apiConfiguration: apiConfigurationSchema,
    apiScopeConfiguration: apiScopeConfigurationSchema,
  }),
})
export type ScopeMatrixAnswer = z.output<typeof scopeMatrixAnswer>

export const getScopeMatrix = manifestCall({
  id: 'getScopeMatrix',
  method: 'GET',
  path: `${base}/manifest/{id}/scopes`,
  concurrency: 'etag',
  revalidates: true,
  summary:
    'The scopes that operations of a manifest and its sub-manifests require, in columns, with the settings that decide who may call them.',
  params: idParams,
  query: z.object({ version: z.string().max(100).optional() }),
  answer: scopeMatrixAnswer,
})
