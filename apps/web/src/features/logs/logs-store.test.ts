import { beforeEach, expect, it } from 'vitest'
import { workbench } from '../../workbench/page-workbench.ts'
import { tabIdOf } from '../../workbench/documents.ts'
import { logsDocument } from './logs-document.ts'
import { openLogs } from './logs-store.ts'

const shownLog = () => workbench.getState().shown.get(tabIdOf(logsDocument))?.tab ?? 'manifest'
const open = (kind: 'entity' | 'manifest', id: number) =>
  workbench.getState().open({ kind, id, name: `${kind} ${id}`, path: '' })

beforeEach(() => {
  const { tabs, closeTabs } = workbench.getState()
  closeTabs(tabs.map(({ tabId }) => tabId))
})

it.each(['entity', 'manifest'] as const)('opens the log of the shown document: %s', kind => {
  open(kind, 1)
  openLogs()
  expect(shownLog()).toBe(kind)
})

it('shows an open log as it was left', () => {
  open('manifest', 1)
  openLogs()
  open('entity', 2)
  openLogs()
  expect(shownLog()).toBe('manifest')
})
