import { type Kysely, sql } from 'kysely'

/** Manifests whose entities are being deleted by a job and are already invisible. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table unseen_manifest (organisation_id bigint not null, manifest_id bigint not null,
    job_id bigint not null, primary key (organisation_id, manifest_id))`.execute(db)
}
