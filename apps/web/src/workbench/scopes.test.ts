import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { scopeStore } from '../api/scope.ts'
import { addressOf, documentIn } from './address.ts'
import { questionStore } from './confirm.ts'
import { tabIdOf } from './documents.ts'
import { enterScope, openAlone, workbench } from './page-workbench.ts'
import { allTabs } from './workbench.ts'

const entity = (id: number) => ({ kind: 'entity' as const, id, name: `e${id}` })
const unsaved = () => ({ save: async () => true, discard: vi.fn(), count: 1 })
const shown = () => workbench.getState().tabs.map(({ id }) => id)

beforeEach(() => {
  workbench.getState().reset()
  scopeStore.setState({ administered: null })
})
afterEach(() => scopeStore.setState({ administered: null }))

describe('the tabs of an organisation and role', () => {
  it('wait with their drafts while another scope is shown', () => {
    workbench.getState().open(entity(1))
    workbench.getState().open(entity(2))
    workbench.getState().setDraft(tabIdOf(entity(1)), unsaved())
    const active = workbench.getState().active
    enterScope('ACME')
    expect(shown()).toEqual([])
    expect(workbench.getState().drafts.has(tabIdOf(entity(1)))).toBe(false)
    expect(allTabs(workbench.getState()).map(({ id }) => id)).toEqual([1, 2])
    enterScope(null)
    expect([shown(), workbench.getState().active]).toEqual([[1, 2], active])
    expect(workbench.getState().drafts.has(tabIdOf(entity(1)))).toBe(true)
  })

  it('are closed and renamed while they wait', () => {
    workbench.getState().open(entity(1))
    workbench.getState().open(entity(2))
    const [one, two] = [tabIdOf(entity(1)), tabIdOf(entity(2))]
    enterScope('ACME')
    workbench.getState().closeTabs([one])
    workbench.getState().rename(two, 'renamed')
    enterScope(null)
    expect(workbench.getState().tabs.map(({ name }) => name)).toEqual(['renamed'])
  })

  it('have addresses with the organisation of an administrator', () => {
    enterScope('ACME')
    expect(addressOf(workbench.getState())).toEqual({ org: 'ACME' })
    expect(documentIn({ org: 'ACME' })?.kind).toBe('organisation')
    expect(documentIn({ org: 'ACME', entity: 1 })?.tabId).toBe(tabIdOf(entity(1)))
    expect(documentIn({ org: 'GLOBEX', entity: 1 })?.tabId).not.toBe(tabIdOf(entity(1)))
  })
})

describe('the administration', () => {
  it('shows one document and asks before it leaves an unsaved one', async () => {
    enterScope('ACME')
    await openAlone(entity(1))
    await openAlone(entity(2))
    expect(shown()).toEqual([2])
    workbench.getState().setDraft(tabIdOf(entity(2)), unsaved())
    const opening = openAlone(entity(3))
    await expect.poll(() => questionStore.getState().question).not.toBeNull()
    questionStore.getState().question?.answer('cancel')
    expect([await opening, shown()]).toEqual([false, [2]])
  })
})
