import { newEntityContent } from '@cadmus/model/entity'
import { QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { problemCountsQuery, problemListQuery } from '../api/problems.ts'
import { queryClient } from '../api/query-client.ts'
import { draftKey } from '../drafts/draft-key.ts'
import { entityStandIn } from '../drafts/entity-draft.ts'
import { entityStore } from '../drafts/entity-store.ts'
import { knownProblems } from './known-problems.ts'
import { includeDrafts } from './unsaved-edits.ts'

type Sent = {
  names: string[]
  known: string | null
  list: object | null
  answer: (tag: string, errors: number) => void
}
let sent: Sent[] = []

const counts = (errors: number) => ({
  errors,
  warnings: 0,
  entities: errors > 0 ? { ids: [4], errors: [errors], warnings: [0] } : { ids: [], errors: [], warnings: [] },
})

beforeEach(() => {
  sent = []
  vi.stubGlobal('fetch', (_address: string, { body }: { body: string }) => {
    const { entities, known, list } = JSON.parse(body)
    const names = entities.map((one: { edits: { change: { name: string } }[] }) => one.edits[0]?.change.name)
    return new Promise<Response>(resolve => {
      const answer = (tag: string, errors: number) =>
        resolve(
          new Response(
            JSON.stringify({ tag, counts: tag === known ? null : counts(errors), problems: list && [], more: 0 }),
          ),
        )
      sent.push({ names, known, list, answer })
    })
  })
  includeDrafts()
  const place = { path: 'user-defined/Shop/Sale', version: '1.0.0', manifest: { id: 2, name: 'Shop' } }
  entityStore.receive(entityStandIn(4, newEntityContent({ name: 'Sale' }), place), '"a"', undefined)
})
afterEach(() => {
  entityStore.close([draftKey(4, undefined)])
  queryClient.clear()
  vi.unstubAllGlobals()
})

const rename = (name: string) =>
  entityStore.edit(draftKey(4, undefined), () => [{ kind: 'changeEntity', change: { name } }])

function watched(query: ReturnType<typeof problemCountsQuery>) {
  const seen: number[] = []
  const stop = new QueryObserver(queryClient, query).subscribe(({ data }) => {
    if (data && data.errors !== seen.at(-1)) seen.push(data.errors)
  })
  return { seen, stop }
}

describe('the problems shown', () => {
  it('are read again after a change of a draft, one request at a time, and the last change always', async () => {
    const { seen, stop } = watched(problemCountsQuery(2))
    await expect.poll(() => sent.length).toBe(1)
    for (const name of ['A', 'Ab', 'Abc']) rename(name)
    expect(sent.map(({ names }) => names)).toEqual([[]])
    sent[0]?.answer('one', 0)
    await expect.poll(() => sent.length).toBe(2)
    expect(sent[1]).toMatchObject({ names: ['Abc'], known: 'one' })
    sent[1]?.answer('two', 3)
    await expect.poll(() => seen).toEqual([0, 3])
    expect(knownProblems.getState().byScope.get('')?.entities.get(4)).toEqual({
      severity: 'error',
      count: 3,
      label: '3 errors',
    })
    rename('Abcd')
    await expect.poll(() => sent.length).toBe(3)
    sent[2]?.answer('two', 9)
    await expect.poll(() => queryClient.isFetching()).toBe(0)
    expect(sent).toHaveLength(3)
    expect(seen).toEqual([0, 3])
    stop()
  })

  it('and their numbers are read by one request, which is sent with the change', async () => {
    const list = new QueryObserver(queryClient, problemListQuery(2, 4))
    const stopList = list.subscribe(() => {})
    const { seen, stop } = watched(problemCountsQuery(2))
    await expect.poll(() => sent.length).toBe(1)
    sent[0]?.answer('list', 0)
    await expect.poll(() => sent.length).toBe(2)
    sent[1]?.answer('counts', 0)
    await expect.poll(() => queryClient.isFetching()).toBe(0)
    rename('A')
    // At once: the answer is on its way while the page draws the change.
    expect(sent.slice(2)).toMatchObject([{ names: ['A'], known: null, list: { entity: 4 } }])
    sent[2]?.answer('both', 3)
    await expect.poll(() => seen).toEqual([0, 3])
    rename('Ab')
    rename('Abc')
    expect(sent.slice(3)).toMatchObject([{ names: ['Ab'], known: 'both', list: { entity: 4 } }])
    sent[3]?.answer('both', 9)
    await expect.poll(() => sent.length).toBe(5)
    expect(sent[4]).toMatchObject({ names: ['Abc'], known: 'both', list: { entity: 4 } })
    stopList()
    sent[4]?.answer('last', 4)
    await expect.poll(() => seen).toEqual([0, 3, 4])
    expect(sent).toHaveLength(5)
    stop()
  })

  it('are not read for changes that make no difference, nor while nobody shows them', async () => {
    const { stop } = watched(problemCountsQuery(2))
    await expect.poll(() => sent.length).toBe(1)
    sent[0]?.answer('one', 0)
    await expect.poll(() => queryClient.isFetching()).toBe(0)
    rename('Sale')
    stop()
    rename('Other')
    expect(sent).toHaveLength(1)
    const again = watched(problemCountsQuery(2))
    await expect.poll(() => sent.length).toBe(2)
    expect(sent[1]?.names).toEqual(['Other'])
    sent[1]?.answer('two', 1)
    again.stop()
  })

  it('of a manifest wait for each other, so that a later request has the later edits', async () => {
    const { stop } = watched(problemCountsQuery(2))
    await expect.poll(() => sent.length).toBe(1)
    const list = queryClient.fetchQuery(problemListQuery(2))
    rename('Later')
    expect(sent).toHaveLength(1)
    sent[0]?.answer('one', 0)
    await expect.poll(() => sent.length).toBe(2)
    expect(sent[1]).toMatchObject({ names: ['Later'], list: { entity: null } })
    sent[1]?.answer('list', 0)
    expect(await list).toMatchObject({ problems: [], more: 0 })
    stop()
  })
})
