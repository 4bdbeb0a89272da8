import * as z from 'zod'

export const actionTypes = ['CREATE', 'UPDATE', 'DELETE'] as const
export type ActionType = (typeof actionTypes)[number]

/**
 * What the contents of an entry are: `scopes` are an organisation's own ones of a predefined entity. An entry of the organisation itself
 * (its name, licence or members) has none, nor has one of a package: their sentences say all.
 */
export const contentKinds = ['entity', 'scopes', 'manifest', 'configuration', 'organisation', 'package'] as const
export type ContentKind = (typeof contentKinds)[number]

/** One change of an entity, a manifest or the organisation: who, when, what. The contents are JSON texts that hold at least name and path. */
export const auditEntrySchema = z.object({
  ID: z.number().int().positive(),
  /** ISO 8601, UTC. */
  LAST_MODIFIED: z.string(),
  USER_NAME: z.string(),
  USER_EMAIL: z.string(),
  ACTION_TYPE: z.enum(actionTypes),
  DESCRIPTION: z.string(),
  ORIGINAL_CONTENT: z.string().nullable(),
  UPDATED_CONTENT: z.string().nullable(),
  ENTITY_NAME: z.string(),
  PATH: z.string(),
  /** Entries of one change share it. */
  CHANGE_ID: z.number().int(),
  /** The version that was changed, added or deleted; '' in entries that do not say. */
  VERSION: z.string(),
  CONTENT_KIND: z.enum(contentKinds),
})
export type AuditEntry = z.infer<typeof auditEntrySchema>
