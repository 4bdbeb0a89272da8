import { expect, it } from 'vitest'
import {
  actions,
  after,
  faultIn,
  withoutStoredInput,
  keyOf,
  newWorld,
  type Action,
  type World,
} from '../testing/draft-world.ts'
import { openedConfiguration } from '../testing/opened-configuration.ts'

type Reached = { world: World; path: readonly Action[] }

/** A shorter search kills most mutants (scripts/mutate.ts). */
const depth = process.env['CADMUS_SEARCH'] === 'short' ? 5 : 7

it('no sequence of 7 events loses a change, overwrites an unseen one, sends anything twice or leaves a request open', () => {
  expect(reachable([], depth)).toBeGreaterThan(4 ** (depth + 0.5))
})

it.each<{ path: Action[] }>([
  { path: ['edit a', 'they write a', 'save', 'answer', 'unread'] },
  { path: ['edit a', 'discard', 'redo', 'save', 'answer'] },
  { path: ['edit a', 'save', 'answer', 'edit b', 'save', 'answer', 'undo', 'undo'] },
  { path: ['edit a', 'save', 'answer', 'undo', 'save', 'answer', 'redo'] },
  { path: ['edit b', 'discard', 'they write a', 'load', 'edit a'] },
  { path: ['edit a', 'save', 'they write a', 'lose', 'load'] },
])('no sequence of 4 events after $path loses a change, sends anything twice or leaves a request open', ({ path }) => {
  expect(reachable(path, 4)).toBeGreaterThan(100)
})

it('the answer to an operation of a document closed since is ignored', () => {
  const page = openedConfiguration({ url: 'u' })
  page.write('url', 'mine')
  const before = page.open()
  const answer = page.server.load()
  page.store.dispatch('4', { kind: 'stored', operationId: 'closed', answer })
  page.store.dispatch('4', { kind: 'settled', operationId: 'closed', answer: null })
  page.store.dispatch('4', { kind: 'refused', operationId: 'closed', failure: new Error() })
  expect(page.open()).toBe(before)
})

/** Tries all sequences after a path; returns the number of different worlds. */
function reachable(start: readonly Action[], depth: number): number {
  const path = start.map((_, index) => start.slice(0, index + 1))
  const world = path.reduce((now, steps) => step(now, steps) ?? now, newWorld())
  const known = new Set<string>()
  let worlds: Reached[] = [{ world, path: start }]
  for (let length = 1; length <= depth; length += 1) worlds = worlds.flatMap(reached => nextAfter(reached, known))
  return known.size
}

function nextAfter({ world, path }: Reached, known: Set<string>): Reached[] {
  return actions.flatMap(action => {
    const next = { world: step(world, [...path, action]), path: [...path, action] }
    if (!next.world) return []
    const key = keyOf(next.world)
    if (known.has(key)) return []
    known.add(key)
    return [{ world: next.world, path: next.path }]
  })
}

function step(world: World, path: readonly Action[]): World | null {
  const action = path.at(-1)
  if (!action) return null
  try {
    const result = after(world, action)
    const fault = result && faultIn(result)
    if (fault) throw new Error(fault)
    return result && withoutStoredInput(result)
  } catch (failure) {
    throw new Error(`${path.join(', ')}: ${failure instanceof Error ? failure.message : String(failure)}`, {
      cause: failure,
    })
  }
}
