import { type Kysely, sql } from 'kysely'

/** When each user's onboarding tour began. Whoever worked here before there was one has had the first launch, and gets none by itself. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table user_account add column onboarded_at text`.execute(db)
  await sql`update user_account set onboarded_at = updated_at`.execute(db)
}
