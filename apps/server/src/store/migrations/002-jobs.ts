import { sql, type Kysely } from 'kysely'

/**
 * One table for all jobs, leases by the database clock, and removable contents. Interrupted imports become jobs without
 * holder, so that their partial results are removed.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [table, columns] of Object.entries(tables))
    await sql`create table ${sql.table(table)} (${sql.raw(columns)})`.execute(db)
  await sql`create unique index job_key on job (organisation_id, kind, job_key)`.execute(db)
  await sql`create index job_queue on job (state, lease_until)`.execute(db)
  await sql`create index job_sequence on job (sequence)`.execute(db)
  await sql`create index audit_import on audit_entry (organisation_id, import_id) where import_id > 0`.execute(db)
  await sql`create index loose_content_import on loose_content (organisation_id, import_id)`.execute(db)
  await sql`insert into job (id, organisation_id, kind, job_key, state, user_id, holder, lease_until, attempts, progress, cancel_requested, sequence, created_at, ended_at)
    select id, organisation_id, 'import', cast(id as text), 'running', user_id, '', 0, 1, '', 0, id, 0, 0 from import_run`.execute(
    db,
  )
  await sql`drop table import_run`.execute(db)
  await sql`drop table lease`.execute(db)
  await sql`create table lease (name text not null primary key, holder text not null, lease_until bigint not null)`.execute(
    db,
  )
  await escapePaths(db)
}

const tables = {
  job: `id bigint not null primary key, organisation_id bigint not null, kind text not null, job_key text not null,
    state text not null, user_id text not null, holder text not null, lease_until bigint not null, attempts bigint not null,
    progress text not null, cancel_requested bigint not null, sequence bigint not null, created_at bigint not null,
    ended_at bigint not null`,
  loose_content: `organisation_id bigint not null, hash text not null, import_id bigint not null, noted_at bigint not null,
    primary key (organisation_id, hash)`,
}

type Named = { organisation_id: number; id: number; name: string }
type NamedEntity = Named & { manifest_name: string | null }

/**
 * Escapes slashes in names, which used to create folders in paths. The library's paths are updated when it is read
 * again.
 */
async function escapePaths(db: Kysely<unknown>): Promise<void> {
  const manifests = await sql<Named>`select organisation_id, id, name from manifest
    where organisation_id > 0 and name like '%/%'`.execute(db)
  for (const row of manifests.rows) await setPath(db, 'manifest', row, ['user-defined', part(row.name)])
  const entities =
    await sql<NamedEntity>`select entity.organisation_id, entity.id, entity.name, manifest.name as manifest_name
    from entity left join manifest on manifest.organisation_id = entity.organisation_id and manifest.id = entity.manifest_id
    where entity.organisation_id > 0 and (entity.name like '%/%' or manifest.name like '%/%')`.execute(db)
  for (const row of entities.rows) {
    const folder = row.manifest_name === null ? ['user-defined'] : ['user-defined', part(row.manifest_name)]
    await setPath(db, 'entity', row, [...folder, part(row.name)])
  }
}

async function setPath(
  db: Kysely<unknown>,
  table: 'entity' | 'manifest',
  { organisation_id, id }: Named,
  parts: readonly string[],
) {
  await sql`update ${sql.table(table)} set path = ${parts.join('/')}, folder = ${parts.slice(0, -1).join('/')}
    where organisation_id = ${organisation_id} and id = ${id}`.execute(db)
}

/** A copy of the path function of that time. */
function part(name: string): string {
  return name.replace(/%(?=2F|25)/gi, '%25').replaceAll('/', '%2F')
}
