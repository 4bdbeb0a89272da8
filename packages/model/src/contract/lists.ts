import * as z from 'zod'
import { entityTypes } from '../entity-types.ts'
import { operationScopesSchema } from '../operations.ts'
import { callsFor } from './call.ts'
import { firstRoutes } from './routes.ts'
import { idParams, listAnswer, optionalIdText, pageQuery } from './shared.ts'

// Calls of the navigation tree. Separate, because the page builds these schemas before its first screen and loads all
// other schemas later.

export const entityTag = 'Entities'

export const manifestTag = 'Manifests'

export const entityCall = callsFor({ tag: entityTag, access: 'user' })
export const manifestCall = callsFor({ tag: manifestTag, access: 'user' })

export const entityFilters = ['ALL', 'DEFAULT', 'PRIVATE', 'RESOLVED', 'EXCLUSIVE'] as const

export const manifestFilters = ['ALL', 'DEFAULT', 'PRIVATE'] as const

export const entityListItem = z.object({
  id: z.number().int(),
  name: z.string(),
  location: z.string(),
  folder: z.string(),
  type: z.enum(entityTypes),
  operationScopes: operationScopesSchema,
})
export type EntityListItem = z.output<typeof entityListItem>

export const manifestListItem = z.object({
  id: z.number().int(),
  name: z.string(),
  location: z.string(),
  folder: z.string(),
  isDefault: z.boolean(),
  latestVersion: z.string(),
  entityCount: z.number().int(),
  subManifestCount: z.number().int(),
})
export type ManifestListItem = z.output<typeof manifestListItem>

export const entityListQuery = pageQuery().extend({ filter: z.enum(entityFilters).default('ALL') })
export const manifestListQuery = pageQuery().extend({
  filter: z.enum(manifestFilters).default('ALL'),
  exclude: optionalIdText,
})

export const listEntities = entityCall({
  ...firstRoutes.listEntities,
  summary: "Lists entities, with the pickers' filters.",
  query: entityListQuery.extend({
    excludedEntity: optionalIdText,
    folderFilter: z.string().max(1000).default(''),
    pathFilter: z.string().max(1000).default(''),
    /** 'match': best matches first (own ones, exact names, prefixes); pages by number only. */
    order: z.enum(['name', 'match']).default('name'),
    /** With 'match': entities of this manifest first. */
    near: optionalIdText,
  }),
  answer: listAnswer('entity', entityListItem),
})

export const listManifests = manifestCall({
  ...firstRoutes.listManifests,
  summary: 'Lists manifests.',
  query: manifestListQuery.extend({
    /** 'match': best matches first (own ones, exact names, prefixes); pages by number only. */
    order: z.enum(['name', 'match']).default('name'),
  }),
  answer: listAnswer('manifests', manifestListItem),
})

export const listManifestEntities = manifestCall({
  ...firstRoutes.listManifestEntities,
  summary: "Lists the manifest's entities in their order.",
  params: idParams,
  query: pageQuery().extend({ excludeEntityId: optionalIdText }),
  answer: listAnswer('entity', entityListItem),
})

export const listSubManifests = manifestCall({
  ...firstRoutes.listSubManifests,
  summary: "Lists the manifest's sub-manifests in their order.",
  params: idParams,
  query: pageQuery(),
  answer: listAnswer('manifests', manifestListItem),
})
