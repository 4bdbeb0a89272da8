import type { Db } from './database.ts'
import type { Tables } from './tables.ts'

export type UserRow = Tables['user_account']

export async function upsertUser(db: Db, user: Omit<UserRow, 'updated_at'>): Promise<void> {
  const row = { ...user, updated_at: new Date().toISOString() }
  const { id: _, ...changes } = row
  await db
    .insertInto('user_account')
    .values(row)
    .onConflict(conflict => conflict.column('id').doUpdateSet(changes))
    .execute()
}

export async function userById(db: Db, id: string): Promise<UserRow | undefined> {
  return db.selectFrom('user_account').selectAll().where('id', '=', id).executeTakeFirst()
}

/** The organisations of a user with the subscription number in each, by code. */
export async function membershipsOf(
  db: Db,
  userId: string,
): Promise<{ organisationId: number; code: string; name: string; subscription: number }[]> {
  return db
    .selectFrom('membership')
    .innerJoin('organisation', 'organisation.id', 'membership.organisation_id')
    .where('membership.user_id', '=', userId)
    .select(['organisation.id as organisationId', 'organisation.code', 'organisation.name', 'membership.subscription'])
    .orderBy('organisation.code_folded')
    .execute()
}
