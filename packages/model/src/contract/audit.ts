import * as z from 'zod'
import { auditEntrySchema } from '../audit-entry.ts'
import { defineCall } from './call.ts'
import { entityTag, manifestTag } from './lists.ts'
import { logQuery } from './log-query.ts'
import { base } from './routes.ts'
import { idParams } from './shared.ts'

const differences = z
  .array(
    z.object({
      change: z.enum(['added', 'removed', 'moved', 'renamed', 'changed', 'converted']),
      /** The list and the name of what it is about, such as `typeAttributes.code`; empty for the entity or manifest itself. */
      path: z.string(),
      /** Empty where all of it is meant. */
      field: z.string(),
      before: z.unknown(),
      after: z.unknown(),
    }),
  )
  .meta({ description: 'Field by field, from what was to what became.' })
/** Whether what the entry is of is still there. */
const target = z.object({ id: z.number().int(), exists: z.boolean() })

export const getEntityLog = defineCall({
  id: 'getEntityLog',
  method: 'GET',
  path: `${base}/entity/logs/{id}`,
  tag: entityTag,
  access: 'user',
  summary: 'One audit entry of an entity, with what it changed field by field.',
  params: idParams,
  answer: z.object({ entityLog: auditEntrySchema, target, differences }),
})

export const getManifestLog = defineCall({
  id: 'getManifestLog',
  method: 'GET',
  path: `${base}/manifest/logs/{id}`,
  tag: manifestTag,
  access: 'user',
  summary: 'One audit entry of a manifest or its configuration, with what it changed field by field.',
  params: idParams,
  answer: z.object({ manifestLog: auditEntrySchema, target, differences }),
})

/** All of them: there are no pages. */
const filter = logQuery.omit({ offset: true, limit: true, orderBy: true })

export const downloadEntityLogs = defineCall({
  id: 'downloadEntityLogs',
  method: 'GET',
  path: `${base}/entity/logs/csv`,
  tag: entityTag,
  access: 'user',
  summary: 'The audit entries of entities as CSV, newest first; spreadsheets take no cell for a formula.',
  query: filter,
  answer: 'binary',
  mediaTypes: ['text/csv'],
})

export const downloadManifestLogs = defineCall({
  id: 'downloadManifestLogs',
  method: 'GET',
  path: `${base}/manifest/logs/csv`,
  tag: manifestTag,
  access: 'user',
  summary: 'The audit entries of manifests as CSV, newest first; spreadsheets take no cell for a formula.',
  query: filter,
  answer: 'binary',
  mediaTypes: ['text/csv'],
})

export const auditCalls = { getEntityLog, getManifestLog, downloadEntityLogs, downloadManifestLogs }
