import { describe, expect, it } from 'vitest'
import { ModelCache } from './model-cache.ts'

const at = (manifestId: number, organisationId = 1) => ({ organisationId, manifestId })

describe('ModelMemory', () => {
  it('reuses a model only for the same manifest and organisation', async () => {
    const { visit } = memoryOf({})
    expect([await visit(at(1)), await visit(at(1)), await visit(at(1, 2)), await visit(at(2))]).toEqual([1, 2, 1, 1])
    expect(await visit(at(1))).toBe(3)
  })

  it('evicts the least recently used models and caches no oversized one', async () => {
    const { memory, visit } = memoryOf({ size: 100 })
    for (const id of [1, 2, 3, 1, 4]) await visit(at(id), 30)
    expect(memory.size).toBe(90)
    expect([await visit(at(3), 30), await visit(at(1), 30), await visit(at(4), 30)]).toEqual([2, 3, 2])
    expect(await visit(at(2), 30)).toBe(1)
    await visit(at(5), 101)
    expect(memory.size).toBe(0)
    for (let id = 0; id < 1000; id += 1) await visit(at(id), 7)
    expect(memory.size).toBe(98)
  })

  it('drops models that are idle, deleted or failed', async () => {
    const { memory, visit, pass } = memoryOf({ idle: 1000 })
    await visit(at(1))
    pass(900)
    await visit(at(2))
    pass(900)
    memory.dropIdle()
    expect([await visit(at(1)), await visit(at(2))]).toEqual([1, 2])
    memory.forget(at(2))
    expect([await visit(at(1)), await visit(at(2))]).toEqual([2, 1])
    await expect(memory.with(at(1), () => Promise.reject(new Error('no store')))).rejects.toThrow('no store')
    expect(await visit(at(1))).toBe(1)
  })

  it("drops all models when the thread's heap is nearly full", async () => {
    const { visit } = memoryOf({ heapShare: 0 })
    expect([await visit(at(1)), await visit(at(1))]).toEqual([1, 1])
  })
})

/** A cache that counts uses per manifest. */
function memoryOf(limits: { size?: number; idle?: number; heapShare?: number }) {
  let now = 0
  const all = { size: 1000, idle: 1000, heapShare: 1, ...limits }
  const memory = new ModelCache(
    () => ({ visits: 0, size: 0 }),
    all,
    () => now,
  )
  const visit = (place: ReturnType<typeof at>, size = 1) =>
    memory.with(place, async model => {
      model.size = size
      model.visits += 1
      return model.visits
    })
  return { memory, visit, pass: (milliseconds: number) => void (now += milliseconds) }
}
