import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { fromNow } from './clock.ts'
import type { Store } from './database.ts'

/** Somebody else held the lease all the time that was waited. */
export class LeaseTaken extends Error {}

type LeaseStore = Pick<Store, 'shared' | 'clock'>

/**
 * Runs `work` while no other server process runs work under the same name. Waits up to `patience` ms for its turn. The lease is
 * renewed as long as the work goes on, by the store's clock: a holder that died is passed over after `lifetime` ms, also where that
 * clock was set back since it said until when. Throws LeaseTaken when its turn does not come.
 */
export async function withLease<T>(
  store: LeaseStore,
  name: string,
  work: () => Promise<T>,
  { lifetime = 10_000, patience = 20_000 } = {},
): Promise<T> {
  const holder = randomUUID()
  const turn = { name, holder, lifetime, patience }
  // A renewal that fails is followed by the next: the store may come back before the lease is over.
  const timer = setInterval(() => void renew(store, name, holder, lifetime).catch(() => undefined), lifetime / 4)
  try {
    await takeTurn(store, turn)
    return await work()
  } finally {
    clearInterval(timer)
    await release(store, name, holder).catch(() => void releaseLater(store, name, holder, lifetime))
  }
}

type Turn = { name: string; holder: string; lifetime: number; patience: number }

async function takeTurn(store: LeaseStore, { name, holder, lifetime, patience }: Turn): Promise<void> {
  const end = performance.now() + patience
  let seen: Seen | undefined
  while (!(await claim(store, { name, holder, lifetime }, silentSince(seen, lifetime)))) {
    if (performance.now() > end) throw new LeaseTaken(`The lease "${name}" was not given back in time.`)
    seen = await look(store, name, seen)
    await wait(20 + Math.random() * 30)
  }
}

/** What a lease said until when, and since when it says that, by this server's own time. */
type Seen = { until: number; since: number }

async function look({ shared }: LeaseStore, name: string, seen: Seen | undefined): Promise<Seen | undefined> {
  const found = await shared.selectFrom('lease').select('lease_until').where('name', '=', name).executeTakeFirst()
  if (found === undefined || found.lease_until === seen?.until) return seen
  return { until: found.lease_until, since: performance.now() }
}

/** What it says of a holder that renewed nothing for a whole lifetime, whatever the store's clock is. */
function silentSince(seen: Seen | undefined, lifetime: number): number | null {
  return seen !== undefined && performance.now() - seen.since > lifetime ? seen.until : null
}

type Claim = Omit<Turn, 'patience'>

async function claim({ shared, clock }: LeaseStore, { name, holder, lifetime }: Claim, silent: number | null) {
  const until = fromNow(clock, lifetime)
  const inserted = await shared
    .insertInto('lease')
    .values({ name, holder, lease_until: until })
    .onConflict(conflict =>
      conflict
        .column('name')
        .doUpdateSet({ holder, lease_until: until })
        .where(or => or.or([or('lease.lease_until', '<', clock), or('lease.lease_until', '=', silent ?? -1)])),
    )
    .returning('holder')
    .executeTakeFirst()
  return inserted?.holder === holder
}

/** For a store that no other process has. */
export async function loseAllLeases({ shared }: LeaseStore): Promise<void> {
  await shared.deleteFrom('lease').execute()
}

async function release({ shared }: LeaseStore, name: string, holder: string): Promise<void> {
  await shared.deleteFrom('lease').where('name', '=', name).where('holder', '=', holder).execute()
}

/** The store went away while we held it: given back when the store is there again, or left to its end. */
async function releaseLater(store: LeaseStore, name: string, holder: string, lifetime: number): Promise<void> {
  const end = performance.now() + lifetime
  while (performance.now() < end) {
    await wait(250, undefined, { ref: false })
    const released = await release(store, name, holder).then(
      () => true,
      () => false,
    )
    if (released) return
  }
}

async function renew({ shared, clock }: LeaseStore, name: string, holder: string, lifetime: number): Promise<void> {
  await shared
    .updateTable('lease')
    .set({ lease_until: fromNow(clock, lifetime) })
    .where('name', '=', name)
    .where('holder', '=', holder)
    .execute()
}
