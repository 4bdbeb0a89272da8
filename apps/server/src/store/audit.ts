import { foldName } from '@cadmus/model/paths'
import type { Db } from './database.ts'
import { storable } from './storable.ts'
import type { Tables } from './tables.ts'

/** Who changed something: as the audit shows it for ever, even if the account changes later. */
export type Actor = { userId: string; userName: string; userEmail: string }

export type AuditEntry = {
  id: number
  kind: Tables['audit_entry']['kind']
  targetId: number
  action: Tables['audit_entry']['action_type']
  name: string
  path: string
  description: string
  originalHash: string | null
  updatedHash: string | null
  importId?: number
}

/** Written in the same transaction as the change that it tells of; nothing changes or removes an entry later. */
export async function appendAudit(
  db: Db,
  organisationId: number,
  actor: Actor,
  entries: readonly AuditEntry[],
): Promise<void> {
  if (entries.length === 0) return
  const at = new Date().toISOString()
  const rows = entries.map(entry => ({
    organisation_id: organisationId,
    id: entry.id,
    at,
    kind: entry.kind,
    target_id: entry.targetId,
    action_type: entry.action,
    user_id: actor.userId,
    user_name: actor.userName,
    user_name_folded: foldName(actor.userName),
    user_email: actor.userEmail,
    name: storable(entry.name),
    path: storable(entry.path),
    description: storable(entry.description),
    original_hash: entry.originalHash,
    updated_hash: entry.updatedHash,
    import_id: entry.importId ?? 0,
  }))
  for (let start = 0; start < rows.length; start += 100) {
    await db
      .insertInto('audit_entry')
      .values(rows.slice(start, start + 100))
      .execute()
  }
}
