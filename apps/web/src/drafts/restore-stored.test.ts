import { beforeEach, expect, it, vi } from 'vitest'
import { connectionStore } from '../api/connection.ts'
import { openedConfiguration } from '../testing/opened-configuration.ts'
import { noticeStore } from '../ui/notices.ts'
import { restoreStored, restoreWaiting } from './restore-stored.ts'

const { at } = vi.hoisted(() => ({
  at: { organisation: 'ACME', requested: new Array<string>(), restored: 'conflicted' },
}))
vi.mock('../api/scope.ts', async original => ({
  ...(await original<object>()),
  currentScope: () => ({ organisation: at.organisation, role: 'designer' }),
}))
vi.mock('../workbench/document-kinds.ts', () => ({ hasRestore: () => true, restoreDocument: async () => at.restored }))
vi.mock('../api/stored-drafts.ts', () => ({
  storeDraft: () => undefined,
  storedDrafts: async (isRequested: (document: string) => boolean) => {
    if (!isRequested('configuration:4')) return []
    at.requested.push(at.organisation)
    const kept = { document: 'configuration:4', title: `Order of ${at.organisation}`, draft: {} }
    return [{ ...kept, forget: async () => undefined, release: async () => undefined }]
  },
}))

beforeEach(() => {
  at.organisation = 'ACME'
  at.requested = []
  at.restored = 'conflicted'
})

it('a draft waiting for another one of its document is announced in each organisation and restored in its own', async () => {
  const notices = () => noticeStore.getState().notices.map(({ text }) => text)
  await restoreStored(() => true)
  at.organisation = 'GLOBEX'
  await restoreStored(() => true)
  expect(notices().filter(text => text.includes('Order of ACME'))).toHaveLength(1)
  expect(notices().filter(text => text.includes('Order of GLOBEX'))).toHaveLength(1)
  at.organisation = 'ACME'
  at.requested = []
  await restoreWaiting('configuration:4')
  expect(at.requested).toEqual(['ACME'])
})

it('a waiting draft is restored once the outcome of an unanswered save is known and nothing else is unsaved', async () => {
  at.organisation = ''
  const page = openedConfiguration({ url: 'u' })
  page.write('url', 'mine')
  await page.saveWithLostResponse()
  await restoreStored(() => true)
  at.requested = []
  page.read()
  await expect.poll(() => at.requested).toEqual([''])
  expect(page.open().draft.changes).toBe(0)
})

it('a draft that could not be read while the server was unreachable is restored with it and not read again', async () => {
  at.restored = 'later'
  await restoreStored(() => true)
  connectionStore.setState({ away: true })
  await restoreStored(() => true)
  at.requested = []
  at.restored = 'shown'
  connectionStore.setState({ away: false })
  await expect.poll(() => at.requested).toEqual(['ACME'])
  connectionStore.setState({ away: true })
  connectionStore.setState({ away: false })
  await restoreStored(one => one === 'entity:1')
  expect(at.requested).toEqual(['ACME'])
})
