import { type Kysely, sql } from 'kysely'

/** Entries say what was sent for their save, by a keyed digest: something else under the same id is not taken for it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table audit_entry add column save_mark text`.execute(db)
}
