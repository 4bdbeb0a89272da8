import { beforeEach, describe, expect, it, vi } from 'vitest'
import { openedConfiguration } from '../testing/opened-configuration.ts'
import { dirtyTabs } from '../workbench/workbench.ts'
import { workbench } from '../workbench/page-workbench.ts'
import { draftKey } from './draft-key.ts'
import { linkTabs } from './draft-tabs.ts'
import { editDraft } from './edit-draft.ts'

vi.mock('../api/stored-drafts.ts', () => ({ storeDraft: () => undefined, storedDrafts: async () => [] }))

const key = draftKey(4, undefined)
const tabs = () => workbench.getState().tabs.map(({ tabId, hidden = false }) => [tabId, hidden])
const path = ['packageProperties', 'connectionPoolInfo', 'url']

function edited(value: string) {
  const page = openedConfiguration({ url: 'u' })
  linkTabs(page.store)
  const { saved, etag } = page.store.get(key)!.draft
  const step = editDraft(
    { store: page.store, saved, etag },
    () => [{ kind: 'changeConfiguration' as const, changes: [{ path, value }] }],
    { hidden: true },
  )
  return { page, step }
}

describe('A document that is edited from elsewhere without a tab', () => {
  beforeEach(() => workbench.getState().reset())

  it('counts as unsaved, and is dropped once it is saved', async () => {
    const { page } = edited('mine')
    expect([tabs(), dirtyTabs(workbench.getState()).length]).toEqual([[['configuration:4', true]], 1])
    expect(await page.save()).toBe(true)
    await expect.poll(tabs).toEqual([])
    expect(page.store.get(key)).toBeUndefined()
  })

  it('stays for Redo after an undo, and is dropped by an edit that changes nothing', () => {
    const { step } = edited('mine')
    step?.undo()
    expect([tabs(), dirtyTabs(workbench.getState())]).toEqual([[['configuration:4', true]], []])
    step?.redo()
    expect(dirtyTabs(workbench.getState()).length).toBe(1)
    workbench.getState().reset()
    expect(edited('u').step).toBeNull()
    expect(tabs()).toEqual([])
  })

  it('gets a tab if it cannot be saved', async () => {
    const { page } = edited('mine')
    page.server.setPool({ url: 'theirs' })
    expect(await page.save()).toBe(false)
    expect(tabs()).toEqual([['configuration:4', false]])
  })
})
