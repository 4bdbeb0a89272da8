import { sql } from 'kysely'
import type { Db } from './database.ts'

/** The rows that an import has stored and nobody sees yet, or the first of them. */
export async function idsOfImport(
  db: Db,
  table: 'entity' | 'manifest' | 'audit_entry',
  organisationId: number,
  importId: number,
  limit?: number,
): Promise<number[]> {
  const found = db
    .selectFrom(table)
    .select('id')
    .where('organisation_id', '=', organisationId)
    .where('import_id', '=', importId)
    // In words, so that the index of what is not visible serves.
    .where('import_id', '>', sql.lit(0))
  const rows = await (limit === undefined ? found : found.limit(limit)).execute()
  return rows.map(row => row.id)
}
