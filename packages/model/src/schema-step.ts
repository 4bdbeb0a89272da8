import * as z from 'zod'

/**
 * Effect of a schema change. `safe`: touches no existing table. `locks`: rewrites a table, which is locked until then. `losesData`: deletes
 * stored data.
 */
export const schemaGrades = ['safe', 'locks', 'losesData'] as const
export type SchemaGrade = (typeof schemaGrades)[number]

/** Characters of names and descriptions in steps. */
export const maxStepText = { name: 1000, text: 4000 } as const

const name = z.string().max(maxStepText.name)

/**
 * A step from the tables of one version to the tables of the next. Also parsed from instances, so lengths are limited.
 */
export const schemaStep = z.object({
  grade: z.enum(schemaGrades),
  /** Model names; '' for steps on a whole entity. */
  entity: name,
  attribute: name,
  /** Description in terms of the model. */
  text: z.string().max(maxStepText.text),
})
export type SchemaStep = z.output<typeof schemaStep>

/** Identifies a list of steps that lose data. */
export const lossDigestText = z.string().regex(/^[\da-f]{64}$/)

/** Limit of reported steps of a version, those that lose data first. */
export const maxSchemaSteps = 500
