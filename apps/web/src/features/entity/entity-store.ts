import type { EntityEdit } from '@cadmus/model/edits/entity-edit'
import type { EntityContent } from '@cadmus/model/entity'
import { messages } from '@cadmus/model/messages'
import { folderOf } from '@cadmus/model/paths'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import type { LoadedEntity } from '../../api/entities.ts'
import { connectionStore, isAway } from '../../api/connection.ts'
import { ApiError, messageOf } from '../../api/error.ts'
import { keepDraft } from '../../api/kept-drafts.ts'
import { notify } from '../../ui/Snackbar.tsx'
import { broughtBack, discarded, edited, openDraft, rebased, redone, undone, type EntityDraft } from './entity-draft.ts'
import { draftKey, type DraftKey } from './draft-key.ts'
import { keptFrom } from './kept-draft.ts'

export type OpenEntity = {
  draft: EntityDraft
  saving: boolean
  /** The words of the last action that failed; shown in the document until the next one. */
  error: string | null
  /** Whether it failed because the server was away: nothing to say any longer once it is back. */
  unreached: boolean
  /** Fields that somebody else changed too, after a save that was refused for them. */
  conflicts: ApiError['conflicts']
  /** When the draft was last changed, where it came back from an earlier visit and was not looked at yet; else null. */
  restored: string | null
}

/** Every open entity, and every old version of one that is viewed, with its unsaved edits. */
export const entityStore = createStore<{ open: ReadonlyMap<DraftKey, OpenEntity> }>()(() => ({ open: new Map() }))

export function useOpenEntity(key: DraftKey): OpenEntity | undefined {
  return useStore(entityStore, state => state.open.get(key))
}

export function openEntity(key: DraftKey): OpenEntity | undefined {
  return entityStore.getState().open.get(key)
}

/** Takes what the server answered: opens it, or puts it below the edits that are there. */
export function receive({ entity, etag }: LoadedEntity, version: string | undefined): void {
  const key = draftKey(entity.id, version)
  const known = openEntity(key)
  if (!known) put(key, { ...settledEntity, draft: openDraft(entity, etag) })
  else if (known.draft.etag !== etag) put(key, { ...known, draft: rebased(known.draft, entity, etag) })
  // A version added or deleted leaves the content, and with it the ETag, as it was; so does a new name of what it extends or refers to.
  else if (known.draft.saved !== entity) put(key, { ...known, draft: rebased(known.draft, entity, etag) })
}

/** Applies edits to the draft; the tab is marked unsaved while something differs. */
export function edit(key: DraftKey, edits: (content: EntityContent) => readonly EntityEdit[]): void {
  change(key, draft => edited(draft, edits(draft.content)))
}

export function undo(key: DraftKey): void {
  change(key, undone)
}

export function redo(key: DraftKey): void {
  change(key, redone)
}

/** Gives up what is unsaved, and offers it back. */
export function discardDraft(key: DraftKey): void {
  const before = openEntity(key)?.draft
  if (!before || before.done.length === 0) return
  change(key, discarded)
  const again = () => bringBack(key, before)
  notify('info', messages.discarded(before.saved.name, folderOf(before.saved.path)), { label: 'Undo', run: again })
}

/** Also where its tab was closed since: whatever is unsaved has one. */
function bringBack(key: DraftKey, before: EntityDraft): void {
  if (openEntity(key)) change(key, draft => broughtBack(draft, before))
  else put(key, { ...settledEntity, draft: before })
}

/** Shows why an action on the entity failed, in its document. */
export function fail(key: DraftKey, failure: unknown, fallback: string = messages.failed.saveEntity): void {
  const known = openEntity(key)
  const conflicts = failure instanceof ApiError ? failure.conflicts : []
  if (known)
    put(key, { ...known, saving: false, error: messageOf(failure, fallback), unreached: isAway(failure), conflicts })
}

connectionStore.subscribe((now, before) => {
  if (now.away || !before.away) return
  for (const [key, open] of entityStore.getState().open)
    if (open.error !== null && open.unreached) put(key, { ...open, error: null })
})

/** What failed before went well now: nothing says any longer that it failed. */
export function succeeded(key: DraftKey): void {
  const known = openEntity(key)
  if (known?.error) put(key, { ...known, error: null })
}

/** The restored draft was looked at: it is a draft like any other. */
export function looked(key: DraftKey): void {
  const known = openEntity(key)
  if (known) put(key, { ...known, restored: null })
}

/** What an entity is beside its draft while nothing happens to it. */
export const settledEntity = { saving: false, error: null, unreached: false, conflicts: [], restored: null }

/** Puts the entity's new state; keeps its draft in the browser, and tells the workbench. */
export function put(key: DraftKey, entity: OpenEntity): void {
  const before = openEntity(key)?.draft
  entityStore.setState(state => ({ open: new Map(state.open).set(key, entity) }))
  const { draft } = entity
  if (draft.changes > 0 && draft !== before) keepDraft(`entity:${key}`, keptFrom(draft, new Date().toISOString()))
  else if (draft.changes === 0 && before && before.changes > 0) keepDraft(`entity:${key}`, null)
}

function change(key: DraftKey, make: (draft: EntityDraft) => EntityDraft): void {
  const known = openEntity(key)
  if (known) put(key, { ...known, draft: make(known.draft), error: null })
}
