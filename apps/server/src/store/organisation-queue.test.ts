import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { ApiError } from '../errors/api-error.ts'
import { OrganisationQueue } from './organisation-queue.ts'

const limits = { slots: 2, slotsOfOne: 1, waiting: 4, waitingOfOne: 3 }

function started() {
  const turns = new OrganisationQueue(limits)
  const order: string[] = []
  const ends = new Map<string, () => void>()
  const ask = async (name: string, owner: number, signal?: AbortSignal) => {
    const end = await turns.begin(owner, { signal })
    order.push(name)
    ends.set(name, end)
  }
  const end = async (name: string) => {
    ends.get(name)?.()
    await nextTurn()
  }
  return { order, ask, end }
}

it('an owner with many tasks does not delay others', async () => {
  const { order, ask, end } = started()
  for (const name of ['a1', 'a2', 'a3']) void ask(name, 1)
  await nextTurn()
  expect(order).toEqual(['a1'])
  for (const name of ['b1', 'b2']) void ask(name, 2)
  await nextTurn()
  expect(order).toEqual(['a1', 'b1'])
  void ask('c1', 3)
  await end('a1')
  // Owner 1 was served before, owner 3 never.
  expect(order).toEqual(['a1', 'b1', 'c1'])
  await end('b1')
  expect(order).toEqual(['a1', 'b1', 'c1', 'a2'])
  await end('c1')
  expect(order.at(-1)).toBe('b2')
})

it('a full queue rejects further callers with a request to retry', async () => {
  const { ask } = started()
  for (let index = 0; index < 4; index++) void ask(`a${index}`, 1)
  await nextTurn()
  const refusal = await ask('a4', 1).catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(ApiError)
  expect(refusal).toMatchObject({ status: 503, retryAfter: 5 })
})

it('an owner with several places in a full queue yields one to an owner with fewer', async () => {
  const { order, ask, end } = started()
  void ask('a0', 1)
  void ask('b0', 2)
  const waiting = ['a1', 'a2', 'a3'].map(async name => ask(name, 1))
  void ask('b1', 2)
  await nextTurn()
  void ask('c0', 3)
  await expect(waiting[2]).rejects.toMatchObject({ status: 503 })
  void ask('d0', 4)
  await expect(waiting[1]).rejects.toMatchObject({ status: 503 })
  // No owner has more than one place.
  await expect(ask('e0', 5)).rejects.toMatchObject({ status: 503 })
  await expect(ask('b2', 2)).rejects.toMatchObject({ status: 503 })
  for (const name of ['a0', 'b0', 'c0', 'd0']) await end(name)
  expect(order).toEqual(['a0', 'b0', 'c0', 'd0', 'a1', 'b1'])
})

it('a waiting caller who disconnects frees its place', async () => {
  const { order, ask, end } = started()
  void ask('a1', 1)
  const caller = new AbortController()
  const left = ask('a2', 1, caller.signal)
  void ask('a3', 1)
  await nextTurn()
  caller.abort(new Error('gone'))
  await expect(left).rejects.toThrow('gone')
  await end('a1')
  expect(order).toEqual(['a1', 'a3'])
})

it('a request that waits too long frees its place and fails with 503 and Retry-After', async () => {
  const turns = new OrganisationQueue({ ...limits, refusal: 'Others first.' })
  const end = await turns.begin(1)
  const late = turns.begin(1, { timeout: 5 })
  const patient = turns.begin(1)
  await expect(late).rejects.toMatchObject({ status: 503, message: 'Others first.', retryAfter: 5 })
  end()
  expect(await patient).toBeTypeOf('function')
})
