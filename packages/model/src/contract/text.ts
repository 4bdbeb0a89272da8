import * as z from 'zod'
import { databaseTypes } from '../database-types.ts'
import { entityContentSchema } from '../entity.ts'
import { limits } from '../limits.ts'
import { manifestCall } from './lists.ts'
import { base } from './routes.ts'
import { databaseTypeSchema, idParams, importReportLine } from './shared.ts'

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
