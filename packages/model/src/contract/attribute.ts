import * as z from 'zod'
import { limits } from '../limits.ts'
import { defineCall } from './call.ts'
import { entityTag } from './lists.ts'
import { base } from './routes.ts'

/** An attribute or foreign key with its entity. */
const attributeMatch = z.object({
  uid: z.string(),
  name: z.string(),
  entity: z.object({ id: z.number().int(), name: z.string(), path: z.string() }),
})
export type AttributeMatch = z.output<typeof attributeMatch>

export const searchAttributes = defineCall({
  id: 'searchAttributes',
  method: 'GET',
  path: `${base}/attribute`,
  tag: entityTag,
  access: 'user',
  summary: 'Searches attributes and foreign keys by name: own ones first, then exact names, prefixes, others.',
  query: z.object({
    search: z.string().max(200).default(''),
    limit: z.coerce.number().int().min(1).max(limits.listLimit.max).default(limits.treePageSize),
  }),
  answer: z.object({ attributes: z.array(attributeMatch) }),
})

export const attributeCalls = { searchAttributes }
