import * as z from 'zod'

export const actionTypes = ['CREATE', 'UPDATE', 'DELETE'] as const
export type ActionType = (typeof actionTypes)[number]

/**
 * Kinds of contents in an entry. `scopes`: an organisation's own scopes of a predefined entity. Entries of organisations (name, licence,
 * members) and packages have no contents, only details.
 */
export const contentKinds = ['entity', 'scopes', 'manifest', 'configuration', 'organisation', 'package'] as const
export type ContentKind = (typeof contentKinds)[number]

/** A change of an entity, a manifest or the organisation. Contents are JSON texts with at least name and path. */
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
  /** Shared by the entries of one change. */
  CHANGE_ID: z.number().int(),
  /** The version that was changed, added or deleted; '' if not recorded. */
  VERSION: z.string(),
  CONTENT_KIND: z.enum(contentKinds),
})
export type AuditEntry = z.infer<typeof auditEntrySchema>
