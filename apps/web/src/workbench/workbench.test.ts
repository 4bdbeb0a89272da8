import { describe, expect, it, vi } from 'vitest'
import { questionStore } from './confirm.ts'
import { closeTabs, settled } from './leave.ts'
import { fromStored, toStored } from './persist.ts'
import { createWorkbench, dirtyTabs } from './workbench.ts'

function workbenchWith(...ids: number[]) {
  const store = createWorkbench({ properties: 300, sidebar: 280 })
  for (const id of ids) store.getState().open({ kind: 'entity', id, name: `e${id}` })
  return store
}

function draft(saves: boolean | Error = true) {
  return {
    save: vi.fn(async () => {
      if (saves instanceof Error) throw saves
      return saves
    }),
    discard: vi.fn(),
    count: 1,
  }
}

async function answerWith(answer: 'confirm' | 'alternative' | 'cancel') {
  await expect.poll(() => questionStore.getState().question).not.toBeNull()
  const question = questionStore.getState().question
  question?.answer(answer)
  return question
}

describe('unsaved changes', () => {
  it('a changed document is marked unsaved and is no longer a preview', () => {
    const store = createWorkbench({ properties: 300, sidebar: 280 })
    store.getState().open({ kind: 'entity', id: 1, name: 'e1' }, { preview: true })
    store.getState().setDraft('entity:1', draft())
    expect(dirtyTabs(store.getState()).map(tab => tab.tabId)).toEqual(['entity:1'])
    expect(store.getState().tabs[0]?.preview).toBe(false)
    store.getState().setDraft('entity:1', null)
    expect(dirtyTabs(store.getState())).toEqual([])
  })

  it('a clean tab closes without a question', async () => {
    const store = workbenchWith(1, 2)
    expect(await closeTabs(store, 'entity:1', 'one')).toBe(true)
    expect(store.getState().tabs.map(tab => tab.id)).toEqual([2])
  })

  it("closing a changed tab asks for confirmation with the document's name, and Cancel does not close it", async () => {
    const store = workbenchWith(1, 2)
    const changes = draft()
    store.getState().setDraft('entity:1', changes)
    const closing = closeTabs(store, 'entity:1', 'one')
    const question = await answerWith('cancel')
    expect(question?.text).toContain('"e1"')
    expect(await closing).toBe(false)
    expect(store.getState().tabs).toHaveLength(2)
    expect(changes.save).not.toHaveBeenCalled()
    expect(changes.discard).not.toHaveBeenCalled()
  })

  it('Save in the question saves, closes the tab and removes the draft', async () => {
    const store = workbenchWith(1, 2)
    const changes = draft()
    store.getState().setDraft('entity:1', changes)
    const closing = closeTabs(store, 'entity:1', 'one')
    await answerWith('confirm')
    expect(await closing).toBe(true)
    expect(changes.save).toHaveBeenCalledOnce()
    expect(store.getState().drafts.size).toBe(0)
    expect(store.getState().tabs.map(tab => tab.id)).toEqual([2])
  })

  it.each([false, new Error('no')])('a failed save (%s) keeps the tab and its changes', async outcome => {
    const store = workbenchWith(1)
    store.getState().setDraft('entity:1', draft(outcome))
    const closing = closeTabs(store, 'entity:1', 'one')
    await answerWith('confirm')
    expect(await closing).toBe(false)
    expect(store.getState().drafts.size).toBe(1)
    expect(store.getState().tabs).toHaveLength(1)
  })

  it('Discard in the question drops the changes and closes the tab', async () => {
    const store = workbenchWith(1, 2)
    const changes = draft()
    store.getState().setDraft('entity:2', changes)
    const closing = closeTabs(store, 'entity:1', 'all')
    await answerWith('alternative')
    expect(await closing).toBe(true)
    expect(changes.discard).toHaveBeenCalledOnce()
    expect(store.getState().tabs).toEqual([])
  })

  it('the question names every changed document', async () => {
    const store = workbenchWith(1, 2, 3)
    store.getState().setDraft('entity:1', draft())
    store.getState().setDraft('entity:3', draft())
    const leaving = settled(store, store.getState().tabs)
    expect((await answerWith('cancel'))?.text).toBe('"e1" and "e3" have unsaved changes.')
    expect(await leaving).toBe(false)
  })
})

const acme = { user: 'designer', organisation: 'ACME' }

describe('the workspace after a reload', () => {
  it('a reload restores the tabs and the active tab', () => {
    const store = workbenchWith(1, 2, 3)
    store.getState().activate('entity:2')
    store.getState().show('entity:2', { tab: 'relationships', version: '1.0.0' })
    store.getState().openHidden({ kind: 'entity', id: 9, name: 'unsaved' })
    const { tabs, active, shown } = store.getState()
    const stored: unknown = JSON.parse(JSON.stringify(toStored({ tabs, active, shown }, acme)))
    expect(fromStored(stored, acme)).toMatchObject({ tabs, active })
    expect(fromStored(stored, acme)?.shown.get('entity:2')).toEqual({ tab: 'relationships', version: '1.0.0' })
  })

  it('after a reload the home screen is shown again, with its tabs', () => {
    const { tabs, shown } = workbenchWith(1, 2).getState()
    const stored: unknown = JSON.parse(JSON.stringify(toStored({ tabs, active: null, shown }, acme)))
    expect(fromStored(stored, acme)).toMatchObject({ tabs, active: null })
  })

  it('stored tabs are not restored for another organisation or user', () => {
    const { tabs, active, shown } = workbenchWith(1).getState()
    expect(fromStored(toStored({ tabs, active, shown }, acme), { ...acme, organisation: 'GLOBEX' })).toBeNull()
    expect(fromStored(toStored({ tabs, active, shown }, acme), { ...acme, user: 'newcomer' })).toBeNull()
  })

  it.each([
    null,
    7,
    'x',
    {},
    { user: 'designer', organisation: 'ACME' },
    { user: 'designer', organisation: 'ACME', tabs: 'no' },
  ])('an invalid stored workspace is ignored: %j', value => {
    expect(fromStored(value, acme)).toBeNull()
  })

  it('invalid stored tabs are dropped', () => {
    const stored = {
      ...acme,
      active: 'x',
      tabs: [{ kind: 'entity', id: 'one', name: 'e' }, null, { kind: 'zebra', id: 1, name: 'z' }],
    }
    expect(fromStored(stored, acme)).toEqual({ tabs: [], active: null, shown: new Map() })
  })
})

it('a replaced preview is closed, so that it reopens with the latest version and no selection', () => {
  const store = createWorkbench({ properties: 300, sidebar: 280 })
  const [one, two] = [1, 2].map(id => ({ kind: 'entity' as const, id, name: `e${id}` }))
  if (!one || !two) throw new Error('There are two.')
  store.getState().open(one, { preview: true })
  store.getState().show('entity:1', { tab: 'relationships', version: '1.0.0' })
  store.getState().select('entity:1', { kind: 'typeAttribute', uids: ['u'] })
  store.getState().open(two, { preview: true })
  store.getState().open(one, { preview: true })
  expect(store.getState().shown.get('entity:1')).toBeUndefined()
  expect(store.getState().selections.get('entity:1')).toBeUndefined()
})
