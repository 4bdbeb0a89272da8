import * as z from 'zod'
import { auditEntrySchema } from '../audit-differences.ts'
import { limits } from '../limits.ts'
import { entityCall, manifestCall } from './lists.ts'
import { base } from './routes.ts'
import { idParams, idText } from './shared.ts'

/** Filter and order of audit entries. */
export const logQuery = z.object({
  offset: z.coerce.number().int().min(0).default(0),
  limit: z.coerce.number().int().min(1).max(limits.listLimit.max).default(limits.logLimit),
  orderBy: z.string().max(60).optional(),
  actionType: z.enum(['CREATE', 'UPDATE', 'DELETE']).optional(),
  userId: z.string().max(200).optional(),
  userName: z.string().max(200).optional(),
  userEmail: z.string().max(200).optional(),
  /** Id of an entity or manifest, which may be deleted. */
  target: idText.optional(),
  startDate: z.string().max(40).optional(),
  endDate: z.string().max(40).optional(),
})

const differences = z
  .array(
    z.object({
      change: z.enum(['added', 'removed', 'moved', 'renamed', 'changed', 'converted']),
      /** List and name of the changed item, such as `typeAttributes.code`; empty for the entity or manifest itself. */
      path: z.string(),
      /** Empty if the whole item changed. */
      field: z.string(),
      before: z.unknown(),
      after: z.unknown(),
    }),
  )
  .meta({ description: 'Changes by field, with the values before and after.' })
/** The entity or manifest of the entry, and whether it still exists. */
const target = z.object({ id: z.number().int(), exists: z.boolean() })

export const getEntityLog = entityCall({
  id: 'getEntityLog',
  method: 'GET',
  path: `${base}/entity/logs/{id}`,
  summary: 'An audit entry of an entity with its changes by field.',
  params: idParams,
  answer: z.object({ entityLog: auditEntrySchema, target, differences }),
})

export const getManifestLog = manifestCall({
  id: 'getManifestLog',
  method: 'GET',
  path: `${base}/manifest/logs/{id}`,
  summary: 'An audit entry of a manifest or its configuration with its changes by field.',
  params: idParams,
  answer: z.object({ manifestLog: auditEntrySchema, target, differences }),
})

/** Downloads hold all entries: no pages. */
const filter = logQuery.omit({ offset: true, limit: true, orderBy: true })

export const downloadEntityLogs = entityCall({
  id: 'downloadEntityLogs',
  method: 'GET',
  path: `${base}/entity/logs/csv`,
  summary: 'Audit entries of entities as CSV, newest first; cells are escaped against spreadsheet formulas.',
  query: filter,
  answer: 'binary',
  mediaTypes: ['text/csv'],
})

export const downloadManifestLogs = manifestCall({
  id: 'downloadManifestLogs',
  method: 'GET',
  path: `${base}/manifest/logs/csv`,
  summary: 'Audit entries of manifests as CSV, newest first; cells are escaped against spreadsheet formulas.',
  query: filter,
  answer: 'binary',
  mediaTypes: ['text/csv'],
})
