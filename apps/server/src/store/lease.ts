import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Db } from './database.ts'

/** Somebody else held the lease all the time that was waited. */
export class LeaseTaken extends Error {}

/**
 * Runs `work` while no other server process runs work under the same name. Waits up to `patience` ms for its turn; a holder
 * that died is passed over after `lifetime` ms. Throws LeaseTaken when its turn does not come.
 */
export async function withLease<T>(
  db: Db,
  name: string,
  work: () => Promise<T>,
  { lifetime = 15_000, patience = 20_000 } = {},
): Promise<T> {
  const holder = randomUUID()
  const end = Date.now() + patience
  while (!(await claim(db, name, holder, lifetime))) {
    if (Date.now() > end) throw new LeaseTaken(`The lease "${name}" was not given back in time.`)
    await wait(20 + Math.random() * 30)
  }
  try {
    return await work()
  } finally {
    await db.deleteFrom('lease').where('name', '=', name).where('holder', '=', holder).execute()
  }
}

async function claim(db: Db, name: string, holder: string, lifetime: number): Promise<boolean> {
  const now = Date.now()
  const row = { name, holder, expires_at: new Date(now + lifetime).toISOString() }
  const inserted = await db
    .insertInto('lease')
    .values(row)
    .onConflict(conflict =>
      conflict
        .column('name')
        .doUpdateSet({ holder: row.holder, expires_at: row.expires_at })
        .where('lease.expires_at', '<', new Date(now).toISOString()),
    )
    .returning('holder')
    .executeTakeFirst()
  return inserted?.holder === holder
}
