import * as z from 'zod'
import { nameConflictStrategies } from '../name-conflict-plan.ts'
import { defineCall } from './call.ts'
import { manifestTag } from './lists.ts'
import { base } from './routes.ts'
import { idParams, resultAnswer, userIdQuery } from './shared.ts'

const strategy = z.enum(nameConflictStrategies)
const named = z.object({ id: z.number().int(), name: z.string() })

export const nameConflictStep = z.object({
  action: z.enum(['rename', 'leaveOut', 'none']),
  entity: named.extend({ uid: z.string(), path: z.string() }),
  /** The entity that keeps the name. */
  keeper: named.extend({ uid: z.string(), path: z.string() }),
  /** New name and path of a renamed entity. */
  name: z.string().optional(),
  path: z.string().optional(),
  /** Manifests that the entity is removed from; `deletes`: one of them owns it, so it is deleted. */
  from: z.array(named).optional(),
  deletes: z.boolean().optional(),
  /** Reason why it is not renamed, or why the conflict cannot be resolved. */
  reason: z.string().optional(),
})
export type NameConflictStepAnswer = z.infer<typeof nameConflictStep>

export const listNamesakes = defineCall({
  id: 'listNamesakes',
  method: 'GET',
  path: `${base}/manifest/{id}/namesakes`,
  tag: manifestTag,
  access: 'user',
  concurrency: 'etag',
  summary:
    'Lists name conflicts among the entities of a manifest and its sub-manifests (same name, neither extends the other), and what a strategy would do with each. Changes nothing.',
  params: idParams,
  query: z.object({ strategy: strategy.default('prefix') }),
  answer: z.object({ steps: z.array(nameConflictStep) }),
})

export const resolveNamesakes = defineCall({
  id: 'resolveNamesakes',
  method: 'POST',
  path: `${base}/manifest/{id}/namesakes`,
  tag: manifestTag,
  access: 'user',
  concurrency: 'if-match',
  summary:
    'Applies the steps that `listNamesakes` returns for the strategy. `If-Match`: the tag of that list, or `*` for its current state. References to a deleted entity become plain attributes.',
  params: idParams,
  query: userIdQuery,
  body: z.strictObject({ strategy }),
  answer: resultAnswer.extend({ steps: z.array(nameConflictStep) }),
})

export const nameConflictCalls = { listNamesakes, resolveNamesakes }
