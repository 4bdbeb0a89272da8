import { createStore } from 'zustand/vanilla'
import { closed, closing, kept, noTabs, opened, openedBeside, renamed, type CloseWhich, type Tabs } from './tabs.ts'
import type { DocumentRef, Tab, TabId } from './documents.ts'

/** A document's unsaved changes, as the document registers them. */
export type Draft = {
  /** Saves; false (or a rejection) means that it did not work and the document stays as it is. */
  save: () => Promise<boolean>
  discard: () => void
  /** In how many places it differs from what is saved. */
  count: number
}

/** What is chosen inside a document: the uids of rows of one kind. The properties panel shows it. */
export type Selection = {
  kind: 'typeAttribute' | 'entityAttribute'
  uids: readonly string[]
  /** The table is to bring the row into view and to focus it; it takes this away once it did. */
  reveal?: boolean
}

/** How a document is shown: which of its inner tabs, and which old version. Both stand in the address. */
export type DocumentState = { tab?: string | undefined; version?: string | undefined }

export type SidebarView = 'navigator' | 'library' | 'packages'

export type Workbench = Tabs & {
  drafts: ReadonlyMap<TabId, Draft>
  selections: ReadonlyMap<TabId, Selection>
  shown: ReadonlyMap<TabId, DocumentState>
  /** The node that is chosen in the tree. */
  selectedNode: string | null
  view: SidebarView
  search: string
  /** Pixels of the panels at the sides. */
  widths: Widths
  propertiesOpen: boolean
  sidebarOpen: boolean
  /** `below`: the manifest among whose members it is meant. */
  open: (document: DocumentRef, options?: { preview?: boolean; below?: number }) => void
  /** Opens it as a tab of its own in the background. */
  openBeside: (document: DocumentRef) => void
  activate: (tabId: TabId) => void
  keep: (tabId: TabId) => void
  rename: (tabId: TabId, name: string, path?: string) => void
  /** Closes without asking; leave.ts asks first. */
  close: (tabId: TabId, which: CloseWhich) => void
  closeTabs: (tabIds: readonly TabId[]) => void
  setDraft: (tabId: TabId, draft: Draft | null) => void
  select: (tabId: TabId, selection: Selection | null) => void
  /** Shows another part or version of a document. */
  show: (tabId: TabId, change: DocumentState) => void
  set: (change: Partial<Pick<Workbench, Panels>>) => void
  reset: () => void
}
type Panels = 'selectedNode' | 'view' | 'search' | 'widths' | 'propertiesOpen' | 'sidebarOpen'

export type Widths = { properties: number; sidebar: number }

export function createWorkbench(widths: Widths) {
  const start = freshDesk(widths)
  return createStore<Workbench>()((set, get) => ({
    ...start,
    open: (document, options = {}) =>
      set(state => {
        const next = opened(state, document, options.preview ?? false)
        // A preview that gave its place is closed: opened again it starts as any document does.
        const gone = state.tabs.filter(tab => !next.tabs.some(({ tabId }) => tabId === tab.tabId))
        const ids = gone.map(({ tabId }) => tabId)
        return { ...next, selections: without(state.selections, ids), shown: without(state.shown, ids) }
      }),
    openBeside: document => set(openedBeside(get(), document)),
    activate: tabId => set({ active: tabId }),
    keep: tabId => set(kept(get(), tabId)),
    rename: (tabId, name, path) => set(renamed(get(), tabId, name, path)),
    close: (tabId, which) => get().closeTabs(closing(get(), tabId, which).map(tab => tab.tabId)),
    closeTabs: tabIds =>
      set(state => ({
        ...closed(state, new Set(tabIds)),
        drafts: without(state.drafts, tabIds),
        selections: without(state.selections, tabIds),
        shown: without(state.shown, tabIds),
      })),
    setDraft: (tabId, draft) =>
      set(state => ({
        // Whoever changes a document means to keep it open.
        ...(draft ? kept(state, tabId) : {}),
        drafts: draft ? new Map(state.drafts).set(tabId, draft) : without(state.drafts, [tabId]),
      })),
    select: (tabId, selection) =>
      set(state => ({
        selections: selection ? new Map(state.selections).set(tabId, selection) : without(state.selections, [tabId]),
      })),
    show: (tabId, change) => set(({ shown }) => ({ shown: withState(shown, tabId, change) })),
    set: change => set(change),
    reset: () => set(start),
  }))
}

/** Nothing open, every panel shown. */
function freshDesk(widths: Widths) {
  return {
    ...noTabs,
    drafts: new Map(),
    selections: new Map(),
    shown: new Map(),
    selectedNode: null,
    view: 'navigator' as const,
    search: '',
    widths,
    propertiesOpen: true,
    sidebarOpen: true,
  }
}

export type WorkbenchStore = ReturnType<typeof createWorkbench>

/** The tabs among the given ones that have unsaved changes. */
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
