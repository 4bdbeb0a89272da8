import { newUid } from '@cadmus/model/uid'
import { type Kysely, sql } from 'kysely'

/**
 * Organisations get a uid, which says whose packages are: codes are folded in their ids. `uid_since` tells the packages of before,
 * which state no owner, from those that do.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table organisation add column uid text not null default ''`.execute(db)
  await sql`alter table organisation add column uid_since text not null default ''`.execute(db)
  const since = new Date().toISOString()
  const { rows } = await sql<{ id: number }>`select id from organisation`.execute(db)
  for (const { id } of rows)
    await sql`update organisation set uid = ${newUid()}, uid_since = ${since} where id = ${id}`.execute(db)
}
