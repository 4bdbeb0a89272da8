import * as z from 'zod'
import { defineCall } from './call.ts'
import { progressAnswer } from './shared.ts'
import { entityListItem, manifestListItem } from './lists.ts'
import { base, firstRoutes } from './routes.ts'

const tag = 'Navigator'

/** A node of the predefined tree. `parent`: path of the parent node, '' at the top. `id`: of an entity or manifest, -1 for folders. */
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

/** One of the two workspaces: the first page of its tree as lists and as paths. */
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
  summary: 'The predefined tree, to be cached by its build version, and the two workspaces.',
  answer: z.object({ coreSchema: coreSchemaAnswer, workspaces: z.array(workspaceAnswer) }),
})
export const getNavigatorVersion = defineCall({
  ...firstRoutes.getNavigatorVersion,
  tag,
  access: 'user',
  summary: 'The build version of the predefined tree.',
  answer: z.object({ buildVersion: z.string() }),
})
/** Ids separated by commas; '' for none. */
const idList = z
  .string()
  .regex(/^(\d{1,15}(,\d{1,15}){0,199})?$/)
  .default('')
  .transform(text => (text === '' ? [] : text.split(',').map(Number)))

export const locateDocuments = defineCall({
  id: 'locateDocuments',
  method: 'GET',
  path: `${base}/documents`,
  tag,
  access: 'user',
  summary: 'Names and paths of up to 200 entities and 200 manifests, without those that do not exist, in no order.',
  query: z.object({ entities: idList, manifests: idList }),
  answer: z.object({
    documents: z.array(
      z.object({ kind: z.enum(['entity', 'manifest']), id: z.number().int(), name: z.string(), path: z.string() }),
    ),
  }),
})

export const generateNavigator = defineCall({
  id: 'generateNavigator',
  method: 'POST',
  path: `${base}/admin/navigator/generate`,
  tag,
  access: 'admin',
  summary:
    'Reloads the library and rebuilds the predefined tree. 409 if its folder cannot be read; then nothing changes.',
  answer: z.object({ coreSchema: coreSchemaAnswer }),
})

export const getLibraryProgress = defineCall({
  id: 'getLibraryProgress',
  method: 'GET',
  path: `${base}/admin/navigator/generate`,
  tag,
  access: 'admin',
  summary:
    'Progress of loading the library, including reloads of an entity or manifest by any administrator; the result of the last one if none is running.',
  answer: progressAnswer,
})
