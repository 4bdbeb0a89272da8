import { afterAll, beforeAll, expect, it } from 'vitest'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { openStore, type Store } from '../store/database.ts'
import { type Change, transact } from './change.ts'

let store: Store
beforeAll(async () => {
  store = openStore({ kind: 'sqlite', file: ':memory:' })
  await store.migrate()
})
afterAll(() => store.close())

it('a change that already began continues while new changes are refused for lack of waiting places', async () => {
  const change: Change = {
    store,
    organisationId: 7,
    actor: { userId: 'someone', userName: 'Someone', userEmail: '' },
    isAdmin: false,
  }
  const crowd: Promise<() => void>[] = []
  const refused = Promise.withResolvers<void>()
  for (let count = 0; count < 400; count++) {
    const turn = store.writing.begin(7)
    turn.catch(() => refused.resolve())
    crowd.push(turn)
  }
  await refused.promise
  const none = async () => 'done'
  await expect(transact(change, 1, none)).rejects.toMatchObject({ status: 503 })
  const going = transact(change, 1, none, await store.ids.one())
  going.catch(() => undefined)
  await nextTurn()
  for (const turn of crowd) void turn.then(end => end()).catch(() => undefined)
  expect(await going).toBe('done')
})
