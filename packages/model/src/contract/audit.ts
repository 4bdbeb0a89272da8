import * as z from 'zod'
import { auditEntrySchema } from '../audit-differences.ts'
import { limits } from '../limits.ts'
import { configurationEdit } from './edits.ts'
import { entityEditSchema } from '../edits/entity-edits.ts'
import { entityCall, manifestCall } from './lists.ts'
import { base } from './routes.ts'
import { onReferencesChoices } from '../detach.ts'
import { idParams, idText, operationIdSchema } from './shared.ts'

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

const restoring = {
  repeatable: true,
  params: idParams,
  body: z.strictObject({
    operationId: operationIdSchema.optional(),
    dryRun: z.boolean().default(false).describe('Applies all rules and stores nothing: a preview.'),
    onReferences: z
      .enum(onReferencesChoices)
      .optional()
      .describe('How references to columns that the restored state does not have are handled. Without it: 409.'),
    kind: z
      .enum(['restore', 'undo'])
      .default('restore')
      .describe(
        '`undo`: takes back this change alone; later changes stay, and 409 if an entity has other values since. The creation or import of an entity or manifest is taken back by its deletion, unless it has been changed since.',
      ),
  }),
  answer: z.object({
    document: z.object({
      kind: z.enum(['entity', 'manifest', 'configuration']),
      id: z.number().int(),
      name: z.string(),
      path: z.string(),
    }),
    differences,
    others: z.array(z.string()).describe('Changes of other documents that belong to it.'),
    missing: z.array(z.string()).describe('What cannot be restored, with the reason.'),
    edits: z
      .object({
        entity: z.array(entityEditSchema).optional(),
        configuration: z.array(configurationEdit).optional(),
      })
      .optional()
      .describe('Of a dry run: the changes of an existing entity or configuration, without secrets.'),
  }),
} as const

export const restoreEntityLog = entityCall({
  ...restoring,
  id: 'restoreEntityLog',
  method: 'POST',
  path: `${base}/entity/logs/{id}/restore`,
  summary:
    'Restores an entity to its state after the entry, or before it if it was deleted: with uid, references and memberships as far as they still fit. A new change of the log.',
})

export const restoreManifestLog = manifestCall({
  ...restoring,
  id: 'restoreManifestLog',
  method: 'POST',
  path: `${base}/manifest/logs/{id}/restore`,
  summary:
    'Restores a manifest or its configuration to its state after the entry, or a deleted manifest with its entities. A new change of the log.',
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
