import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { fromNow } from './statements.ts'
import type { Store } from './store.ts'

/** The lease was not free within the waiting time. */
export class LeaseTaken extends Error {}

type LeaseStore = Pick<Store, 'shared' | 'clock'>

/**
 * Runs `work` exclusively under the name among all server processes, after waiting up to `timeout` ms. The lease is
 * renewed by the store's clock while the work runs. The lease of a crashed holder expires after `lifetime` ms, even if
 * that clock was set back. Throws LeaseTaken on timeout.
 */
export async function withLease<T>(
  store: LeaseStore,
  name: string,
  work: () => Promise<T>,
  { lifetime = 10_000, timeout = 20_000 } = {},
): Promise<T> {
  const holder = randomUUID()
  const leaseRequest = { name, holder, lifetime, timeout }
  // A failed renewal is retried: the store may recover before the lease expires.
  const timer = setInterval(() => void renew(store, name, holder, lifetime).catch(() => undefined), lifetime / 4)
  try {
    await acquire(store, leaseRequest)
    return await work()
  } finally {
    clearInterval(timer)
    await release(store, name, holder).catch(() => void releaseLater(store, name, holder, lifetime))
  }
}

type LeaseRequest = { name: string; holder: string; lifetime: number; timeout: number }

async function acquire(store: LeaseStore, { name, holder, lifetime, timeout }: LeaseRequest): Promise<void> {
  const end = performance.now() + timeout
  let observed: ObservedExpiry | undefined
  while (!(await claim(store, { name, holder, lifetime }, expiredExpiry(observed, lifetime)))) {
    if (performance.now() > end) throw new LeaseTaken(`The lease "${name}" was not released in time.`)
    observed = await observe(store, name, observed)
    await wait(20 + Math.random() * 30)
  }
}

/** The observed expiry of a lease, and when this server first saw it, by its own clock. */
type ObservedExpiry = { until: number; since: number }

async function observe(
  { shared }: LeaseStore,
  name: string,
  previous: ObservedExpiry | undefined,
): Promise<ObservedExpiry | undefined> {
  const result = await shared.selectFrom('lease').select('lease_until').where('name', '=', name).executeTakeFirst()
  if (result === undefined || result.lease_until === previous?.until) return previous
  return { until: result.lease_until, since: performance.now() }
}

/**
 * Returns the expiry of a lease not renewed for a whole lifetime, which may be taken over regardless of the store's
 * clock.
 */
function expiredExpiry(observed: ObservedExpiry | undefined, lifetime: number): number | null {
  return observed !== undefined && performance.now() - observed.since > lifetime ? observed.until : null
}

type Claim = Omit<LeaseRequest, 'timeout'>

async function claim({ shared, clock }: LeaseStore, { name, holder, lifetime }: Claim, expired: number | null) {
  const until = fromNow(clock, lifetime)
  const inserted = await shared
    .insertInto('lease')
    .values({ name, holder, lease_until: until })
    .onConflict(conflict =>
      conflict
        .column('name')
        .doUpdateSet({ holder, lease_until: until })
        .where(or => or.or([or('lease.lease_until', '<', clock), or('lease.lease_until', '=', expired ?? -1)])),
    )
    .returning('holder')
    .executeTakeFirst()
  return inserted?.holder === holder
}

/** For a store used by a single process. */
export async function deleteAllLeases({ shared }: LeaseStore): Promise<void> {
  await shared.deleteFrom('lease').execute()
}

async function release({ shared }: LeaseStore, name: string, holder: string): Promise<void> {
  await shared.deleteFrom('lease').where('name', '=', name).where('holder', '=', holder).execute()
}

/** After a store outage, releases the lease once the store is back, or lets it expire. */
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
