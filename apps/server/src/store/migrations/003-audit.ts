import { sql, type Kysely } from 'kysely'

/**
 * Adds to audit entries the change, version, content kind and restoration data. Orders them by a number assigned in
 * commit order instead of a clock.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const columns = {
    change_id: 'bigint not null default 0',
    sequence: 'bigint not null default 0',
    version: `text not null default ''`,
    content_kind: `text not null default ''`,
    restoration: 'text',
  }
  for (const [column, type] of Object.entries(columns))
    await sql`alter table audit_entry add column ${sql.ref(column)} ${sql.raw(type)}`.execute(db)
  await sql`update audit_entry set change_id = id, content_kind = lower(kind)`.execute(db)
  await sql`update audit_entry set sequence = numbered.n from (
    select organisation_id, id, row_number() over (partition by organisation_id order by at, id) as n from audit_entry
  ) as numbered where audit_entry.organisation_id = numbered.organisation_id and audit_entry.id = numbered.id`.execute(
    db,
  )
  await sql`create table audit_sequence (organisation_id bigint not null, last bigint not null, primary key (organisation_id))`.execute(
    db,
  )
  await sql`insert into audit_sequence (organisation_id, last)
    select organisation_id, max(sequence) from audit_entry group by organisation_id`.execute(db)
  await sql`drop index audit_kind`.execute(db)
  await sql`drop index audit_target`.execute(db)
  await sql`create unique index audit_order on audit_entry (organisation_id, sequence)`.execute(db)
  await sql`create index audit_kind on audit_entry (organisation_id, kind, sequence)`.execute(db)
  await sql`create index audit_target on audit_entry (organisation_id, target_id, sequence)`.execute(db)
}
