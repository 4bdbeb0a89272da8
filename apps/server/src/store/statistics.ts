import { sql } from 'kysely'
import type { Db } from './database.ts'
import { isSqlite } from './name-search.ts'

/** Number of new entities that makes statistics outdated. */
const many = 1000

/**
 * Updates PostgreSQL's statistics after a bulk insert. Autovacuum needs a minute, during which outdated statistics
 * cause quadratic plans. SQLite uses fixed statistics. Errors are ignored, because the data is already stored.
 */
export async function updateStatistics(db: Db, stored: number): Promise<void> {
  if (stored < many || isSqlite(db)) return
  await sql`analyze entity, content, entity_column, entity_reference, manifest_member`
    .execute(db)
    .catch(() => undefined)
}
