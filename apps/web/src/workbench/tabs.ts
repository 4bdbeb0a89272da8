import { tabIdOf, type DocumentRef, type Tab, type TabId } from './documents.ts'

export type Tabs = { tabs: readonly Tab[]; active: TabId | null }

export type CloseWhich = 'one' | 'all' | 'others' | 'left' | 'right'

export const noTabs: Tabs = { tabs: [], active: null }

/**
 * Opens and shows a document. A preview replaces the existing preview; an open tab is activated and, unless
 * previewed, kept.
 */
export function opened(state: Tabs, document: DocumentRef, preview: boolean): Tabs {
  const tabId = tabIdOf(document)
  const existing = state.tabs.find(tab => tab.tabId === tabId)
  if (existing?.hidden) return opened({ ...state, tabs: state.tabs.filter(tab => tab !== existing) }, document, false)
  if (existing) return { tabs: preview ? state.tabs : keepTab(state, tabId).tabs, active: tabId }
  const tab = tabOf(document, preview)
  const old = preview ? state.tabs.findIndex(other => other.preview) : -1
  if (old >= 0) return { tabs: state.tabs.with(old, tab), active: tabId }
  const after = state.tabs.findIndex(other => other.tabId === state.active)
  return { tabs: state.tabs.toSpliced(after < 0 ? state.tabs.length : after + 1, 0, tab), active: tabId }
}

export function openedInBackground(state: Tabs, document: DocumentRef): Tabs {
  return { tabs: opened(state, document, false).tabs, active: state.active }
}

/** Keeps a document for its unsaved changes without a tab in the strip. */
export function openedHidden(state: Tabs, document: DocumentRef): Tabs {
  const tab = { ...tabOf(document, false), hidden: true }
  return state.tabs.some(({ tabId }) => tabId === tab.tabId) ? state : { ...state, tabs: [...state.tabs, tab] }
}

function tabOf(document: DocumentRef, preview: boolean): Tab {
  const { kind, id, name, path } = document
  return { kind, id, name, tabId: tabIdOf(document), preview, ...(path === undefined ? {} : { path }) }
}

/** Shows an open tab. */
export function activated(state: Tabs, tabId: TabId): Tabs {
  const { tabs } = changed(state, tabId, ({ hidden, ...tab }) => tab)
  return { tabs, active: tabId }
}

/** The tabs in the strip. */
export function shownTabs(tabs: readonly Tab[]): readonly Tab[] {
  return tabs.some(tab => tab.hidden) ? tabs.filter(tab => !tab.hidden) : tabs
}

export function keepTab(state: Tabs, tabId: TabId): Tabs {
  return changed(state, tabId, tab => (tab.preview ? { ...tab, preview: false } : tab))
}

/** Renames a tab; without `path` the path is unchanged. */
export function renamed(state: Tabs, tabId: TabId, name: string, path?: string): Tabs {
  return changed(state, tabId, tab => {
    const existing = path ?? tab.path
    if (tab.name === name && tab.path === existing) return tab
    return { ...tab, name, ...(existing === undefined ? {} : { path: existing }) }
  })
}

/** The tabs that a command of the tab menu closes. */
export function closing(state: Tabs, tabId: TabId, which: CloseWhich): readonly Tab[] {
  const tabs = shownTabs(state.tabs)
  const at = tabs.findIndex(tab => tab.tabId === tabId)
  switch (which) {
    case 'one':
      return tabs.filter((_, index) => index === at)
    case 'all':
      return tabs
    case 'others':
      return tabs.filter((_, index) => index !== at)
    case 'left':
      return tabs.filter((_, index) => index < at)
    case 'right':
      return tabs.filter((_, index) => at >= 0 && index > at)
  }
}

/** Removes tabs; if the active one is among them, activates its right neighbour, otherwise the left one. */
export function closed(state: Tabs, tabIds: ReadonlySet<TabId>): Tabs {
  const tabs = state.tabs.filter(tab => !tabIds.has(tab.tabId))
  if (state.active === null || !tabIds.has(state.active)) return { tabs, active: state.active }
  const at = state.tabs.findIndex(tab => tab.tabId === state.active)
  const right = shownTabs(state.tabs.slice(at)).find(tab => !tabIds.has(tab.tabId))
  return { tabs, active: (right ?? shownTabs(tabs).at(-1))?.tabId ?? null }
}

/** The next (1) or previous (-1) tab, wrapping around. */
export function neighbour(state: Tabs, step: 1 | -1): TabId | null {
  const tabs = shownTabs(state.tabs)
  const at = tabs.findIndex(tab => tab.tabId === state.active)
  if (at < 0) return tabs[0]?.tabId ?? null
  return tabs.at((at + step) % tabs.length)?.tabId ?? null
}

function changed(state: Tabs, tabId: TabId, change: (tab: Tab) => Tab): Tabs {
  const tabs = state.tabs.map(tab => (tab.tabId === tabId ? change(tab) : tab))
  return tabs.every((tab, index) => tab === state.tabs[index]) ? state : { ...state, tabs }
}
