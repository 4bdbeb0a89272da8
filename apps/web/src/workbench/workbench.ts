import { createStore } from 'zustand/vanilla'
import {
  activated,
  closed,
  closing,
  keepTab,
  noTabs,
  opened,
  openedHidden,
  openedInBackground,
  renamed,
  type CloseWhich,
  type Tabs,
} from './tabs.ts'
import type { DocumentRef, Tab, TabId } from './documents.ts'

/** Unsaved changes, as registered by their document. */
export type Draft = {
  /** Resolves to false, or rejects, if saving failed; the document is then unchanged. */
  save: () => Promise<boolean>
  discard: () => void
  /** Number of places that differ from the saved content. */
  count: number
}

/** Selection in a document: uids of rows of one kind, shown in the properties panel. */
export type Selection = {
  kind: 'typeAttribute' | 'entityAttribute'
  uids: readonly string[]
  /** Request to the table to show and focus the row; the table clears it. */
  reveal?: boolean
  /** The column of the attribute sheet to focus with it. */
  column?: string
}

/**
 * Display state of a document, which is part of the address: inner tab, old version, and of a comparison both sides and
 * how it is shown.
 */
export type DocumentState = { [name in StateName]?: string | undefined }
export const stateNames = ['tab', 'version', 'before', 'after', 'view'] as const
type StateName = (typeof stateNames)[number]

export type SidebarView = 'navigator' | 'library' | 'packages'

/** Tabs and tree selection of a scope that is not shown. */
type Parked = Tabs & Pick<Workbench, 'selectedNode'>

/** The tabs are those of the current scope. Drafts, selections and display states are of all scopes. */
export type Workbench = Tabs & {
  /** By `scopeText`. */
  parked: ReadonlyMap<string, Parked>
  drafts: ReadonlyMap<TabId, Draft>
  selections: ReadonlyMap<TabId, Selection>
  shown: ReadonlyMap<TabId, DocumentState>
  selectedNode: string | null
  view: SidebarView
  search: string
  /** Widths of the side panels in pixels. */
  widths: Widths
  propertiesOpen: boolean
  sidebarOpen: boolean
  /** `below`: the manifest above it in the tree. */
  open: (document: DocumentRef, options?: { preview?: boolean; below?: number }) => void
  /** Opens a permanent tab in the background. */
  openInBackground: (document: DocumentRef) => void
  /** Holds a document for its unsaved changes, without a tab in the strip. */
  openHidden: (document: DocumentRef) => void
  /** Drops a document that is only held for unsaved changes and has none. */
  dropHidden: (tabId: TabId) => void
  activate: (tabId: TabId) => void
  keep: (tabId: TabId) => void
  rename: (tabId: TabId, name: string, path?: string) => void
  /** Closes without confirmation; leave.ts asks for one. */
  close: (tabId: TabId, which: CloseWhich) => void
  closeTabs: (tabIds: readonly TabId[]) => void
  setDraft: (tabId: TabId, draft: Draft | null) => void
  select: (tabId: TabId, selection: Selection | null) => void
  /** Shows another inner tab or version of a document. */
  show: (tabId: TabId, change: DocumentState) => void
  set: (change: Partial<Pick<Workbench, Panels>>) => void
  /** Shows the tabs of another scope. */
  enter: (from: string, to: string) => void
  reset: () => void
}
type Panels = 'selectedNode' | 'view' | 'search' | 'widths' | 'propertiesOpen' | 'sidebarOpen'

export type Widths = { properties: number; sidebar: number }

