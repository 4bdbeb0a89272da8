import { type Kysely, sql } from 'kysely'

/** Packages by name, and their versions with the result of the build; the zip is a content. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table package (organisation_id bigint not null, id bigint not null, guid text not null, name text not null,
    name_folded text not null, manifest_id bigint not null, manifest_name text not null, manifest_name_folded text not null,
    manifest_path text not null, is_default bigint not null, user_id text not null, created_at text not null,
    primary key (organisation_id, id))`.execute(db)
  await sql`create unique index package_name on package (organisation_id, name_folded)`.execute(db)
  await sql`create table package_version (organisation_id bigint not null, package_id bigint not null, version text not null,
    job_id bigint not null, status text not null, reason text not null, publish_as text not null, manifest_id bigint not null,
    manifest_version text not null, settings text not null, content_hash text, size bigint not null,
    user_id text not null, user_name text not null, user_email text not null, asked_at text not null, ended_at text not null,
    primary key (organisation_id, package_id, version))`.execute(db)
  await sql`create index package_version_job on package_version (organisation_id, job_id)`.execute(db)
}
