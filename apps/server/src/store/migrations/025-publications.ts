import { type Kysely, sql } from 'kysely'

/** The last upload of each package to each instance. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table publication (organisation_id bigint not null, id bigint not null, package_id bigint not null,
    version text not null, instance_url text not null, signed_in bigint not null, state text not null,
    user_id text not null, user_name text not null, published_at text not null,
    primary key (organisation_id, id))`.execute(db)
  await sql`create index publication_package on publication (organisation_id, package_id)`.execute(db)
}
