import type { Restored } from '../api/edit-log.ts'
import { historyTexts } from '@cadmus/model/messages/history'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { queryClient } from '../api/query-client.ts'
import { currentScope } from '../api/scope.ts'
import { dismiss, noticeStore } from '../ui/notices.ts'
import { undoCreationAction, undoLogged } from './restore.ts'

const document = { kind: 'manifest' as const, id: 5, name: 'Depot', path: 'user-defined/Depot' }

function answered(restored: Partial<Restored>) {
  const answer = { document, differences: [], others: [], missing: [], ...restored }
  vi.stubGlobal('fetch', async () => new Response(JSON.stringify(answer)))
}
const entry = {
  LAST_MODIFIED: '2026-11-29T08:00:00.000Z',
  USER_NAME: '',
  USER_EMAIL: '',
  ACTION_TYPE: 'CREATE',
  DESCRIPTION: '',
  ORIGINAL_CONTENT: null,
  UPDATED_CONTENT: null,
  ENTITY_NAME: '',
  PATH: '',
  CHANGE_ID: 1,
  VERSION: '',
  CONTENT_KIND: 'entity',
}
const logOf = (target: number) => ({ ...entry, ID: target + 10 })
const notices = () => noticeStore.getState().notices.map(({ kind, text }) => [kind, text])

afterEach(() => {
  for (const { id } of noticeStore.getState().notices) dismiss(id)
  queryClient.clear()
  vi.unstubAllGlobals()
})

describe('Undo of new entities', () => {
  it('takes back each of them, the last one first, and names those that stay', async () => {
    const sent: string[] = []
    vi.stubGlobal('fetch', async (url: string, { method }: RequestInit) => {
      const target = new URL(url, 'http://cadmus').searchParams.get('target')
      if (method === 'GET') return Response.json({ entityLogs: [logOf(Number(target))], totalElements: 1 })
      sent.push(url)
      if (url.includes('/12/')) return Response.json({ message: 'Room has been changed since.' }, { status: 409 })
      return Response.json({ document, differences: [], others: [], missing: [] })
    })
    const entities = ['Bed', 'Room', 'Ward'].map((name, index) => ({ id: index + 1, name }))
    undoCreationAction('entity', entities).run()
    await expect.poll(() => notices()).toContainEqual(['error', 'Room has been changed since.'])
    expect(notices()).toContainEqual(['success', historyTexts.undone('2 new entities')])
    expect(sent.flatMap(url => /logs\/(\d+)\/restore/.exec(url)?.[1] ?? [])).toEqual(['13', '12', '11'])
  })
})

describe('Undo of a logged change', () => {
  const undo = async () => undoLogged('manifest', 7, 'Removed entity Guest.', currentScope())

  it('reports the reason if nothing of the change can be taken back', async () => {
    const reason = 'Guest: only administrators can add entities in place.'
    answered({ missing: [reason] })
    await undo()
    expect(notices()).toContainEqual(['error', `${historyTexts.failed}\n${reason}`])
  })

  it('is sent once more under the same id where the answer was lost, and only then', async () => {
    const sent: unknown[] = []
    vi.stubGlobal('fetch', async (_url: string, { body }: RequestInit) => {
      sent.push(JSON.parse(String(body)))
      if (sent.length === 1) throw new TypeError('Failed to fetch')
      return Response.json({ document, differences: [], others: ['Restored Guest from the log.'], missing: [] })
    })
    await undo()
    expect(notices()).toContainEqual(['success', historyTexts.undone('Removed entity Guest.')])
    expect(sent).toEqual([sent[1], { operationId: expect.any(String), kind: 'undo' }])
    vi.stubGlobal('fetch', async (_url: string, { body }: RequestInit) => {
      sent.push(JSON.parse(String(body)))
      return Response.json({ code: 'conflict', message: 'It exists.' }, { status: 409 })
    })
    await undo()
    expect(sent).toHaveLength(3)
    expect(sent[2]).not.toEqual(sent[1])
  })

  it('reports success with what is missing if a part was taken back', async () => {
    const reason = 'Sub-manifest 8: it no longer exists.'
    answered({ others: ['Restored Guest from the log.'], missing: [reason] })
    await undo()
    expect(notices()).toContainEqual(['warning', `${historyTexts.undone('Removed entity Guest.')}\n${reason}`])
  })
})
