import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStore, type Store } from './store.ts'
import { LeaseTaken, withLease } from './lease.ts'

describe('Decisions §4 refresh is serialised by a lease in the store', () => {
  let store: Store
  beforeAll(async () => {
    store = openStore({ kind: 'sqlite', file: ':memory:' })
    await store.migrate()
  })
  afterAll(() => store.close())

  it('runs work with the same name one at a time, and with different names in any order', async () => {
    const order: string[] = []
    const work = (name: string) => async () => {
      order.push(`${name} in`)
      await new Promise(done => setTimeout(done, 60))
      order.push(`${name} out`)
    }
    await Promise.all([withLease(store, 'a', work('first')), withLease(store, 'a', work('second'))])
    expect(order[1]).toBe(order[0]?.replace('in', 'out'))
    expect(order).toHaveLength(4)
  })

  it('throws after the waiting time while the holder renews its lease', async () => {
    let free = () => {}
    const held = withLease(store, 'b', () => new Promise<void>(done => (free = done)), { lifetime: 2000 })
    await expect(withLease(store, 'b', async () => 1, { timeout: 3000 })).rejects.toBeInstanceOf(LeaseTaken)
    free()
    await held
    await expect(withLease(store, 'b', async () => 2, { timeout: 50 })).resolves.toBe(2)
  })

  it("expires the lease of a crashed holder by the store's clock", async () => {
    const lease = { name: 'c', holder: 'a server that is gone', lease_until: Date.now() + 60_000 }
    await store.shared.insertInto('lease').values(lease).execute()
    await expect(withLease(store, 'c', async () => 1, { timeout: 50 })).rejects.toBeInstanceOf(LeaseTaken)
    await store.shared.updateTable('lease').set({ lease_until: Date.now() }).where('name', '=', 'c').execute()
    await expect(withLease(store, 'c', async () => 2, { timeout: 5000 })).resolves.toBe(2)
  })

  it("expires the lease by the local clock if the store's was set back", async () => {
    const lease = { name: 'd', holder: 'a server that is gone', lease_until: Date.now() + 3_600_000 }
    await store.shared.insertInto('lease').values(lease).execute()
    await expect(withLease(store, 'd', async () => 1, { lifetime: 200, timeout: 10_000 })).resolves.toBe(1)
    expect(await store.shared.selectFrom('lease').selectAll().where('name', '=', 'd').execute()).toEqual([])
  })
})
