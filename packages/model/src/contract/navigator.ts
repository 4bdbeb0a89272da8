import * as z from 'zod'
import { defineCall } from './call.ts'
import { progressAnswer } from './import-shapes.ts'
import { entityListItem, manifestListItem } from './lists.ts'
import { base, firstRoutes } from './routes.ts'

const tag = 'Navigator'

/** A node of the predefined tree; `parent` is the path of the node above it, '' at the top. `id` is an entity's or manifest's id, -1 for folders. */
export const coreNode = z.object({
  kind: z.enum(['folder', 'entity', 'manifest']),
  id: z.number().int(),
  name: z.string(),
  path: z.string(),
  parent: z.string(),
})
export type CoreNode = z.output<typeof coreNode>

export const coreSchemaAnswer = z.object({ nodes: z.array(coreNode), buildVersion: z.string() })
export type CoreSchema = z.output<typeof coreSchemaAnswer>

/** One of the two workspaces; its lists hold the first page of the tree, its paths those of the lists. */
export const workspaceAnswer = z.object({
  name: z.enum(['predefined', 'user-defined']),
  entityPaths: z.array(z.string()),
  manifestPaths: z.array(z.string()),
  entities: z.array(entityListItem),
  manifests: z.array(manifestListItem),
})

export const getNavigator = defineCall({
  ...firstRoutes.getNavigator,
  tag,
  access: 'user',
  summary: 'The predefined tree, to be kept by its build version, and the two workspaces.',
  answer: z.object({ coreSchema: coreSchemaAnswer, workspaces: z.array(workspaceAnswer) }),
})
export const getNavigatorVersion = defineCall({
  ...firstRoutes.getNavigatorVersion,
  tag,
  access: 'user',
  summary: 'The build version of the predefined tree.',
  answer: z.object({ buildVersion: z.string() }),
})
export const generateNavigator = defineCall({
  id: 'generateNavigator',
  method: 'POST',
  path: `${base}/admin/navigator/generate`,
  tag,
  access: 'admin',
  summary:
    'Reads the library again and rebuilds the predefined tree. 409 where its folder cannot be read: then everything stays as it was.',
  answer: z.object({ coreSchema: coreSchemaAnswer }),
})

export const getLibraryProgress = defineCall({
  id: 'getLibraryProgress',
  method: 'GET',
  path: `${base}/admin/navigator/generate`,
  tag,
  access: 'admin',
  summary:
    'How far the reading of the library is, whoever asked for it, also to reload an entity or manifest; how the last one ended where none is under way.',
  answer: progressAnswer,
})

export const navigatorCalls = { getNavigator, getNavigatorVersion, generateNavigator, getLibraryProgress }
