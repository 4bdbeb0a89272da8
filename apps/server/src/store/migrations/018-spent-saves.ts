import { type Kysely, sql } from 'kysely'

/** Saves that were asked about and had stored nothing: whoever asked was told so, and one that comes after all is refused. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table spent_save (organisation_id bigint not null, save_id text not null, spent_at bigint not null,
    primary key (organisation_id, save_id))`.execute(db)
}
