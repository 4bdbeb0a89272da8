import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { queryClient } from '../api/query-client.ts'
import { dismiss, noticeStore } from '../ui/notices.ts'
import { questionStore } from '../workbench/confirm.ts'
import { workbench } from '../workbench/page-workbench.ts'
import { deleteEntitiesAfterQuestion, removeMembersAfterQuestion, removeSubManifestsAfterQuestion } from './deletion.ts'

const entity = (id: number, name: string) => ({ id, name, path: `user-defined/Shop/${name}.cdm.json/${name}` })
const [order, line, buyer] = [entity(1, 'Order'), entity(2, 'Line'), entity(3, 'Buyer')]

/** By id of the entity that is referred to: the ids of those that refer to it. */
let referring: Record<number, number[]> = {}
let refused: number | null = null
let deletions: string[] = []

beforeEach(() => {
  referring = {}
  refused = null
  deletions = []
  workbench.getState().reset()
  vi.stubGlobal('fetch', async (address: string, { method = 'GET' }: RequestInit) => {
    const { pathname, searchParams } = new URL(address, 'http://console')
    const id = Number(/\/(?:entity|submanifest)\/(?:[a-z]+\/)?(\d+)/.exec(pathname)?.[1])
    if (pathname.endsWith('/changes')) return Response.json({ changes: [] })
    if (method === 'DELETE') {
      deletions.push(`${id} ${searchParams.get('onReferences')}`)
      return id === refused
        ? Response.json({ message: 'In use.', code: 'conflict' }, { status: 409 })
        : Response.json({ result: 'OK', message: '' })
    }
    const references = (referring[id] ?? []).map(from => ({
      kind: 'relationship',
      item: 'x',
      document: 'entity',
      itemUid: null,
      uid: String(from),
      ...entity(from, `Entity${from}`),
      target: { id, name: 'Target' },
    }))
    return Response.json({ references, totalElements: references.length })
  })
})
afterEach(() => {
  for (const { id } of noticeStore.getState().notices) dismiss(id)
  queryClient.clear()
  vi.unstubAllGlobals()
})

async function answered(answer: 'confirm' | 'cancel') {
  await expect.poll(() => questionStore.getState().question).not.toBeNull()
  const { question } = questionStore.getState()
  question?.answer(answer)
  return question
}

it('several entities are deleted after one question, each before those that it refers to', async () => {
  referring = { 1: [2], 3: [1, 9] }
  const deleting = deleteEntitiesAfterQuestion([buyer, order, line], 'Deleted.')
  const question = await answered('confirm')
  await deleting
  expect(question?.details).toEqual(['Buyer, Order, Line'])
  expect(question?.affected?.links.map(({ document }) => document.id)).toEqual([9])
  expect(deletions).toEqual(['2 keep', '1 keep', '3 keep'])
})

it('those that refer to each other in a circle are deleted, too', async () => {
  referring = { 1: [2], 2: [1] }
  const deleting = deleteEntitiesAfterQuestion([order, line], 'Deleted.')
  expect((await answered('confirm'))?.affected).toBeUndefined()
  await deleting
  expect(deletions).toEqual(['1 keep', '2 keep'])
})

it('nothing is deleted without a yes', async () => {
  const deleting = deleteEntitiesAfterQuestion([order, line], 'Deleted.')
  await answered('cancel')
  await deleting
  expect(deletions).toEqual([])
})

it('those that cannot be deleted are named with the reason', async () => {
  refused = 1
  const deleting = deleteEntitiesAfterQuestion([order, line], 'Deleted.')
  await answered('confirm')
  await deleting
  const shown = noticeStore.getState().notices.map(({ kind, text }) => [kind, text])
  expect(shown).toContainEqual(['error', 'Failed to delete entity\nOrder: In use.'])
})

it('several entities of a manifest are removed after one question: those of others stay, its own are deleted in their order', async () => {
  referring = { 1: [2] }
  const shop = { id: 7, name: 'Shop' }
  const members = [
    { ...order, owned: true },
    { ...line, owned: true },
    { ...buyer, owned: false },
  ]
  const removing = removeMembersAfterQuestion(members, shop)
  const question = await answered('confirm')
  await removing
  expect(question?.details).toEqual(['Order, Line, Buyer'])
  expect(question?.consequences?.at(-1)).toBe('Only removed from Shop, not deleted: Buyer.')
  expect(deletions).toEqual(['3 null', '2 keep', '1 keep'])
  expect(noticeStore.getState().notices.map(({ text }) => text)).toContain('Removed 3 entities from Shop.')
})

it('several sub-manifests are removed after one question', async () => {
  const removing = removeSubManifestsAfterQuestion([order, line], { id: 7, name: 'Shop' })
  const question = await answered('confirm')
  await removing
  expect(question?.text).toBe('Do you really want to remove Order, Line from Shop? The manifests themselves stay.')
  expect(deletions).toEqual(['1 null', '2 null'])
})
