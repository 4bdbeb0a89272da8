import { beforeEach, describe, expect, it, vi } from 'vitest'
import { dismiss, noticeStore } from '../ui/notices.ts'
import { openedConfiguration } from '../testing/opened-configuration.ts'

/** What the browser was told to keep last; null: nothing. */
const { kept } = vi.hoisted(() => ({ kept: { last: undefined as unknown } }))
vi.mock('../api/kept-drafts.ts', () => ({
  keepDraft: (_name: string, draft: unknown) => {
    kept.last = draft
  },
  keptDrafts: async () => [],
}))

beforeEach(() => {
  for (const { id } of noticeStore.getState().notices) dismiss(id)
})

const bringBack = () =>
  noticeStore
    .getState()
    .notices.find(({ action }) => action)
    ?.action?.run()

describe('What was discarded and comes back beside a change that they contest', () => {
  it('takes nothing of theirs: the next save tells', async () => {
    const page = openedConfiguration({ username: 'first', url: 'u' })
    page.write('url', 'mine')
    page.store.discard('4')
    page.server.sets({ databaseName: 'theirs' })
    page.read()
    page.write('username', 'mine')
    page.server.sets({ username: 'theirs' })
    page.read()
    bringBack()
    expect(await page.save()).toBe(false)
    expect(await page.save()).toBe(false)
    expect(page.rows()).toEqual([['username', 'mine', 'theirs']])
    await page.settle('mine')
    expect(page.server.pool).toMatchObject({ username: 'mine', url: 'mine', databaseName: 'theirs' })
  })
})

describe('What was discarded and comes back while a save is under way', () => {
  it('is unsaved once that is stored, and kept', async () => {
    const page = openedConfiguration({ username: 'first', url: 'u' })
    page.write('url', 'mine')
    page.store.discard('4')
    page.write('username', 'saved')
    page.server.meanwhile = bringBack
    expect(await page.save()).toBe(true)
    expect(page.pool()).toMatchObject({ username: 'saved', url: 'mine' })
    expect(kept.last).toMatchObject({ steps: [{ edits: [{ kind: 'changeConfiguration' }] }] })
  })

  it('is nothing where it was being saved, and nothing is kept that would undo it', async () => {
    const page = openedConfiguration({ url: 'u' })
    page.write('url', 'mine')
    page.server.meanwhile = () => {
      page.store.discard('4')
      bringBack()
    }
    expect(await page.save()).toBe(true)
    expect([page.server.pool.url, page.pool().url, page.open().draft.changes]).toEqual(['mine', 'mine', 0])
    expect(kept.last).toBeNull()
  })
})

describe('What was discarded and is brought back', () => {
  it('is not to be made again by Redo as well, whatever of it was saved', async () => {
    const page = openedConfiguration({ username: 'first', url: 'u' })
    page.write('username', 'saved')
    page.write('url', 'mine')
    page.store.discard('4')
    page.store.redo('4')
    expect(await page.save()).toBe(true)
    bringBack()
    expect(page.pool()).toMatchObject({ username: 'saved', url: 'mine' })
    expect(page.open().draft).toMatchObject({ changes: 1, undone: [] })
  })
})

describe('What was discarded, made again by Redo and saved', () => {
  it('does not come back as unsaved, a secret neither', async () => {
    const page = openedConfiguration({ username: 'first', password: 'Lion-1', url: 'u' })
    page.write('username', 'mine')
    page.write('password', 'Lion-2')
    page.store.discard('4')
    page.store.redo('4')
    page.store.redo('4')
    expect(await page.save()).toBe(true)
    bringBack()
    expect(page.open().draft.changes).toBe(0)
    expect(page.server.pool).toMatchObject({ username: 'mine', password: 'Lion-2' })
  })

  it('does not, and what was not made again does', async () => {
    const page = openedConfiguration({ username: 'first', password: 'Lion-1', url: 'u' })
    page.write('password', 'Lion-2')
    page.write('url', 'mine')
    page.store.discard('4')
    page.store.redo('4')
    expect(await page.save()).toBe(true)
    bringBack()
    expect(page.open().draft.changes).toBe(1)
    expect(page.pool().url).toBe('mine')
    expect(await page.save()).toBe(true)
    expect(page.server.pool).toMatchObject({ url: 'mine', password: 'Lion-2' })
  })
})
