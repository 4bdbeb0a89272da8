import { historyTexts } from '@cadmus/model/messages/history'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { queryClient } from '../../api/query-client.ts'
import { dismiss, noticeStore } from '../../ui/notices.ts'
import { undoResolutionAction } from './undo-resolution.ts'

const loggedRename = {
  sequence: 7,
  changeId: 3,
  entryId: 70,
  document: { kind: 'entity', id: 1, uid: null, name: 'Sales_Order' },
  version: '1.0.0',
  before: 'a',
  after: 'b',
  actor: { name: '', email: '' },
  at: '2026-11-29T08:00:00.000Z',
  description: 'Renamed entity Order to Sales_Order',
  own: true,
  follows: false,
  operationId: null,
  format: null,
  edits: null,
}
const loggedDeletion = {
  ID: 80,
  LAST_MODIFIED: '2026-11-29T08:00:00.000Z',
  USER_NAME: '',
  USER_EMAIL: '',
  ACTION_TYPE: 'DELETE',
  DESCRIPTION: '',
  ORIGINAL_CONTENT: null,
  UPDATED_CONTENT: null,
  ENTITY_NAME: '',
  PATH: '',
  CHANGE_ID: 3,
  VERSION: '',
  CONTENT_KIND: 'entity',
}
const loggedRemoval = { ...loggedRename, entryId: 90, document: { ...loggedRename.document, kind: 'manifest', id: 9 } }
const entity = (id: number, name: string) => ({ id, name, path: name })
const manifest = { id: 9, name: 'Sales', path: 'Sales' }

const notices = () => noticeStore.getState().notices.map(({ kind, text }) => [kind, text])

/** Answers the logs, and sends what is restored. */
function serve(): { path: string; body: unknown }[] {
  const sent: { path: string; body: unknown }[] = []
  vi.stubGlobal('fetch', async (url: string, { method, body }: RequestInit) => {
    const { pathname: path, searchParams } = new URL(url, 'http://cadmus')
    if (method !== 'GET') {
      sent.push({ path, body: JSON.parse(String(body)) })
      const document = { kind: 'entity', ...entity(1, 'Order') }
      return Response.json({ document, differences: [], others: ['Order'], missing: [] })
    }
    if (path.endsWith('/changes')) return Response.json({ entries: searchParams.has('before') ? [] : [loggedRename] })
    if (path.endsWith('/edits')) return Response.json({ entries: [loggedRemoval], more: false })
    return Response.json({ entityLogs: [loggedDeletion], totalElements: 1 })
  })
  return sent
}

afterEach(() => {
  for (const { id } of noticeStore.getState().notices) dismiss(id)
  queryClient.clear()
  vi.unstubAllGlobals()
})

describe('Undo of resolved name conflicts', () => {
  it('takes back each renaming, deletion and removal, the last one first, with one message', async () => {
    const sent = serve()
    undoResolutionAction(5, [
      { action: 'rename', entity: entity(1, 'Order') },
      { action: 'leaveOut', entity: entity(2, 'ORDER'), deletes: true, from: [manifest] },
      { action: 'leaveOut', entity: entity(3, 'oRDER'), deletes: false, from: [manifest] },
      { action: 'none', entity: entity(4, 'order') },
    ]).run()
    await expect.poll(() => sent).toHaveLength(3)
    expect(sent.map(({ path }) => /(\w+)\/logs\/(\d+)\/restore/.exec(path)?.slice(1))).toEqual([
      ['manifest', '90'],
      ['entity', '80'],
      ['entity', '70'],
    ])
    expect(sent.every(({ body }) => JSON.stringify(body).includes('"kind":"undo"'))).toBe(true)
    await expect.poll(notices).toContainEqual(['success', historyTexts.undone('3 changes')])
  })

  it('reports a renaming whose change cannot be read', async () => {
    serve()
    undoResolutionAction(5, [{ action: 'rename', entity: entity(6, 'Order') }]).run()
    await expect.poll(notices).toContainEqual(['error', historyTexts.failed])
  })
})
