import { messages } from '@cadmus/model/messages'
import { readable, type StoredForm } from '@cadmus/model/stored/stored-form'
import * as z from 'zod'
import { isGone } from '../api/error.ts'
import { workbench } from '../workbench/page-workbench.ts'
import type { Restored } from '../workbench/document-kinds.ts'
import { tabIdOf, type DocumentKind } from '../workbench/documents.ts'
import type { Draft, Loaded } from './draft.ts'
import { draftKey, readDraftKey } from './draft-key.ts'
import { busy, type Saved } from './open-draft.ts'
import type { OpenDrafts } from './open-drafts.ts'
import { restoredAfterSave, restoredFrom, type StoredDraft, type StoredPlace } from './stored-draft.ts'

type Options<S extends Saved, C, E> = {
  store: OpenDrafts<S, C, E>
  form: StoredForm<StoredDraft<C, E>>
  load: (id: number, version: string | undefined) => Promise<Loaded<S>>
  /** The stored result of the save with that id, as its response would have been; null if nothing was stored. */
  settle: (saved: S, operationId: string) => Promise<Loaded<S> | null>
  /** A placeholder for a document that no longer exists on the server. */
  standIn: (id: number, base: C, place: StoredPlace | undefined) => S
  /** The name of a stored draft that cannot be read. */
  nameIn: (stored: unknown) => string
}

/**
 * Restores an unsaved draft of an earlier visit or a closed page and marks it as restored. Of several drafts of a
 * document the newest is applied last. A deleted document is shown as well.
 */
export async function restoreDraft<S extends Saved, C, E>(
  options: Options<S, C, E>,
  key: string,
  stored: unknown,
  isRequested: () => boolean,
): Promise<Restored> {
  const { store, form, load, standIn, nameIn } = options
  const place = readDraftKey(key)
  const draftRead = readable(form, stored)
  // Another version of the application may be able to read it.
  if (!place || !draftRead) return { unreadable: nameIn(stored) }
  const { id, version } = place
  if (!isRequested()) return 'later'
  try {
    const current = await load(id, version).catch(nullIfGone)
    if (!isRequested()) return 'later'
    const { base, etag: before, place: where } = draftRead
    const { saved, etag } = current ?? { saved: standIn(id, base, where), etag: before }
    const afterSave = current && (await onOwnSave(options, key, draftRead, current))
    // The user closed or changed the document during the read.
    if (!isRequested()) return 'later'
    const draft = afterSave ?? restoredFrom(store.drafts, draftRead, saved, etag)
    const open = store.get(draftKey(id, version))
    // The outcome of a save is pending; this draft must be applied on top of its result.
    if (open && (open.state === 'unknown' || busy(open))) return 'conflicted'
    // The user has already edited the document; those edits are applied last.
    const all = open && open.draft.changes > 0 ? store.drafts.withOther(draft, open.draft) : draft
    // The drafts conflict: once the open draft is saved, the stored draft is restored like a stale save.
    if (!all) return 'conflicted'
    // A deleted document without changes has nothing to show.
    if (!current && all.changes === 0) return 'shown'
    showTab({ kind: store.kind, id, name: store.title(saved) })
    const changedAt = open?.changedAt ?? draftRead.at
    const secretsOmitted = (draftRead.secretsOmitted ?? false) || (open?.secretsOmitted ?? false)
    const restored = { kind: 'restored', draft: all, changedAt, restored: true, secretsOmitted } as const
    if (all.changes > 0) store.dispatch(draftKey(id, version), restored)
    if (!current) store.dispatch(draftKey(id, version), { kind: 'deleted' })
    return 'shown'
  } catch {
    return 'later'
  }
}

function nullIfGone(failure: unknown): null {
  if (isGone(failure)) return null
  throw failure
}

/**
 * Puts the draft on top of the state that its own unanswered save stored, so that later changes by other users are
 * neither undone nor treated as conflicts. Null if there was no such save or it was not stored.
 */
async function onOwnSave<S extends Saved, C, E>(
  { store, load, settle }: Options<S, C, E>,
  key: string,
  stored: StoredDraft<C, E>,
  current: Loaded<S>,
): Promise<Draft<S, C, E> | null> {
  const save = stored.outcomeUnknown
  const answer = save ? await settle(current.saved, save.operationId) : null
  if (!save || !answer) return null
  // The state read before the save was looked up may be older than the save's result.
  const newest = answer.etag === current.etag ? current : await load(current.saved.id, readDraftKey(key)?.version)
  return restoredAfterSave(store.drafts, stored, save, answer, newest)
}

/** Opens the tab in the background. */
function showTab(document: { kind: DocumentKind; id: number; name: string }): void {
  const { tabs, active } = workbench.getState()
  if (tabs.some(tab => tab.tabId === tabIdOf(document))) return
  workbench.getState().open(document)
  if (active) workbench.getState().activate(active)
}

const namedSchema = z.object({ base: z.object({ name: z.string() }) })

export function nameInBase(stored: unknown): string {
  const named = namedSchema.safeParse(stored)
  return named.success ? named.data.base.name : messages.anEntity
}
