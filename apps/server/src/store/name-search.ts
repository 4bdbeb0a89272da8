import { sql, SqliteAdapter, type RawBuilder } from 'kysely'
import type { Db } from './database.ts'
import { contains } from './page.ts'

/** So many characters make one entry of the index. */
const trigram = 3

type Count = { count: number }

/** An index that answers with more entities than that is slower than reading all names in their order. */
const few = 2000

/**
 * The one file that knows how names are searched: "the entity's folded name contains the text", answered from an index of the
 * three-character pieces of all names: FTS5 on SQLite, where triggers keep it; `pg_trgm` on PostgreSQL, where an operator may have
 * forbidden that extension: then the names are read one after the other. Texts of one and two characters are in no such index,
 * and what nearly every name contains is not looked up there either: the names are read, from the index that has them in order.
 */
export async function entityNameMatches(db: Db, text: string): Promise<RawBuilder<boolean>> {
  if (!isSqlite(db)) return contains('entity.name_folded', text)
  const read = sql<boolean>`instr(entity.name_folded, ${text}) > 0`
  if (Array.from(text).length < trigram) return read
  const phrase = `"${text.replaceAll('"', '""')}"`
  const found = sql<Count>`select count(*) as count from (select 1 from entity_search where entity_search match ${phrase} limit ${few})`
  const { rows } = await found.execute(db)
  if (Number(rows[0]?.count ?? 0) >= few) return read
  return sql<boolean>`entity.id in (select rowid from entity_search where entity_search match ${phrase})`
}

export function isSqlite(db: Db): boolean {
  return db.getExecutor().adapter instanceof SqliteAdapter
}
