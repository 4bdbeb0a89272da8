import { sql, type Kysely } from 'kysely'

/** The index by folded names came into 010 an hour after it: a store that was upgraded in that hour has none. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index if not exists attribute_name_folded on attribute_name (organisation_id, name_folded)`.execute(
    db,
  )
}
