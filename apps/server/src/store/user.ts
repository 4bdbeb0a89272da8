import { foldName } from '@cadmus/model/paths'
import type { Db } from './database.ts'
import { foldedBeginning } from './organisation.ts'
import { byMatch, contains, type Page, rowsBefore } from './page.ts'
import { storable } from './storable.ts'
import type { Tables } from './tables.ts'

export type UserRow = Tables['user_account']

/** `onboarded_at` applies only to a new user; existing users keep theirs. */
export async function upsertUser(
  db: Db,
  user: Omit<UserRow, 'updated_at' | 'name_folded' | 'search_folded'>,
): Promise<void> {
  const row = {
    ...user,
    name_folded: foldedBeginning(user.fullname),
    search_folded: storable(foldName([user.fullname, user.username, user.email].join('\n'))),
    updated_at: new Date().toISOString(),
  }
  const { id: _, onboarded_at: __, ...changes } = row
  await db
    .insertInto('user_account')
    .values(row)
    .onConflict(conflict => conflict.column('id').doUpdateSet(changes))
    .execute()
}

export async function userById(db: Db, id: string): Promise<UserRow | undefined> {
  return db.selectFrom('user_account').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Starts the user's onboarding tour; returns true for exactly one of several concurrent callers. */
export async function beginOnboarding(db: Db, id: string, now: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('user_account')
    .set({ onboarded_at: now })
    .where('id', '=', id)
    .where('onboarded_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** `isRuled`: the provider manages the user's memberships. */
type ListedUser = Pick<UserRow, 'id' | 'username' | 'fullname' | 'email'> & { isRuled: boolean }

/**
 * Lists users who have signed in, exact matches first, then by name; `notIn` excludes the local members of that
 * organisation.
 */
export async function listUsers(
  db: Db,
  query: Page & { search: string; notIn?: number | undefined },
): Promise<{ rows: ListedUser[]; total: number }> {
  let matching = db.selectFrom('user_account')
  const search = foldName(query.search)
  if (search !== '') matching = matching.where(contains('user_account.search_folded', search))
  const { notIn } = query
  if (notIn !== undefined) {
    const members = db.selectFrom('membership').select('user_id').where('organisation_id', '=', notIn)
    matching = matching.where('id', 'not in', members)
  }
  const { total } = await matching
    .select(counted => counted.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const rows = await matching
    .select(['id', 'username', 'fullname', 'email'])
    .select(user => user.case().when('permissions', 'is', null).then(0).else(1).end().as('ruled'))
    .orderBy(byMatch('name_folded', search))
    .orderBy('name_folded')
    .orderBy('id')
    .limit(query.limit)
    .offset(rowsBefore(query))
    .execute()
  return { rows: rows.map(({ ruled, ...row }) => ({ ...row, isRuled: Number(ruled) === 1 })), total: Number(total) }
}
