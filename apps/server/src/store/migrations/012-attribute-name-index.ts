import { sql, type Kysely } from 'kysely'

/** An early version of migration 010 lacked this index. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index if not exists attribute_name_folded on attribute_name (organisation_id, name_folded)`.execute(
    db,
  )
}
