import { newUid } from '@cadmus/model/uid'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { changeDiagramView, diagramQuery, diagramRows, diagramViewsQuery } from './diagram.ts'
import { queryClient } from './query-client.ts'
import { currentScope } from './scope.ts'

const columns = {
  areas: [],
  entities: { ids: [], uids: [], names: [], areas: [], rows: [], keyRows: [], locked: [] },
  links: { uids: [], from: [], to: [], row: [], ends: [] },
  version: '1.0.0',
}
const view = { uid: 'view', name: 'Overview', shared: true, detail: 'all', revision: 1 }

type Sent = { address: string; method: string; tag: string | null }
let sent: Sent[] = []
let answer: (request: Sent) => Response

beforeEach(() => {
  sent = []
  vi.stubGlobal('fetch', async (address: string, { method = 'GET', headers }: RequestInit) => {
    const request = { address, method, tag: new Headers(headers).get('if-none-match') }
    sent.push(request)
    return answer(request)
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
  queryClient.clear()
})

const json = (body: object, etag = '"one"') => new Response(JSON.stringify(body), { headers: { etag } })

describe('the diagram of a manifest', () => {
  it('is the very same after a 304, for which its tag is sent', async () => {
    answer = ({ tag }) => (tag === '"one"' ? new Response(null, { status: 304 }) : json(columns))
    const query = { ...diagramQuery(7), staleTime: 0 }
    const first = await queryClient.fetchQuery(query)
    expect(first).toEqual({ ...columns, etag: '"one"' })
    expect(await queryClient.fetchQuery(query)).toBe(first)
    expect(sent.map(({ tag }) => tag)).toEqual([null, '"one"'])
  })

  it('is replaced when it has changed, and a failure is reported', async () => {
    answer = ({ tag }) =>
      json({ ...columns, version: tag === null ? '1.0.0' : '2.0.0' }, tag === null ? '"one"' : '"two"')
    const query = { ...diagramQuery(7), staleTime: 0, retry: false }
    await queryClient.fetchQuery(query)
    expect(await queryClient.fetchQuery(query)).toMatchObject({ version: '2.0.0', etag: '"two"' })
    answer = () => new Response(JSON.stringify({ message: 'Gone.', code: 'not_found' }), { status: 404 })
    await expect(queryClient.fetchQuery(query)).rejects.toThrow('Gone.')
  })
})

it('rows of any number of entities are read in parts, by id', async () => {
  answer = ({ address }) => {
    const ids = new URL(address, 'http://console').searchParams.get('entities')?.split(',') ?? []
    return json({ entities: ids.filter(id => id !== '3').map(id => ({ id: Number(id), rows: [] })) })
  }
  const rows = await diagramRows(Array.from({ length: 450 }, (_, index) => index + 1))
  expect([rows.size, rows.has(3), rows.has(450)]).toEqual([449, false, true])
  expect(sent).toHaveLength(3)
})

it('a sent change leaves the open views as they are and lets the next visit read them again', async () => {
  const views = { views: [view], open: { ...view, placements: {} } }
  answer = ({ method }) => json(method === 'PATCH' ? { view, changes: {}, refused: {} } : views)
  const query = { ...diagramViewsQuery(7), staleTime: 60_000 }
  await queryClient.fetchQuery(query)
  await changeDiagramView(
    { manifestId: 7, uid: 'view', scope: currentScope() },
    { operationId: newUid(), base: 1, changes: { a: { x: 1, y: 2, hidden: false } } },
  )
  expect(sent.map(({ method }) => method)).toEqual(['GET', 'PATCH'])
  await queryClient.fetchQuery(query)
  expect(sent.map(({ method }) => method)).toEqual(['GET', 'PATCH', 'GET'])
})
