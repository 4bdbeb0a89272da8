import * as z from 'zod'
import { entityEditSchema } from '../edits/entity-edits.ts'
import { limits } from '../limits.ts'
import { configurationEdit, unsavedEdits } from './edits.ts'
import { manifestCall } from './lists.ts'
import { base } from './routes.ts'
import { idParams, idSchema, problemAnswer } from './shared.ts'

const severities = { errors: z.number().int(), warnings: z.number().int() }

const problemCounts = z.object({
  ...severities,
  entities: z
    .object({
      ids: z.array(z.number().int()),
      errors: z.array(z.number().int()),
      warnings: z.array(z.number().int()),
    })
    .describe('Columns of the entities with problems.'),
})
export type ProblemCounts = z.output<typeof problemCounts>

/** A problem with what it concerns, for its place in the page and for its repair. */
const liveProblem = problemAnswer.extend({
  field: z.string().optional().describe('The field of the last step of the path.'),
  value: z.string().optional().describe('The scope, entity, query or operation that it is about.'),
})
export type LiveProblem = z.output<typeof liveProblem>

const problemsAnswer = z.object({
  tag: z.string().describe('Identifies the answer.'),
  counts: problemCounts.nullable().describe('null: the same as in the answer `known`.'),
  problems: z.array(liveProblem).nullable().describe('Errors first. null: not requested, or the same as in `known`.'),
  more: z.number().int().describe('Problems left out of the list.'),
})
export type ProblemsAnswer = z.output<typeof problemsAnswer>

const idOrNull = idSchema.nullable()

export const findProblems = manifestCall({
  id: 'findProblems',
  method: 'POST',
  path: `${base}/manifest/{id}/problems`,
  reads: true,
  summary:
    'Errors and warnings of the current state of a manifest and its sub-manifests, with edits that are not saved: their numbers, and on request the problems. What single databases would store differently is part of `validateManifest`.',
  params: idParams,
  body: z.strictObject({
    ...unsavedEdits,
    known: z.string().max(60).nullable().default(null).describe('Tag of an earlier answer to the same `list`.'),
    list: z
      .strictObject({ entity: idOrNull.describe('Only those of this entity.') })
      .nullable()
      .default(null)
      .describe(`The first ${limits.listedProblems} problems; null: only their numbers.`),
  }),
  answer: problemsAnswer,
})

const fixAnswer = z.object({
  kind: z.string().describe('The repair, such as `shortenName`.'),
  label: z.string(),
  count: z.number().int().describe('Problems that the edits solve.'),
  left: z.number().int().describe(`Problems beyond the first ${limits.fixedEntities} changed entities.`),
  entities: z.array(z.object({ id: idSchema, name: z.string(), path: z.string(), edits: z.array(entityEditSchema) })),
  configuration: z.array(configurationEdit),
})
export type FixAnswer = z.output<typeof fixAnswer>

const problemPlace = z.strictObject({
  entity: idOrNull.default(null),
  row: z.string().max(60).nullable().default(null).describe('Uid of the attribute or relationship.'),
  value: z.string().max(limits.configurationContent).nullable().default(null).describe('`value` of the problem.'),
})
export type ProblemPlace = z.output<typeof problemPlace>

export const findFixes = manifestCall({
  id: 'findFixes',
  method: 'POST',
  path: `${base}/manifest/{id}/problems/fixes`,
  reads: true,
  summary:
    'Repairs of a problem, or of all problems with its code, as edits of the state with the edits that are not saved. Stores nothing.',
  params: idParams,
  body: z.strictObject({
    ...unsavedEdits,
    code: z.string().max(60),
    place: problemPlace.nullable().default(null).describe('null: all problems with the code.'),
  }),
  answer: z.object({ fixes: z.array(fixAnswer) }),
})
