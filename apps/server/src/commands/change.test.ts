import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { openStore, type Store } from '../store/store.ts'
import { type Change, ownersOf, transact } from './change.ts'

let store: Store
beforeAll(async () => {
  store = openStore({ kind: 'sqlite', file: ':memory:' })
  await store.migrate()
})
afterAll(() => store.close())

const changeBy = (userId: string): Change => ({
  store,
  organisationId: 7,
  actor: { userId, userName: userId, userEmail: '' },
  isAdmin: false,
})

it('a change of a user who waits for the first one precedes the further changes of another user', async () => {
  const end = await store.writing.begin(ownersOf(changeBy('busy')))
  const order: string[] = []
  const run = vi.spyOn(store.writing, 'run')
  const write = (userId: string) => transact(changeBy(userId), 1, async () => void order.push(userId))
  const busy = Promise.all([write('busy'), write('busy'), write('busy')])
  const quiet = write('quiet')
  await expect.poll(() => run.mock.calls).toHaveLength(4)
  run.mockRestore()
  end()
  await Promise.all([busy, quiet])
  expect(order).toEqual(['quiet', 'busy', 'busy', 'busy'])
})

it('a change that already began continues while new changes are refused for lack of waiting places', async () => {
  const change = changeBy('someone')
  const crowd: Promise<() => void>[] = []
  const refused = Promise.withResolvers<void>()
  for (let count = 0; count < 400; count++) {
    const turn = store.writing.begin(ownersOf(change))
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
