import { createStore } from 'zustand/vanilla'
import { workbench } from '../../workbench/desk.ts'
import { tabIdOf } from '../../workbench/documents.ts'
import { noFilter, type ChosenFilter } from './log-filter.ts'
import { logsDocument } from './logs-document.ts'

/** What was chosen, as long as the tab is open: whoever looks at a document and comes back finds it again. */
export const logsStore = createStore<{ filter: ChosenFilter }>(() => ({ filter: noFilter }))

/** Opened anew it shows everything. */
export function openLogs(): void {
  const { tabs, open } = workbench.getState()
  if (!tabs.some(({ tabId }) => tabId === tabIdOf(logsDocument))) logsStore.setState({ filter: noFilter })
  open(logsDocument)
}
