import { afterEach, expect, it, vi } from 'vitest'
import { readContents } from './contents.ts'

type State = { id: number; tag: string }

/** A server that sends one changed state at a time. */
function serverOf(states: readonly State[]) {
  const known: State[][] = []
  vi.stubGlobal('fetch', async (_: string, { body }: { body: string }) => {
    const request: { known: State[] } = JSON.parse(body)
    known.push(request.known)
    const changed = states.filter(({ id, tag }) => !request.known.some(one => one.id === id && one.tag === tag))
    const entities = changed.slice(0, 1).map(state => ({
      ...state,
      etag: 'a',
      path: '',
      isDefault: false,
      targetManifest: null,
      versions: ['1.0.0'],
      latestVersion: '1.0.0',
      content: '{}',
    }))
    return new Response(JSON.stringify({ ids: states.map(({ id }) => id), entities, more: changed.length > 1 }))
  })
  return known
}
afterEach(() => vi.unstubAllGlobals())

const read = (before: readonly State[]) =>
  readContents(1, before, async states => states.map(({ id, tag }) => ({ id, tag })), {})

it('the entities of a manifest are read in parts, in its order, and again only as far as they changed', async () => {
  const first = { id: 1, tag: 'a' }
  const before = [first, { id: 2, tag: 'a' }, { id: 9, tag: 'a' }]
  const known = serverOf([
    { id: 3, tag: 'a' },
    { id: 2, tag: 'b' },
    { id: 1, tag: 'a' },
  ])
  const now = await read(before)
  expect(now.map(({ id, tag }) => `${id} ${tag}`)).toEqual(['3 a', '2 b', '1 a'])
  expect(now[2]).toBe(first)
  expect(known.map(list => list.length)).toEqual([3, 4])
  expect(await read(now)).toBe(now)
})

it('the next part is requested before the page has taken the one before', async () => {
  const known = serverOf([
    { id: 1, tag: 'a' },
    { id: 2, tag: 'a' },
    { id: 3, tag: 'a' },
  ])
  const isTaken = Promise.withResolvers<undefined>()
  const all = readContents(
    1,
    [],
    async states => {
      await isTaken.promise
      return states.map(({ id, tag }) => ({ id, tag }))
    },
    {},
  )
  await expect.poll(() => known.length).toBe(2)
  isTaken.resolve(undefined)
  expect((await all).map(({ id }) => id)).toEqual([1, 2, 3])
})
