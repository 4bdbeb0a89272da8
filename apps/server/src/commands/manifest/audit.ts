import { appendAudit, type AuditEntry } from '../../store/audit.ts'
import type { Tx } from '../../store/database.ts'
import type { ManifestRow } from '../../store/manifest.ts'
import type { ContentChange } from '../../store/manifest-members.ts'
import type { Change, Ids } from '../change.ts'

/** The audit entry of a change of a manifest: the hashes of what stood before and after, and what happened in words. */
export async function auditUpdate(
  tx: Tx,
  { organisationId, actor }: Change,
  ids: Ids,
  {
    manifest,
    changed,
    description,
  }: { manifest: ManifestRow; changed: Pick<ContentChange, 'before' | 'after'>; description: string },
): Promise<void> {
  const entry: AuditEntry = {
    id: ids.next(),
    kind: 'MANIFEST',
    targetId: manifest.id,
    action: 'UPDATE',
    name: manifest.name,
    path: manifest.path,
    description,
    originalHash: changed.before,
    updatedHash: changed.after,
  }
  await appendAudit(tx, organisationId, actor, [entry])
}

/** Names for a sentence: all of a few, the first of many. */
export function named(names: readonly string[]): string {
  const few = 5
  const quoted = names.slice(0, few).map(name => `"${name}"`)
  return names.length <= few ? quoted.join(', ') : `${quoted.join(', ')} and ${names.length - few} more`
}
