import { newUid } from '@cadmus/model/uid'
import { type Kysely, sql } from 'kysely'

/**
 * Uids of organisations, as owners of packages: codes can change their case. `uid_since` separates earlier packages,
 * which have no owner, from later ones.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table organisation add column uid text not null default ''`.execute(db)
  await sql`alter table organisation add column uid_since text not null default ''`.execute(db)
  const since = new Date().toISOString()
  const { rows } = await sql<{ id: number }>`select id from organisation`.execute(db)
  for (const { id } of rows)
    await sql`update organisation set uid = ${newUid()}, uid_since = ${since} where id = ${id}`.execute(db)
}
