import { foldName } from '@cadmus/model/paths'
import type { Db } from './database.ts'
import type { Store } from './store.ts'
import { foldedBeginning } from './organisation.ts'
import { byMatch, contains, type Page, rowsBefore } from './page.ts'
import { storable } from './statements.ts'
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

export type SessionRow = Tables['session']

export async function insertSession(db: Db, session: SessionRow): Promise<void> {
  await db.insertInto('session').values(session).execute()
}

/** Returns a valid session by the hash of its cookie: neither revoked nor expired. */
export async function sessionByTokenHash(db: Db, tokenHash: string, now: string): Promise<SessionRow | undefined> {
  return db
    .selectFrom('session')
    .selectAll()
    .where('token_hash', '=', tokenHash)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst()
}

/** Returns a session that is not revoked, whatever its current tokens. */
export async function openSession(db: Db, id: string): Promise<SessionRow | undefined> {
  return db.selectFrom('session').selectAll().where('id', '=', id).where('revoked_at', 'is', null).executeTakeFirst()
}

/** Returns a session by its current refresh hash, or the previous one, whose holder may have missed an answer. */
export async function sessionByRefreshHash(db: Db, refreshHash: string, now: string): Promise<SessionRow | undefined> {
  return db
    .selectFrom('session')
    .selectAll()
    .where(or => or.or([or('refresh_hash', '=', refreshHash), or('previous_refresh_hash', '=', refreshHash)]))
    .where('revoked_at', 'is', null)
    .where('refresh_expires_at', '>', now)
    .executeTakeFirst()
}

type Rotation = Pick<
  SessionRow,
  | 'token_hash'
  | 'refresh_hash'
  | 'previous_refresh_hash'
  | 'rotated_at'
  | 'provider_tokens'
  | 'is_admin'
  | 'permissions'
  | 'expires_at'
  | 'refresh_expires_at'
>

/** Replaces the tokens of a session; returns false if another rotation was faster. */
export async function rotateSession(db: Db, id: string, from: string, rotation: Rotation): Promise<boolean> {
  const result = await db
    .updateTable('session')
    .set(rotation)
    .where('id', '=', id)
    .where('refresh_hash', '=', from)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

export async function revokeSession(db: Db, id: string, now: string): Promise<void> {
  await db.updateTable('session').set({ revoked_at: now }).where('id', '=', id).execute()
}

export async function removeEndedSessions(db: Db, before: string): Promise<void> {
  await db.deleteFrom('session').where('refresh_expires_at', '<', before).execute()
}

/** Marks a sign-in as completed, and deletes expired marks. Returns false if it was already completed. */
export async function markSignInCompleted(
  db: Db,
  stateHash: string,
  times: { now: string; end: string },
): Promise<boolean> {
  await db.deleteFrom('spent_sign_in').where('expires_at', '<', times.now).execute()
  const marked = await db
    .insertInto('spent_sign_in')
    .values({ state_hash: stateHash, expires_at: times.end })
    .onConflict(conflict => conflict.doNothing())
    .executeTakeFirst()
  return marked.numInsertedOrUpdatedRows === 1n
}

export type PersonalTokenRow = Tables['personal_token']

/** Returns a valid token by its hash: neither revoked nor expired. */
export async function validTokenByHash(db: Db, hash: string, now: string): Promise<PersonalTokenRow | undefined> {
  return db
    .selectFrom('personal_token')
    .selectAll()
    .where('token_hash', '=', hash)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst()
}

/** Returns a user's tokens that are not revoked, newest first, of one organisation or all. */
export async function tokensOfUser(db: Db, userId: string, organisationId?: number): Promise<PersonalTokenRow[]> {
  const ofUser = db
    .selectFrom('personal_token')
    .selectAll()
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
  return (organisationId === undefined ? ofUser : ofUser.where('organisation_id', '=', organisationId)).execute()
}

/**
 * Locks the user's row until the transaction ends, so that concurrently created tokens are counted one after the other.
 * SQLite has only one writer anyway.
 */
export async function lockTokensOfUser(tx: Db, { kind }: Pick<Store, 'kind'>, userId: string): Promise<void> {
  if (kind === 'sqlite') return
  await tx.selectFrom('user_account').select('id').where('id', '=', userId).forUpdate().execute()
}

export async function insertToken(db: Db, row: PersonalTokenRow): Promise<void> {
  await db.insertInto('personal_token').values(row).execute()
}

/** Revokes and returns a token; undefined if the user has no such active token in the organisation. */
export async function revokeToken(
  db: Db,
  token: { id: number; userId: string; organisationId: number },
  now: string,
): Promise<Pick<PersonalTokenRow, 'id' | 'name'> | undefined> {
  return db
    .updateTable('personal_token')
    .set({ revoked_at: now })
    .where('id', '=', token.id)
    .where('user_id', '=', token.userId)
    .where('organisation_id', '=', token.organisationId)
    .where('revoked_at', 'is', null)
    .returning(['id', 'name'])
    .executeTakeFirst()
}

/** Does nothing if a use after `since` is already stored. */
export async function recordTokenUse(db: Db, id: number, times: { now: string; since: string }): Promise<void> {
  await db
    .updateTable('personal_token')
    .set({ last_used_at: times.now })
    .where('id', '=', id)
    .where(or => or.or([or('last_used_at', 'is', null), or('last_used_at', '<=', times.since)]))
    .execute()
}

/** Deletes tokens that expired or were revoked before the given time. */
export async function deleteOldTokens(db: Db, before: string): Promise<void> {
  await db
    .deleteFrom('personal_token')
    .where(or => or.or([or('expires_at', '<', before), or('revoked_at', '<', before)]))
    .execute()
}
