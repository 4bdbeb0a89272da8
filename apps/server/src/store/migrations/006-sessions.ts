import { type Kysely, sql } from 'kysely'

/** The states of completed sign-ins, to prevent replay. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table spent_sign_in (state_hash text not null, expires_at text not null, primary key (state_hash))`.execute(
    db,
  )
  await sql`create index spent_sign_in_end on spent_sign_in (expires_at)`.execute(db)
}
