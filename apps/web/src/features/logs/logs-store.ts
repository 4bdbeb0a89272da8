import { createStore } from 'zustand/vanilla'
import { workbench } from '../../workbench/page-workbench.ts'
import { tabIdOf } from '../../workbench/documents.ts'
import { noFilter, type ChosenFilter } from './log-filter.ts'
import { logsDocument } from './logs-document.ts'

/** Filter of the open tab; survives switching documents. */
export const logsStore = createStore<{ filter: ChosenFilter }>(() => ({ filter: noFilter }))

/** Resets the filter if the tab was closed. */
export function openLogs(): void {
  const { tabs, open } = workbench.getState()
  if (!tabs.some(({ tabId }) => tabId === tabIdOf(logsDocument))) logsStore.setState({ filter: noFilter })
  open(logsDocument)
}
