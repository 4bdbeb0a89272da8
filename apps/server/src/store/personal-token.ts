import type { Db, Store } from './database.ts'
import type { Tables } from './tables.ts'

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
