import type { Db, Store } from './database.ts'
import type { Tables } from './tables.ts'

export type PersonalTokenRow = Tables['personal_token']

/** A token that is neither revoked nor over, by its hash. */
export async function livingTokenByHash(db: Db, hash: string, now: string): Promise<PersonalTokenRow | undefined> {
  return db
    .selectFrom('personal_token')
    .selectAll()
    .where('token_hash', '=', hash)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst()
}

/** Those of a user that are not revoked, newest first; of one organisation or of all. */
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
 * Holds the user's row until the transaction ends: two tokens that are made at once, by whatever servers, are counted and compared one after
 * the other. On SQLite one transaction at a time writes anyhow.
 */
export async function lockTokensOfUser(tx: Db, { kind }: Pick<Store, 'kind'>, userId: string): Promise<void> {
  if (kind === 'sqlite') return
  await tx.selectFrom('user_account').select('id').where('id', '=', userId).forUpdate().execute()
}

export async function insertToken(db: Db, row: PersonalTokenRow): Promise<void> {
  await db.insertInto('personal_token').values(row).execute()
}

/** Answers the token that this revoked; undefined where the user has none of that id in the organisation, or not any more. */
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

/** Unless that was done after `since`. */
export async function noteTokenUse(db: Db, id: number, times: { now: string; since: string }): Promise<void> {
  await db
    .updateTable('personal_token')
    .set({ last_used_at: times.now })
    .where('id', '=', id)
    .where(or => or.or([or('last_used_at', 'is', null), or('last_used_at', '<=', times.since)]))
    .execute()
}

/** Removes those that were over or revoked before then. */
export async function forgetTokens(db: Db, before: string): Promise<void> {
  await db
    .deleteFrom('personal_token')
    .where(or => or.or([or('expires_at', '<', before), or('revoked_at', '<', before)]))
    .execute()
}
