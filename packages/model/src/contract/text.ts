import * as z from 'zod'
import { databaseTypes } from '../database-types.ts'
import { entityContentSchema } from '../entity.ts'
import { limits } from '../limits.ts'
import { entityAnswer } from './entity-shapes.ts'
import { manifestCall } from './lists.ts'
import { base } from './routes.ts'
import { databaseTypeSchema, idParams, idSchema, importReportLine } from './shared.ts'

export const readSqlText = manifestCall({
  id: 'readSqlText',
  method: 'POST',
  reads: true,
  path: `${base}/manifest/{id}/text/sql`,
  summary:
    'Reads the tables of a SQL script as entities that could be added to the manifest. Stores nothing. 400 `invalid` with the place if it is no script that creates tables.',
  params: idParams,
  body: z.strictObject({
    sql: z.string().max(limits.sqlText),
    databaseType: databaseTypeSchema.optional().describe('Whose SQL the script is. Absent: detected.'),
  }),
  answer: z.object({
    database: z.enum(databaseTypes).describe('Whose script it is taken for.'),
    entities: z
      .array(entityContentSchema)
      .describe('With new uids. Their relationships have the uid of the target and the id -1.'),
    report: z
      .array(importReportLine)
      .describe(`What is not supported or has no counterpart; at most ${limits.importReportLines} lines.`),
    reportLines: z.number().int(),
  }),
})
export type SqlTextRead = z.output<typeof readSqlText.answer>

const { entities: mostKnown, answer: answerLength } = limits.readContents

const entityState = entityAnswer
  .pick({ id: true, path: true, isDefault: true, targetManifest: true, versions: true, latestVersion: true })
  .extend({
    tag: z.string().describe('Identifies all that is answered of the entity.'),
    etag: z.string().describe('As in the answer of the entity; the base of its next save.'),
    content: entityAnswer.shape.content,
    resolvedAttributes: entityAnswer.shape.resolvedAttributes.describe('Of a subtype.'),
  })
export type EntityStateAnswer = z.output<typeof entityState>

export const readEntityContents = manifestCall({
  id: 'readEntityContents',
  method: 'POST',
  reads: true,
  path: `${base}/manifest/{id}/contents`,
  summary:
    "The current state of a manifest's own entities, as far as the caller does not have it. Long answers come in parts: call again with what was received.",
  params: idParams,
  body: z.strictObject({
    known: z
      .array(z.strictObject({ id: idSchema, tag: z.string().max(60) }))
      .max(mostKnown)
      .default([])
      .describe('States that the caller has.'),
  }),
  answer: z.object({
    ids: z.array(z.number().int()).describe('All entities of the manifest, in its order.'),
    entities: z
      .array(entityState)
      .describe(`Those in another state than known, up to ${answerLength} characters and one more.`),
    more: z.boolean().describe('Whether further ones are in another state.'),
  }),
})
export type EntityContentsAnswer = z.output<typeof readEntityContents.answer>
