import * as z from 'zod'
import { databaseTypes } from '../database-types.ts'

/** Path from the manifest to the subject of a problem, with local ids and permanent uids. */
export const problemStepAnswer = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('manifest'), id: z.number().int(), uid: z.string().optional(), name: z.string() }),
  z.object({
    kind: z.literal('entity'),
    id: z.number().int(),
    uid: z.string().optional(),
    name: z.string(),
    path: z.string().optional(),
  }),
  z.object({ kind: z.literal('typeAttribute'), uid: z.string(), name: z.string() }),
  z.object({ kind: z.literal('entityAttribute'), uid: z.string(), name: z.string() }),
])

/** A finding of a validation; the shape of `Problem`. */
export const problemAnswer = z.object({
  severity: z.enum(['error', 'warning', 'note']),
  code: z.string(),
  message: z.string(),
  path: z.array(problemStepAnswer),
  databases: z.array(z.enum(databaseTypes)).optional(),
})
export type ProblemAnswer = z.infer<typeof problemAnswer>
