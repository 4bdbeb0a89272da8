import type { Db } from './database.ts'
import type { Tables } from './tables.ts'

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

export type Rotation = Pick<
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
