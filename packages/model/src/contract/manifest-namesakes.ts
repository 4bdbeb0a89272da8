import * as z from 'zod'
import { namesakeStrategies } from '../namesake-plan.ts'
import { defineCall } from './call.ts'
import { manifestTag } from './lists.ts'
import { base } from './routes.ts'
import { idParams, resultAnswer, userIdQuery } from './shared.ts'

const strategy = z.enum(namesakeStrategies)
const named = z.object({ id: z.number().int(), name: z.string() })

export const namesakeStep = z.object({
  action: z.enum(['rename', 'leaveOut', 'none']),
  entity: named.extend({ uid: z.string(), path: z.string() }),
  /** The one that keeps the name. */
  keeper: named.extend({ uid: z.string(), path: z.string() }),
  /** The new name and path of what is renamed. */
  name: z.string().optional(),
  path: z.string().optional(),
  /** The manifests that what is left out is taken from; `deletes`: one of them owns it, so that it is deleted. */
  from: z.array(named).optional(),
  deletes: z.boolean().optional(),
  /** Why it is not renamed, or why nothing can be done. */
  reason: z.string().optional(),
})
export type NamesakeStepAnswer = z.infer<typeof namesakeStep>

export const listNamesakes = defineCall({
  id: 'listNamesakes',
  method: 'GET',
  path: `${base}/manifest/{id}/namesakes`,
  tag: manifestTag,
  access: 'user',
  concurrency: 'etag',
  summary:
    'Which entities of a manifest with its sub-manifests share a name though neither extends the other, and what a strategy would do with each: nothing is changed.',
  params: idParams,
  query: z.object({ strategy: strategy.default('prefix') }),
  answer: z.object({ steps: z.array(namesakeStep) }),
})

export const resolveNamesakes = defineCall({
  id: 'resolveNamesakes',
  method: 'POST',
  path: `${base}/manifest/{id}/namesakes`,
  tag: manifestTag,
  access: 'user',
  concurrency: 'if-match',
  summary:
    'Does what `listNamesakes` says of the strategy; `If-Match` is the tag of that list, or `*` for whatever it is now. What refers to a deleted entity keeps its columns as attributes.',
  params: idParams,
  query: userIdQuery,
  body: z.strictObject({ strategy }),
  answer: resultAnswer.extend({ steps: z.array(namesakeStep) }),
})

export const manifestNamesakesCalls = { listNamesakes, resolveNamesakes }
