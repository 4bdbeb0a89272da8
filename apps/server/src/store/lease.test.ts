import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStore, type Store } from './database.ts'
import { LeaseTaken, withLease } from './lease.ts'

describe('Decisions §4 refresh is serialised by a lease in the store', () => {
  let store: Store
  beforeAll(async () => {
    store = openStore({ kind: 'sqlite', file: ':memory:' })
    await store.migrate()
  })
  afterAll(() => store.close())

  it('one at a time under a name, in any order under different names', async () => {
    const order: string[] = []
    const work = (name: string) => async () => {
      order.push(`${name} in`)
      await new Promise(done => setTimeout(done, 60))
      order.push(`${name} out`)
    }
    await Promise.all([withLease(store.shared, 'a', work('first')), withLease(store.shared, 'a', work('second'))])
    expect(order[1]).toBe(order[0]?.replace('in', 'out'))
    expect(order).toHaveLength(4)
  })

  it('whose turn does not come is told so; a holder that died is passed over', async () => {
    const dead = { lifetime: 400, patience: 10 }
    let free = () => {}
    const held = withLease(store.shared, 'b', () => new Promise<void>(done => (free = done)), dead)
    await expect(withLease(store.shared, 'b', async () => 1, { patience: 50 })).rejects.toBeInstanceOf(LeaseTaken)
    await expect(withLease(store.shared, 'b', async () => 2, { patience: 2000 })).resolves.toBe(2)
    free()
    await held
  })
})
