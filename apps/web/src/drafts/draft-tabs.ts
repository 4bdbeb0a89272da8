import { queryClient } from '../api/query-client.ts'
import { isAdministration } from '../api/scope.ts'
import { typedStore } from '../ui/typed-text.ts'
import { openRestored, workbench } from '../workbench/page-workbench.ts'
import { tabIdOf, type TabId } from '../workbench/documents.ts'
import { allTabs } from '../workbench/workbench.ts'
import { placeOf, type DraftKey } from './draft-key.ts'
import type { Saved } from './open-draft.ts'
import type { OpenDrafts } from './open-drafts.ts'
import { offerUndoOfSaves } from './save-all.ts'

/** Documents without a tab that open one to show why they were not saved; those beyond stay unsaved. */
const mostShown = 5

offerUndoOfSaves(async saved => (await import('./manifest-steps.ts')).undoSaves(saved))

/** Connects the open documents of a kind with their tabs. */
export function linkTabs<S extends Saved, C, E>(store: OpenDrafts<S, C, E>): void {
  store.state.subscribe((state, before) => {
    const changed = [...state.open].filter(([key, open]) => before.open.get(key)?.draft !== open.draft)
    for (const tabId of new Set(changed.map(([key]) => tabOf(store, key)))) syncWorkbench(store, tabId)
    showFailed(store)
  })
  workbench.subscribe((state, before) => {
    if (state.tabs !== before.tabs || state.parked !== before.parked) forgetClosed(store)
  })
}

function tabOf<S extends Saved, C, E>({ kind }: OpenDrafts<S, C, E>, key: DraftKey): TabId {
  const { id, scope } = placeOf(key)
  return tabIdOf({ kind, id }, scope)
}

/** A tab is unsaved while the latest or any viewed version is. Saving and discarding apply to all of them. */
function syncWorkbench<S extends Saved, C, E>(store: OpenDrafts<S, C, E>, tabId: TabId): void {
  const changesOf = (key: DraftKey) => store.get(key)?.draft.changes ?? 0
  const keys = [...store.state.getState().open.keys()].filter(key => tabOf(store, key) === tabId)
  const dirty = keys.filter(key => changesOf(key) > 0)
  if (dirty.length === 0) {
    if (!workbench.getState().drafts.has(tabId)) return
    workbench.getState().setDraft(tabId, null)
    if (keys.some(key => (store.get(key)?.draft.undone.length ?? 0) > 0)) return
    unused.add(tabId)
    // A save is reported before its document is dropped.
    queueMicrotask(dropUnused)
    return
  }
  const shown = allTabs(workbench.getState()).some(tab => tab.tabId === tabId)
  const saved = dirty[0] === undefined ? undefined : store.get(dirty[0])?.draft.saved
  // The draft was discarded with its tab and is now restored.
  if (!shown && saved) openRestored({ kind: store.kind, id: saved.id, name: store.title(saved), path: saved.path })
  workbench.getState().setDraft(tabId, {
    count: dirty.reduce((sum, key) => sum + changesOf(key), 0),
    save: async () => {
      for (const key of dirty) {
        // Versions are saved separately; the first failure stops.
        if (!(await store.save(key))) return false
      }
      return true
    },
    discard: () => dirty.forEach(key => store.dispatch(key, { kind: 'discard' })),
  })
}

/** Documents without unsaved changes, to be dropped if they have no tab. */
const unused = new Set<TabId>()
queryClient.getQueryCache().subscribe(dropUnused)
typedStore.subscribe(dropUnused)

/** Lists show a saved document as its draft has it until they are read again. What saves wait for may be about to change it. */
function dropUnused(): void {
  if (unused.size === 0 || queryClient.isFetching() > 0 || typedStore.getState().fields.size > 0) return
  const dropped = [...unused]
  unused.clear()
  for (const tabId of dropped) workbench.getState().dropHidden(tabId)
}

/** A document whose changes cannot be saved shows the reason in a tab. */
function showFailed<S extends Saved, C, E>({ kind, state, title }: OpenDrafts<S, C, E>): void {
  const { tabs, openInBackground } = workbench.getState()
  const hidden = new Map(tabs.flatMap(tab => (tab.hidden ? [[tab.tabId, tab] as const] : [])))
  if (hidden.size === 0 || isAdministration()) return
  const failed = [...state.getState().open].filter(([, open]) => open.problem !== null || isUndecided(open))
  const isHidden = (key: DraftKey) => hidden.has(tabIdOf({ kind, id: placeOf(key).id }, placeOf(key).scope))
  const shown = failed.filter(([key]) => !isHidden(key)).length
  for (const [key, { draft }] of failed.filter(([key]) => isHidden(key)).slice(0, Math.max(0, mostShown - shown)))
    openInBackground({ kind, id: placeOf(key).id, name: title(draft.saved), path: draft.saved.path })
}

/** Whether its document asks what to do. */
function isUndecided({ state }: { state: string }): boolean {
  return state === 'conflicted' || state === 'deleted'
}

/** Drops the state of a document when its tab is closed, so that the next opening reads it again. */
function forgetClosed<S extends Saved, C, E>(store: OpenDrafts<S, C, E>): void {
  const shown = new Set(allTabs(workbench.getState()).map(tab => tab.tabId))
  const closed = [...store.state.getState().open.keys()].filter(key => !shown.has(tabOf(store, key)))
  if (closed.length > 0) store.close(closed)
}
