import { sql, SqliteAdapter, type RawBuilder } from 'kysely'
import type { Db } from './database.ts'
import { contains } from './page.ts'

/** So many characters make one entry of the index. */
const trigram = 3

/**
 * The one file that knows how names are searched: "the entity's folded name contains the text", answered from an index of the
 * three-character pieces of all names: FTS5 on SQLite, where triggers keep it; `pg_trgm` on PostgreSQL, where an operator may have
 * forbidden that extension: then the names are read one after the other. Texts of one and two characters are in no such index:
 * nearly every name contains them, so that the names are read, from the index that has them in order.
 */
export function entityNameMatches(db: Db, text: string): RawBuilder<boolean> {
  if (!isSqlite(db) || Array.from(text).length < trigram) return contains('entity.name_folded', text)
  const phrase = `"${text.replaceAll('"', '""')}"`
  return sql<boolean>`entity.id in (select rowid from entity_search where entity_search match ${phrase})`
}

export function isSqlite(db: Db): boolean {
  return db.getExecutor().adapter instanceof SqliteAdapter
}
