import { type Kysely, sql } from 'kysely'

/** The start of each user's onboarding tour. Existing users count as onboarded. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table user_account add column onboarded_at text`.execute(db)
  await sql`update user_account set onboarded_at = updated_at`.execute(db)
}
