import { sql, SqliteAdapter, type RawBuilder } from 'kysely'
import type { Db } from './database.ts'
import { contains } from './page.ts'

/** Characters per index entry. */
const trigram = 3

type Count = { count: number }

/** With more matches, scanning all names in order is faster than the index. */
const few = 2000

/**
 * Implements the search for entity names containing a text, with a trigram index: FTS5 on SQLite, maintained by
 * triggers; `pg_trgm` on PostgreSQL, where the extension may be missing, which leaves a scan. Texts of one or two
 * characters and very frequent texts are scanned in the ordered index instead.
 */
export async function entityNameMatches(db: Db, text: string): Promise<RawBuilder<boolean>> {
  if (!isSqlite(db)) return contains('entity.name_folded', text)
  const read = sql<boolean>`instr(entity.name_folded, ${text}) > 0`
  if (Array.from(text).length < trigram) return read
  const phrase = `"${text.replaceAll('"', '""')}"`
  const countMatches = sql<Count>`select count(*) as count from (select 1 from entity_search where entity_search match ${phrase} limit ${few})`
  const { rows } = await countMatches.execute(db)
  if (Number(rows[0]?.count ?? 0) >= few) return read
  return sql<boolean>`entity.id in (select rowid from entity_search where entity_search match ${phrase})`
}

export function isSqlite(db: Db): boolean {
  return db.getExecutor().adapter instanceof SqliteAdapter
}
