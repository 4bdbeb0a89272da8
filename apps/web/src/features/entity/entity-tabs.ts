import { keepDraft } from '../../api/kept-drafts.ts'
import { workbench } from '../../workbench/desk.ts'
import { tabIdOf, type TabId } from '../../workbench/documents.ts'
import type { DraftKey } from './draft-key.ts'
import { saveDraft } from './entity-saves.ts'
import { discardDraft, entityStore, openEntity } from './entity-store.ts'

// What open entities and their tabs know of each other.

entityStore.subscribe((state, before) => {
  const changed = [...state.open].filter(([key, entity]) => before.open.get(key)?.draft !== entity.draft)
  for (const id of new Set(changed.map(([, { draft }]) => draft.saved.id))) tellWorkbench(id)
})

/** A tab is unsaved while the latest version or any viewed one is; saving and discarding means all of them. */
function tellWorkbench(id: number): void {
  const tabId = tabIdOf({ kind: 'entity', id })
  const dirty = keysOf(id).filter(key => (openEntity(key)?.draft.changes ?? 0) > 0)
  if (dirty.length === 0) {
    if (workbench.getState().drafts.has(tabId)) workbench.getState().setDraft(tabId, null)
    return
  }
  const shown = workbench.getState().tabs.some(tab => tab.tabId === tabId)
  const saved = openEntity(dirty[0] ?? `${id}`)?.draft.saved
  // What was given up with its tab and is brought back.
  if (!shown && saved) workbench.getState().open({ kind: 'entity', id, name: saved.name, path: saved.path })
  const count = dirty.reduce((sum, key) => sum + (openEntity(key)?.draft.changes ?? 0), 0)
  workbench.getState().setDraft(tabId, {
    count,
    save: async () => {
      for (const key of dirty) {
        // Each is a save of its own; the first that fails stops.
        if (!(await saveDraft(key))) return false
      }
      return true
    },
    discard: () => dirty.forEach(discardDraft),
  })
}

function keysOf(id: number): DraftKey[] {
  return [...entityStore.getState().open].filter(([, { draft }]) => draft.saved.id === id).map(([key]) => key)
}

// An entity whose tab was closed is forgotten: opened again, it starts from what is stored.
workbench.subscribe((state, before) => {
  if (state.tabs === before.tabs) return
  const shown = new Set<TabId>(state.tabs.map(tab => tab.tabId))
  const { open } = entityStore.getState()
  const gone = [...open].filter(([, { draft }]) => !shown.has(tabIdOf({ kind: 'entity', id: draft.saved.id })))
  if (gone.length === 0) return
  for (const [key, { draft }] of gone) if (draft.changes > 0) keepDraft(`entity:${key}`, null)
  const left = new Map(open)
  for (const [key] of gone) left.delete(key)
  entityStore.setState({ open: left })
})
