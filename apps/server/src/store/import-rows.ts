import { sql } from 'kysely'
import type { Db } from './database.ts'

/** Returns the invisible rows of an import, optionally only the first ones. */
export async function idsOfImport(
  db: Db,
  table: 'entity' | 'manifest' | 'audit_entry',
  organisationId: number,
  importId: number,
  limit?: number,
): Promise<number[]> {
  const matching = db
    .selectFrom(table)
    .select('id')
    .where('organisation_id', '=', organisationId)
    .where('import_id', '=', importId)
    // A literal, so that the partial index on invisible rows applies.
    .where('import_id', '>', sql.lit(0))
  const rows = await (limit === undefined ? matching : matching.limit(limit)).execute()
  return rows.map(row => row.id)
}