export function createWorkbench(widths: Widths) {
  const start = emptyWorkspace(widths)
  return createStore<Workbench>()((set, get) => ({
    ...start,
    open: (document, options = {}) => set(withDocument(get(), document, options.preview ?? false)),
    openInBackground: document => set(openedInBackground(get(), document)),
    openHidden: document => set(openedHidden(get(), document)),
    dropHidden: tabId => {
      const isHidden = allTabs(get()).some(tab => tab.tabId === tabId && tab.hidden)
      if (isHidden && !get().drafts.has(tabId)) get().closeTabs([tabId])
    },
    activate: tabId => set(activated(get(), tabId)),
    keep: tabId => set(keepTab(get(), tabId)),
    rename: (tabId, name, path) => set(inAllScopes(get(), tabs => renamed(tabs, tabId, name, path))),
    close: (tabId, which) => get().closeTabs(closing(get(), tabId, which).map(tab => tab.tabId)),
    closeTabs: tabIds =>
      set(state => ({
        ...inAllScopes(state, tabs => closed(tabs, new Set(tabIds))),
        drafts: without(state.drafts, tabIds),
        selections: without(state.selections, tabIds),
        shown: without(state.shown, tabIds),
      })),
    setDraft: (tabId, draft) =>
      set(state => ({
        // Editing a document keeps its tab.
        ...(draft ? keepTab(state, tabId) : {}),
        drafts: draft ? new Map(state.drafts).set(tabId, draft) : without(state.drafts, [tabId]),
      })),
    select: (tabId, selection) =>
      set(state => ({
        selections: selection ? new Map(state.selections).set(tabId, selection) : without(state.selections, [tabId]),
      })),
    show: (tabId, change) => set(({ shown }) => ({ shown: withState(shown, tabId, change) })),
    set: change => set(change),
    enter: (from, to) => set(entered(get(), from, to)),
    reset: () => set(start),
  }))
}

const nothing: Parked = { ...noTabs, selectedNode: null }

function withDocument(state: Workbench, document: DocumentRef, preview: boolean): Partial<Workbench> {
  const next = opened(state, document, preview)
  // A replaced preview counts as closed and loses its display state.
  const gone = state.tabs.filter(tab => !next.tabs.some(({ tabId }) => tabId === tab.tabId))
  const ids = gone.map(({ tabId }) => tabId)
  return { ...next, selections: without(state.selections, ids), shown: without(state.shown, ids) }
}

function entered(state: Workbench, from: string, to: string): Partial<Workbench> {
  if (from === to) return {}
  const { tabs, active, selectedNode } = state
  const parked = new Map(state.parked).set(from, { tabs, active, selectedNode })
  parked.delete(to)
  return { ...(state.parked.get(to) ?? nothing), parked }
}

function inAllScopes(state: Workbench, change: (tabs: Tabs) => Tabs): Pick<Workbench, 'tabs' | 'active' | 'parked'> {
  const parked = Array.from(state.parked, ([scope, tabs]) => [scope, { ...tabs, ...change(tabs) }] as const)
  const { tabs, active } = change(state)
  return { tabs, active, parked: new Map(parked) }
}

/** The open tabs of all scopes. */
export function allTabs({ tabs, parked }: Pick<Workbench, 'tabs' | 'parked'>): readonly Tab[] {
  return [...tabs, ...Array.from(parked.values(), scope => scope.tabs).flat()]
}

function emptyWorkspace(widths: Widths) {
  return {
    ...nothing,
    parked: new Map(),
    drafts: new Map(),
    selections: new Map(),
    shown: new Map(),
    view: 'navigator' as const,
    search: '',
    widths,
    propertiesOpen: true,
    sidebarOpen: true,
  }
}

export type WorkbenchStore = ReturnType<typeof createWorkbench>

export function dirtyTabs(
  state: Pick<Workbench, 'tabs' | 'drafts'>,
  tabs: readonly Tab[] = state.tabs,
): readonly Tab[] {
  return tabs.filter(tab => state.drafts.has(tab.tabId))
}

function withState(shown: Workbench['shown'], tabId: TabId, change: DocumentState): Workbench['shown'] {
  return new Map(shown).set(tabId, { ...shown.get(tabId), ...change })
}

function without<V>(map: ReadonlyMap<TabId, V>, tabIds: readonly TabId[]): ReadonlyMap<TabId, V> {
  if (!tabIds.some(tabId => map.has(tabId))) return map
  return new Map([...map].filter(([tabId]) => !tabIds.includes(tabId)))
}
