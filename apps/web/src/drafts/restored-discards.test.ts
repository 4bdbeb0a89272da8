import { beforeEach, describe, expect, it, vi } from 'vitest'
import { scopeStore } from '../api/scope.ts'
import { dismiss, noticeStore } from '../ui/notices.ts'
import { openedConfiguration } from '../testing/opened-configuration.ts'
import { questionStore } from '../workbench/confirm.ts'
import { tabIdOf } from '../workbench/documents.ts'
import { enterScope, showAlone, workbench } from '../workbench/page-workbench.ts'
import { draftKey } from './draft-key.ts'
import { linkTabs } from './draft-tabs.ts'

/** The draft stored last; null: removed. */
const { kept } = vi.hoisted(() => ({ kept: { last: undefined as unknown } }))
vi.mock('../api/stored-drafts.ts', () => ({
  storeDraft: (_name: string, draft: unknown) => {
    kept.last = draft
  },
  storedDrafts: async () => [],
}))

beforeEach(() => {
  for (const { id } of noticeStore.getState().notices) dismiss(id)
})

const undoDiscard = () =>
  noticeStore
    .getState()
    .notices.find(({ action }) => action)
    ?.action?.run()

describe("restoring a discarded draft that conflicts with others' changes", () => {
  it("a restored draft does not overwrite others' changes; the next save reports the conflict", async () => {
    const page = openedConfiguration({ username: 'first', url: 'u' })
    page.write('url', 'mine')
    page.store.dispatch('4', { kind: 'discard' })
    page.server.setPool({ databaseName: 'theirs' })
    page.read()
    page.write('username', 'mine')
    page.server.setPool({ username: 'theirs' })
    page.read()
    undoDiscard()
    expect(await page.save()).toBe(false)
    expect(await page.save()).toBe(false)
    expect(page.rows()).toEqual([['username', 'mine', 'theirs']])
    await page.keep('mine')
    expect(page.server.pool).toMatchObject({ username: 'mine', url: 'mine', databaseName: 'theirs' })
  })
})

describe('restoring a discarded draft in the administration', () => {
  beforeEach(() => {
    workbench.getState().reset()
    scopeStore.setState({ administered: null })
  })

  it('a restored draft has a tab, also beside another unsaved document', () => {
    enterScope('ACME')
    const { store } = openedConfiguration({ url: 'u' })
    linkTabs(store)
    const path = ['packageProperties', 'connectionPoolInfo', 'url']
    const key = draftKey(4, undefined)
    store.edit(key, () => [{ kind: 'changeConfiguration', changes: [{ path, value: 'mine' }] }])
    store.dispatch(key, { kind: 'discard' })
    const other = { kind: 'entity', id: 9, name: 'Order' } as const
    showAlone(other)
    workbench.getState().setDraft(tabIdOf(other), { count: 1, save: async () => true, discard: () => undefined })
    undoDiscard()
    const { tabs, drafts, active } = workbench.getState()
    expect(questionStore.getState().question).toBeNull()
    expect(tabs.map(({ tabId }) => tabId).toSorted()).toEqual([...drafts.keys()].toSorted())
    expect([tabs.length, active]).toEqual([2, tabIdOf({ kind: 'configuration', id: 4 })])
    expect(store.get(key)?.draft.content.packageProperties.connectionPoolInfo.url).toBe('mine')
    scopeStore.setState({ administered: null })
  })
})

describe('restoring a discarded draft during a save', () => {
  it('a restored draft is unsaved and stored once the save has finished', async () => {
    const page = openedConfiguration({ username: 'first', url: 'u' })
    page.write('url', 'mine')
    page.store.dispatch('4', { kind: 'discard' })
    page.write('username', 'saved')
    page.server.duringSave = undoDiscard
    expect(await page.save()).toBe(true)
    expect(page.pool()).toMatchObject({ username: 'saved', url: 'mine' })
    expect(kept.last).toMatchObject({ steps: [{ edits: [{ kind: 'changeConfiguration' }] }] })
  })

  it('a restored draft is empty if it was being saved, and nothing is stored that would undo it', async () => {
    const page = openedConfiguration({ url: 'u' })
    page.write('url', 'mine')
    page.server.duringSave = () => {
      page.store.dispatch('4', { kind: 'discard' })
      undoDiscard()
    }
    expect(await page.save()).toBe(true)
    expect([page.server.pool.url, page.pool().url, page.open().draft.changes]).toEqual(['mine', 'mine', 0])
    expect(kept.last).toBeNull()
  })
})

describe('restoring a discarded draft', () => {
  it('a restored draft cannot be redone as well, whatever part of it was saved', async () => {
    const page = openedConfiguration({ username: 'first', url: 'u' })
    page.write('username', 'saved')
    page.write('url', 'mine')
    page.store.dispatch('4', { kind: 'discard' })
    page.store.dispatch('4', { kind: 'redo' })
    expect(await page.save()).toBe(true)
    undoDiscard()
    expect(page.pool()).toMatchObject({ username: 'saved', url: 'mine' })
    expect(page.open().draft).toMatchObject({ changes: 1, undone: [] })
  })
})

describe('restoring a discarded draft that was redone and saved', () => {
  it('a draft that was redone and saved is not restored as unsaved, including secrets', async () => {
    const page = openedConfiguration({ username: 'first', password: 'Lion-1', url: 'u' })
    page.write('username', 'mine')
    page.write('password', 'Lion-2')
    page.store.dispatch('4', { kind: 'discard' })
    page.store.dispatch('4', { kind: 'redo' })
    page.store.dispatch('4', { kind: 'redo' })
    expect(await page.save()).toBe(true)
    undoDiscard()
    expect(page.open().draft.changes).toBe(0)
    expect(page.server.pool).toMatchObject({ username: 'mine', password: 'Lion-2' })
  })

  it('only the rest of a partly redone draft is restored', async () => {
    const page = openedConfiguration({ username: 'first', password: 'Lion-1', url: 'u' })
    page.write('password', 'Lion-2')
    page.write('url', 'mine')
    page.store.dispatch('4', { kind: 'discard' })
    page.store.dispatch('4', { kind: 'redo' })
    expect(await page.save()).toBe(true)
    undoDiscard()
    expect(page.open().draft.changes).toBe(1)
    expect(page.pool().url).toBe('mine')
    expect(await page.save()).toBe(true)
    expect(page.server.pool).toMatchObject({ url: 'mine', password: 'Lion-2' })
  })
})
