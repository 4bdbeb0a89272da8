import { expect, it } from 'vitest'
import { actions, after, faultIn, granted, keyOf, newWorld, type Action, type World } from '../testing/draft-world.ts'

const depth = 7

it('no sequence of 7 events loses a change, overwrites an unseen one, sends anything twice or leaves a request open', () => {
  const known = new Set<string>()
  let worlds: { world: World; path: readonly Action[] }[] = [{ world: newWorld(), path: [] }]
  for (let length = 1; length <= depth; length += 1) {
    const next: typeof worlds = []
    for (const { world, path } of worlds)
      for (const action of actions) {
        const result = step(world, [...path, action])
        if (!result) continue
        const key = keyOf(result)
        if (known.has(key)) continue
        known.add(key)
        next.push({ world: result, path: [...path, action] })
      }
    worlds = next
  }
  expect(known.size).toBeGreaterThan(40_000)
})

function step(world: World, path: readonly Action[]): World | null {
  const action = path.at(-1)
  if (!action) return null
  try {
    const result = after(world, action)
    const fault = result && faultIn(result)
    if (fault) throw new Error(fault)
    return result && granted(result)
  } catch (failure) {
    throw new Error(`${path.join(', ')}: ${failure instanceof Error ? failure.message : String(failure)}`, {
      cause: failure,
    })
  }
}
