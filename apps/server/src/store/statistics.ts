import { sql } from 'kysely'
import type { Db } from './database.ts'
import { isSqlite } from './name-search.ts'

/** So many new entities make what was counted before untrue. */
const many = 1000

/**
 * PostgreSQL plans by what it counted last, and counts again a minute after much has changed: in that minute it reads thousands of new
 * rows once for each of them. So whoever has stored many makes it count. SQLite is told sizes by the migrations. What was stored is
 * there whether it can be counted now or not: a count that fails is left to the next one.
 */
export async function countRowsAnew(db: Db, stored: number): Promise<void> {
  if (stored < many || isSqlite(db)) return
  await sql`analyze entity, content, entity_column, entity_reference, manifest_member`
    .execute(db)
    .catch(() => undefined)
}
