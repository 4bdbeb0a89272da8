import { type Kysely, sql } from 'kysely'

/** The pages of import reports, deleted with their jobs. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table import_report (organisation_id bigint not null, job_id bigint not null, page bigint not null,
    body text not null, primary key (organisation_id, job_id, page))`.execute(db)
}
