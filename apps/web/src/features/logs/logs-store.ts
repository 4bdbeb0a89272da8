import { createStore } from 'zustand/vanilla'
import { workbench } from '../../workbench/page-workbench.ts'
import { tabIdOf } from '../../workbench/documents.ts'
import { noFilter, type ChosenFilter } from './log-filter.ts'
import { logsDocument } from './logs-document.ts'

/** Filter of the open tab; survives switching documents. */
export const logsStore = createStore<{ filter: ChosenFilter }>(() => ({ filter: noFilter }))

/** Opens the log of the shown document's kind. If the tab is open already, shows it as it was left. */
export function openLogs(): void {
  const { tabs, active, open, show } = workbench.getState()
  const tabId = tabIdOf(logsDocument)
  if (!tabs.some(tab => tab.tabId === tabId)) {
    logsStore.setState({ filter: noFilter })
    const shown = tabs.find(tab => tab.tabId === active)
    show(tabId, { tab: shown?.kind === 'entity' ? 'entity' : undefined })
  }
  open(logsDocument)
}
