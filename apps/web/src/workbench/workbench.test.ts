import { describe, expect, it, vi } from 'vitest'
import { questionStore } from './confirm.ts'
import { closeTabs, settled } from './leave.ts'
import { fromStored, toStored } from './persist.ts'
import { createWorkbench, dirtyTabs } from './workbench.ts'

function deskWith(...ids: number[]) {
  const desk = createWorkbench({ properties: 300, sidebar: 280 })
  for (const id of ids) desk.getState().open({ kind: 'entity', id, name: `e${id}` })
  return desk
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
  await vi.waitFor(() => expect(questionStore.getState().asked).not.toBeNull())
  const asked = questionStore.getState().asked
  asked?.answer(answer)
  return asked
}

describe('unsaved changes', () => {
  it('a changed document is marked unsaved and is no longer a preview', () => {
    const desk = createWorkbench({ properties: 300, sidebar: 280 })
    desk.getState().open({ kind: 'entity', id: 1, name: 'e1' }, { preview: true })
    desk.getState().setDraft('entity:1', draft())
    expect(dirtyTabs(desk.getState()).map(tab => tab.tabId)).toEqual(['entity:1'])
    expect(desk.getState().tabs[0]?.preview).toBe(false)
    desk.getState().setDraft('entity:1', null)
    expect(dirtyTabs(desk.getState())).toEqual([])
  })

  it('a clean tab closes without a question', async () => {
    const desk = deskWith(1, 2)
    expect(await closeTabs(desk, 'entity:1', 'one')).toBe(true)
    expect(desk.getState().tabs.map(tab => tab.id)).toEqual([2])
  })

  it('closing a changed tab asks and names the document, and cancel keeps it open', async () => {
    const desk = deskWith(1, 2)
    const changes = draft()
    desk.getState().setDraft('entity:1', changes)
    const closing = closeTabs(desk, 'entity:1', 'one')
    const asked = await answerWith('cancel')
    expect(asked?.text).toContain('"e1"')
    expect(await closing).toBe(false)
    expect(desk.getState().tabs).toHaveLength(2)
    expect(changes.save).not.toHaveBeenCalled()
    expect(changes.discard).not.toHaveBeenCalled()
  })

  it('Save in the question saves, closes the tab and removes the draft', async () => {
    const desk = deskWith(1, 2)
    const changes = draft()
    desk.getState().setDraft('entity:1', changes)
    const closing = closeTabs(desk, 'entity:1', 'one')
    await answerWith('confirm')
    expect(await closing).toBe(true)
    expect(changes.save).toHaveBeenCalledOnce()
    expect(desk.getState().drafts.size).toBe(0)
    expect(desk.getState().tabs.map(tab => tab.id)).toEqual([2])
  })

  it.each([false, new Error('no')])('a failed save (%s) keeps the tab and its changes', async outcome => {
    const desk = deskWith(1)
    desk.getState().setDraft('entity:1', draft(outcome))
    const closing = closeTabs(desk, 'entity:1', 'one')
    await answerWith('confirm')
    expect(await closing).toBe(false)
    expect(desk.getState().drafts.size).toBe(1)
    expect(desk.getState().tabs).toHaveLength(1)
  })

  it('Discard in the question drops the changes and closes the tab', async () => {
    const desk = deskWith(1, 2)
    const changes = draft()
    desk.getState().setDraft('entity:2', changes)
    const closing = closeTabs(desk, 'entity:1', 'all')
    await answerWith('alternative')
    expect(await closing).toBe(true)
    expect(changes.discard).toHaveBeenCalledOnce()
    expect(desk.getState().tabs).toEqual([])
  })

  it('the question names every changed document', async () => {
    const desk = deskWith(1, 2, 3)
    desk.getState().setDraft('entity:1', draft())
    desk.getState().setDraft('entity:3', draft())
    const leaving = settled(desk, desk.getState().tabs)
    expect((await answerWith('cancel'))?.text).toBe('"e1" and "e3" have unsaved changes.')
    expect(await leaving).toBe(false)
  })
})

const acme = { user: 'designer', organisation: 'ACME' }

describe('the workspace after a reload', () => {
  it('a reload restores the tabs and the active tab', () => {
    const desk = deskWith(1, 2, 3)
    desk.getState().activate('entity:2')
    desk.getState().show('entity:2', { tab: 'relationships', version: '1.0.0' })
    const { tabs, active, shown } = desk.getState()
    const stored: unknown = JSON.parse(JSON.stringify(toStored({ tabs, active, shown }, acme)))
    expect(fromStored(stored, acme)).toMatchObject({ tabs, active })
    expect(fromStored(stored, acme)?.shown.get('entity:2')).toEqual({ tab: 'relationships', version: '1.0.0' })
  })

  it('stored tabs are not restored for another organisation or user', () => {
    const { tabs, active, shown } = deskWith(1).getState()
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
  const desk = createWorkbench({ properties: 300, sidebar: 280 })
  const [one, two] = [1, 2].map(id => ({ kind: 'entity' as const, id, name: `e${id}` }))
  if (!one || !two) throw new Error('There are two.')
  desk.getState().open(one, { preview: true })
  desk.getState().show('entity:1', { tab: 'relationships', version: '1.0.0' })
  desk.getState().select('entity:1', { kind: 'typeAttribute', uids: ['u'] })
  desk.getState().open(two, { preview: true })
  desk.getState().open(one, { preview: true })
  expect(desk.getState().shown.get('entity:1')).toBeUndefined()
  expect(desk.getState().selections.get('entity:1')).toBeUndefined()
})
