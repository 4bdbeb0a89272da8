import { type Kysely, sql } from 'kysely'

/** The operation id of a save on its audit entries, so that callers without an answer can query the outcome. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table audit_entry add column save_id text`.execute(db)
  await sql`create index audit_save on audit_entry (organisation_id, save_id) where save_id is not null`.execute(db)
}
