import type { EntityAnswer } from '@cadmus/model/contract/entity-shapes'
import { messages } from '@cadmus/model/messages'
import { createStore } from 'zustand/vanilla'
import { useStore } from 'zustand'
import { entityQuery, saveEntity, type LoadedEntity } from '../../api/entities.ts'
import { ApiError, messageOf } from '../../api/error.ts'
import { queryClient } from '../../api/query-client.ts'
import { notify } from '../../ui/Snackbar.tsx'
import { workbench } from '../../workbench/desk.ts'
import { tabIdOf } from '../../workbench/documents.ts'
import { discard, draftRequest, isDirty, openDraft, rebase, type EntityDraft } from './entity-draft.ts'

export type OpenEntity = {
  draft: EntityDraft
  saving: boolean
  /** The words of the last action that failed; shown in the document until the next one. */
  error: string | null
  /** Fields that somebody else changed too, after a save that was refused for them. */
  conflicts: ApiError['conflicts']
}

type EntityStore = {
  open: ReadonlyMap<number, OpenEntity>
  /** Which old version of an entity is viewed; absent: the latest. */
  viewed: ReadonlyMap<number, string>
}

/** Every open entity with its unsaved edits, shared by its document and the properties panel. */
export const entityStore = createStore<EntityStore>()(() => ({ open: new Map(), viewed: new Map() }))

export function useOpenEntity(id: number): OpenEntity | undefined {
  return useStore(entityStore, state => state.open.get(id))
}

export function useViewedVersion(id: number): string | undefined {
  return useStore(entityStore, state => state.viewed.get(id))
}

/** Takes what the server answered: opens it, or puts it below the edits that are there. */
export function receive({ entity, etag }: LoadedEntity): void {
  const known = entityStore.getState().open.get(entity.id)
  const same = (before: EntityAnswer) =>
    before.path === entity.path && before.versions.join() === entity.versions.join()
  // A version added or deleted leaves the content, and with it the ETag, as it was.
  if (known?.draft.etag === etag && same(known.draft.saved)) return
  const draft = known ? rebase(known.draft, entity, etag) : openDraft(entity, etag)
  put(entity.id, {
    draft,
    saving: known?.saving ?? false,
    error: known?.error ?? null,
    conflicts: known?.conflicts ?? [],
  })
}

/** Applies an edit to the draft; the tab is marked unsaved while something differs. */
export function edit(id: number, change: (draft: EntityDraft) => EntityDraft): void {
  const known = entityStore.getState().open.get(id)
  if (known) put(id, { ...known, draft: change(known.draft), error: null })
}

export function viewVersion(id: number, version: string | undefined): void {
  const viewed = new Map(entityStore.getState().viewed)
  if (version === undefined) viewed.delete(id)
  else viewed.set(id, version)
  entityStore.setState({ viewed })
}

/** Saves the draft. False: it did not work, the document says why and keeps every edit. */
export async function saveDraft(id: number): Promise<boolean> {
  const known = entityStore.getState().open.get(id)
  if (!known || known.saving) return false
  put(id, { ...known, saving: true, error: null, conflicts: [] })
  try {
    const sent = known.draft
    const { entity, etag } = await saveEntity(id, draftRequest(sent), sent.etag)
    const now = entityStore.getState().open.get(id)?.draft ?? sent
    // Edits made while the save was under way stay, on top of what it stored.
    const draft =
      now === sent
        ? openDraft(entity, etag)
        : rebase({ ...now, saved: { ...sent.saved, ...stored(sent) } }, entity, etag)
    put(id, { draft, saving: false, error: null, conflicts: [] })
    workbench.getState().rename(tabIdOf({ kind: 'entity', id }), entity.name)
    notify('success', messages.entitySaved)
    return true
  } catch (failure) {
    fail(id, failure)
    return false
  }
}

/** Shows why an action on the entity failed, in its document. */
export function fail(id: number, failure: unknown, fallback: string = messages.failed.saveEntity): void {
  const known = entityStore.getState().open.get(id)
  const conflicts = failure instanceof ApiError ? failure.conflicts : []
  if (known) put(id, { ...known, saving: false, error: messageOf(failure, fallback), conflicts })
}

export function discardDraft(id: number): void {
  const known = entityStore.getState().open.get(id)
  if (known) put(id, { draft: discard(known.draft), saving: false, error: null, conflicts: [] })
}

/** After a refused save: puts the server's present state below one's own edits, or drops one's own. Mine is saved at once. */
export async function settleConflict(id: number, keep: 'mine' | 'theirs'): Promise<void> {
  const known = entityStore.getState().open.get(id)
  if (!known) return
  try {
    const { entity, etag } = await queryClient.fetchQuery({ ...entityQuery(id), staleTime: 0 })
    const now = entityStore.getState().open.get(id)?.draft ?? known.draft
    const draft = keep === 'mine' ? rebase(now, entity, etag) : openDraft(entity, etag)
    put(id, { draft, saving: false, error: null, conflicts: [] })
    if (keep === 'mine') await saveDraft(id)
  } catch (failure) {
    fail(id, failure)
  }
}

// An entity whose tab was closed is forgotten: opened again, it starts from what is stored.
workbench.subscribe((state, before) => {
  if (state.tabs === before.tabs) return
  const shown = new Set(state.tabs.filter(tab => tab.kind === 'entity').map(tab => tab.id))
  const kept = <V>(map: ReadonlyMap<number, V>) => new Map([...map].filter(([id]) => shown.has(id)))
  const { open, viewed } = entityStore.getState()
  entityStore.setState({ open: kept(open), viewed: kept(viewed) })
})

function put(id: number, entity: OpenEntity): void {
  entityStore.setState(state => ({ open: new Map(state.open).set(id, entity) }))
  const tabId = tabIdOf({ kind: 'entity', id })
  const draft = isDirty(entity.draft) ? { save: () => saveDraft(id), discard: () => discardDraft(id) } : null
  if (draft !== null || workbench.getState().drafts.has(tabId)) workbench.getState().setDraft(tabId, draft)
}

function stored({ name, description, extendsEntity, typeAttributes, operationScopes }: EntityDraft) {
  return { name, description, extendsEntity, typeAttributes: [...typeAttributes], operationScopes }
}
