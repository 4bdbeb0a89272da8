import { type Kysely, sql } from 'kysely'

/** Entries say which save made them, under the id that its caller gave it: whoever got no answer can ask what became of it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table audit_entry add column save_id text`.execute(db)
  await sql`create index audit_save on audit_entry (organisation_id, save_id) where save_id is not null`.execute(db)
}
