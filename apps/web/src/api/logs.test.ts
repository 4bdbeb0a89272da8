import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { deletionOf, lastChangesOf } from './logs.ts'
import { queryClient } from './query-client.ts'

const entry = (id: number) => ({
  ID: id,
  LAST_MODIFIED: `2026-01-01T00:00:${String(id % 60).padStart(2, '0')}Z`,
  USER_NAME: id % 2 === 0 ? 'Ann' : 'Bob',
  USER_EMAIL: '',
  ACTION_TYPE: 'UPDATE',
  DESCRIPTION: '',
  ORIGINAL_CONTENT: null,
  UPDATED_CONTENT: null,
  ENTITY_NAME: 'Sale',
  PATH: 'user-defined/Sale',
  CHANGE_ID: id,
  VERSION: '1.0.0',
  CONTENT_KIND: 'entity',
})
/** Newest first. */
const entries = Array.from({ length: 60 }, (_, index) => entry(100 - index))
let queries: URLSearchParams[] = []

beforeEach(() => {
  queries = []
  vi.stubGlobal('fetch', async (url: string) => Response.json(answerTo(new URL(url, 'http://cadmus'))))
})
afterEach(() => {
  queryClient.clear()
  vi.unstubAllGlobals()
})

/** Only entry 60 changed the description. */
function answerTo({ pathname, searchParams }: URL): object {
  const id = Number(pathname.split('/').at(-1))
  if (Number.isInteger(id)) {
    const differences =
      id === 60 ? [{ change: 'changed', path: '', field: 'description', before: 'a', after: 'b' }] : []
    return { entityLog: entry(id), target: { id: 4, exists: true }, differences }
  }
  queries.push(searchParams)
  const [offset, limit] = [Number(searchParams.get('offset')), Number(searchParams.get('limit'))]
  return { entityLogs: entries.slice(offset, offset + limit), totalElements: entries.length }
}

it('lastChangesOf finds the author of a change before many later changes of the same entity', async () => {
  const places = [{ path: '', field: 'description' }]
  expect(await lastChangesOf('entity', 4, places)).toEqual([{ who: 'Ann', when: '2026-01-01T00:00:00Z' }])
  expect(new Set(queries.map(query => query.get('target')))).toEqual(new Set(['4']))
  expect(await lastChangesOf('entity', 4, [{ path: '', field: 'name' }])).toEqual([null])
})

it('deletionOf queries by id, not by path', async () => {
  expect(await deletionOf('entity', 4)).toMatchObject({ who: 'Ann' })
  expect(queries.map(query => Object.fromEntries(query))).toEqual([
    { actionType: 'DELETE', target: '4', offset: '0', limit: '1' },
  ])
})
