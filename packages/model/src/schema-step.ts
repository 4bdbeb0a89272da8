import * as z from 'zod'

/**
 * What a change of tables does. `safe`: takes no table that is there. `locks`: the table is written anew, and nobody gets at it meanwhile.
 * `losesData`: what is there is gone afterwards.
 */
export const schemaGrades = ['safe', 'locks', 'losesData'] as const
export type SchemaGrade = (typeof schemaGrades)[number]

const name = z.string().max(1000)

/** One step from the tables of a version to those of the next. Also read from instances: bounded. */
export const schemaStep = z.object({
  grade: z.enum(schemaGrades),
  /** By their names in the model; '' where a step is about the whole entity. */
  entity: name,
  attribute: name,
  /** A sentence in the words of the model. */
  text: z.string().max(4000),
})
export type SchemaStep = z.output<typeof schemaStep>

/** What tells one list of lost data from another. */
export const lossDigestText = z.string().regex(/^[\da-f]{64}$/)

/** Of the steps of a version no more are told, those that lose data first. */
export const mostSchemaSteps = 500
