import { type Kysely, sql } from 'kysely'

/** Marks entries that followed from the change of another document: undo leaves them to that document. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table audit_entry add column follows bigint not null default 0`.execute(db)
}
