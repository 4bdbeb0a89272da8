import { type Kysely, sql } from 'kysely'

/** Cancelled saves: the caller was informed that nothing was stored, so a late arrival is rejected. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table spent_save (organisation_id bigint not null, save_id text not null, spent_at bigint not null,
    primary key (organisation_id, save_id))`.execute(db)
}
