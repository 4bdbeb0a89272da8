import { currentScope, scopeText } from '../api/scope.ts'
import { scopeOfTab, type Tab } from './documents.ts'
import {
  isListed,
  listedKinds,
  ownDocuments,
  storeOwnDocuments,
  useOwnDocuments,
  type ListedDocument,
} from './own-documents.ts'
import { workbench } from './page-workbench.ts'
import type { Workbench } from './workbench.ts'

/** `at`: when it was shown last. */
export type RecentDocument = ListedDocument

const maxRecent = 20

/** The documents that the user has shown in the current scope, the last one first. */
export function recentDocuments(): readonly RecentDocument[] {
  return ownDocuments('recent', scopeText(currentScope()))
}

export function useRecentDocuments(): readonly RecentDocument[] {
  return useOwnDocuments('recent')
}

/** Records the documents shown until the returned function is called. */
export function recordRecent(): () => void {
  const shown = activeTab(workbench.getState())
  if (shown) record(shown)
  return workbench.subscribe((state, before) => {
    const [tab, last] = [activeTab(state), activeTab(before)]
    if (tab && (tab.tabId !== last?.tabId || tab.name !== last.name || tab.path !== last.path)) record(tab)
  })
}

function activeTab({ tabs, active }: Workbench): Tab | undefined {
  return tabs.find(({ tabId }) => tabId === active)
}

function record({ id, name, path, tabId, ...tab }: Tab): void {
  const kind = listedKinds.find(candidate => candidate === tab.kind)
  if (!kind) return
  const scope = scopeOfTab(tabId)
  const isOther = (other: ListedDocument) => !isListed({ kind, id })(other)
  const shown = { kind, id, name, at: Date.now(), ...(path === undefined ? {} : { path }) }
  storeOwnDocuments('recent', scope, [shown, ...ownDocuments('recent', scope).filter(isOther)].slice(0, maxRecent))
}
