import { type Kysely, sql } from 'kysely'

/** Tables whose rows depend on an entity of the same organisation, with the referencing column. */
const dependent = [
  ['entity_column', 'entity_id'],
  ['entity_reference', 'from_id'],
  ['open_reference', 'from_id'],
  ['entity_version', 'entity_id'],
] as const

/** Deletes rows left behind on PostgreSQL when an entity was deleted during a save; they blocked their uids. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [table, column] of dependent) {
    await sql`delete from ${sql.table(table)} where not exists (select 1 from entity
      where entity.organisation_id = ${sql.ref(`${table}.organisation_id`)}
      and entity.id = ${sql.ref(`${table}.${column}`)})`.execute(db)
  }
}
