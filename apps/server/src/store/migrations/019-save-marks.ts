import { type Kysely, sql } from 'kysely'

/** Keyed digests of requests on audit entries, to detect the reuse of an operation id. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table audit_entry add column save_mark text`.execute(db)
}
