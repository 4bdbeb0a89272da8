import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { FairQueue } from './fair-queue.ts'

const settings = { slots: 2, slotsOfOne: 2, waiting: 4, waitingOfOne: 3, refusal: () => new Error('Others first.') }

function started() {
  const queue = new FairQueue<string>(settings)
  const order: string[] = []
  const ends = new Map<string, () => void>()
  const ask = async (name: string, ...owners: string[]) => {
    const end = await queue.begin(owners)
    order.push(name)
    ends.set(name, end)
  }
  const end = async (name: string) => {
    ends.get(name)?.()
    await nextTurn()
  }
  return { order, ask, end }
}

describe('A fair queue of addresses within packages', () => {
  it('gives an address no second slot while another address waits, in any package', async () => {
    const { order, ask, end } = started()
    void ask('x1', 'x', 'A')
    void ask('x2', 'x', 'B')
    void ask('x3', 'x', 'C')
    void ask('y1', 'y', 'A')
    await nextTurn()
    await end('x2')
    expect(order).toEqual(['x1', 'x2', 'y1'])
    await end('x1')
    expect(order).toEqual(['x1', 'x2', 'y1', 'x3'])
  })

  it('serves packages in turn, regardless of the number of addresses that call one', async () => {
    const { order, ask, end } = started()
    for (const name of ['a1', 'a2', 'a3', 'a4']) void ask(name, name, 'A')
    void ask('b1', 'b', 'B')
    void ask('b2', 'b', 'B')
    await nextTurn()
    await end('a1')
    expect(order).toEqual(['a1', 'a2', 'b1'])
    await end('a2')
    expect(order).toEqual(['a1', 'a2', 'b1', 'a3'])
    await end('b1')
    expect(order).toEqual(['a1', 'a2', 'b1', 'a3', 'b2'])
  })

  it('makes room for another package before another address', async () => {
    const { order, ask, end } = started()
    void ask('a0', 'a', 'A')
    void ask('a1', 'a', 'A')
    const waiting = ['a2', 'b2', 'c2', 'a3'].map(name => ask(name, name.slice(0, 1), 'A'))
    await nextTurn()
    void ask('d1', 'd', 'B')
    await expect(waiting[3]).rejects.toThrow('Others first.')
    await end('a0')
    expect(order).toEqual(['a0', 'a1', 'd1'])
  })
})
