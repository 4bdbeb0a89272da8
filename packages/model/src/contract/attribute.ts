import * as z from 'zod'
import { limits } from '../limits.ts'
import { defineCall } from './call.ts'
import { entityTag } from './lists.ts'
import { base } from './routes.ts'

/** An attribute or foreign key, and the entity that has it. */
const foundAttribute = z.object({
  uid: z.string(),
  name: z.string(),
  entity: z.object({ id: z.number().int(), name: z.string(), path: z.string() }),
})
export type FoundAttribute = z.output<typeof foundAttribute>

export const searchAttributes = defineCall({
  id: 'searchAttributes',
  method: 'GET',
  path: `${base}/attribute`,
  tag: entityTag,
  access: 'user',
  summary: 'Attributes and foreign keys whose names contain a text: own ones first, exact names, beginnings, others.',
  query: z.object({
    search: z.string().max(200).default(''),
    limit: z.coerce.number().int().min(1).max(limits.listLimit.max).default(limits.treePageSize),
  }),
  answer: z.object({ attributes: z.array(foundAttribute) }),
})

export const attributeCalls = { searchAttributes }
