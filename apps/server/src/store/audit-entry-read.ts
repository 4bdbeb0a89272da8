import type { AuditEntry } from '@cadmus/model/audit-entry'
import { answerColumns, type AuditFilter, bodiesOf, filtered, lengthsOf, viewOf } from './audit-read.ts'
import { inBatches } from './batches.ts'
import type { Db } from './database.ts'
import type { Tables } from './tables.ts'

type Kind = Tables['audit_entry']['kind']

/** An entry with the stored contents of both sides, null if there is none. `targetId` is the changed object. */
export type StoredAuditEntry = { entry: AuditEntry; targetId: number; before: string | null; after: string | null }

/** Entries per query, so that other requests can run in between. */
const sliceLength = 1000

/** `bytes` is the total size of both contents; only `read` loads them. */
export async function findAuditEntry(
  db: Db,
  organisationId: number,
  { kind, id }: { kind: Kind; id: number },
): Promise<{ bytes: number; read: () => Promise<StoredAuditEntry> } | undefined> {
  const row = await filtered(db, organisationId, kind, {})
    .select([...answerColumns, 'target_id'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const lengths = await lengthsOf(db, organisationId, [row])
  return {
    bytes: lengths.values().reduce((sum, length) => sum + length, 0),
    async read() {
      const bodies = await bodiesOf(db, organisationId, [row])
      const [before, after] = [row.original_hash, row.updated_hash].map(hash => bodies.get(hash ?? '') ?? null)
      return { entry: viewOf(row, bodies), targetId: row.target_id, before: before ?? null, after: after ?? null }
    },
  }
}

type Line = Pick<
  Tables['audit_entry'],
  'at' | 'user_name' | 'user_email' | 'action_type' | 'name' | 'path' | 'version' | 'description'
>

/** Yields all matching entries without contents, newest first, in slices. Entries added later are not included. */
export async function* auditLines(
  db: Db,
  organisationId: number,
  kind: Kind,
  filter: AuditFilter,
): AsyncGenerator<Line[]> {
  let last = Number.MAX_SAFE_INTEGER
  for (;;) {
    const rows = await filtered(db, organisationId, kind, filter)
      .select(['sequence', 'at', 'user_name', 'user_email', 'action_type', 'name', 'path', 'version', 'description'])
      .where('sequence', '<', last)
      .orderBy('sequence', 'desc')
      .limit(sliceLength)
      .execute()
    if (rows.length > 0) yield rows
    if (rows.length < sliceLength) return
    last = rows.at(-1)?.sequence ?? 0
  }
}

/** Returns the last paths of deleted entities or manifests by id. */
export async function pathsOfDeleted(
  db: Db,
  organisationId: number,
  kind: Kind,
  ids: readonly number[],
): Promise<Map<number, string>> {
  const paths = new Map<number, string>()
  for (const part of inBatches(ids, 500)) {
    const rows = await filtered(db, organisationId, kind, { actionType: 'DELETE' })
      .select(['target_id', 'path'])
      .where('target_id', 'in', part)
      .execute()
    for (const { target_id: id, path } of rows) paths.set(id, path)
  }
  return paths
}
