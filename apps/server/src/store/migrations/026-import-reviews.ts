import { type Kysely, sql } from 'kysely'

/** Uploads under review: the file, what was read of it, and the choices of the call, until they are imported or expire. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table import_review (organisation_id bigint not null, job_id bigint not null, part text not null,
    page bigint not null, size bigint not null, body text not null,
    primary key (organisation_id, job_id, part, page))`.execute(db)
}
