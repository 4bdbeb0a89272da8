import { type Kysely, sql } from 'kysely'

/** Tables whose rows belong to an entity of the same organisation, with the column that names it. */
const dependent = [
  ['entity_column', 'entity_id'],
  ['entity_reference', 'from_id'],
  ['open_reference', 'from_id'],
  ['entity_version', 'entity_id'],
] as const

/**
 * An entity that was deleted while somebody saved it left rows behind on PostgreSQL; the uids in them could never be used again.
 * They go.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [table, column] of dependent) {
    await sql`delete from ${sql.table(table)} where not exists (select 1 from entity
      where entity.organisation_id = ${sql.ref(`${table}.organisation_id`)}
      and entity.id = ${sql.ref(`${table}.${column}`)})`.execute(db)
  }
}
