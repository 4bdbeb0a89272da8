import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Db } from './database.ts'

/** Somebody else held the lease all the time that was waited. */
export class LeaseTaken extends Error {}

type Times = { lifetime?: number; patience?: number }

/**
 * Runs `work` while no other server process runs work under the same name. Waits up to `patience` ms for its turn; a holder
 * that died is passed over after `lifetime` ms, whatever the clock was set to meanwhile. Throws LeaseTaken when its turn does
 * not come.
 */
export async function withLease<T>(
  db: Db,
  name: string,
  work: () => Promise<T>,
  { lifetime = 15_000, patience = 20_000 }: Times = {},
): Promise<T> {
  const holder = randomUUID()
  try {
    await takeTurn(db, { name, holder, lifetime, patience })
    return await work()
  } finally {
    await release(db, name, holder).catch(() => void releaseLater(db, name, holder, lifetime))
  }
}

type Turn = { name: string; holder: string; lifetime: number; patience: number }

async function takeTurn(db: Db, { name, holder, lifetime, patience }: Turn): Promise<void> {
  const began = performance.now()
  let seen = ''
  let since = began
  for (;;) {
    // A holder that was seen for a whole lifetime has had it, though its end is written in times that the clock has left again.
    const outlived = performance.now() - since > lifetime ? seen : null
    const held = await claim(db, { name, holder, lifetime, outlived })
    if (held === null) return
    if (held !== seen) {
      seen = held
      since = performance.now()
    }
    if (performance.now() - began > patience) throw new LeaseTaken(`The lease "${name}" was not given back in time.`)
    await wait(20 + Math.random() * 30)
  }
}

type Claim = { name: string; holder: string; lifetime: number; outlived: string | null }

/** Null where the lease is ours now, else who has it. */
async function claim(db: Db, { name, holder, lifetime, outlived }: Claim): Promise<string | null> {
  const now = Date.now()
  const row = { name, holder, expires_at: new Date(now + lifetime).toISOString() }
  const mine = await db
    .insertInto('lease')
    .values(row)
    .onConflict(conflict =>
      conflict
        .column('name')
        .doUpdateSet({ holder: row.holder, expires_at: row.expires_at })
        .where(or =>
          or.or([
            or('lease.expires_at', '<', new Date(now).toISOString()),
            or('lease.holder', '=', outlived ?? holder),
          ]),
        ),
    )
    .returning('holder')
    .executeTakeFirst()
  if (mine !== undefined) return null
  const other = await db.selectFrom('lease').select('holder').where('name', '=', name).executeTakeFirst()
  return other?.holder ?? ''
}

async function release(db: Db, name: string, holder: string): Promise<void> {
  await db.deleteFrom('lease').where('name', '=', name).where('holder', '=', holder).execute()
}

/** The store went away while we held it: given back when the store is there again, or left to its end. */
async function releaseLater(db: Db, name: string, holder: string, lifetime: number): Promise<void> {
  const end = performance.now() + lifetime
  while (performance.now() < end) {
    await wait(250, undefined, { ref: false })
    const released = await release(db, name, holder).then(
      () => true,
      () => false,
    )
    if (released) return
  }
}
