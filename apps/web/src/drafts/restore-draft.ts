import { messages } from '@cadmus/model/messages'
import * as z from 'zod'
import { isGone } from '../api/error.ts'
import { workbench } from '../workbench/desk.ts'
import type { Restored } from '../workbench/document-kinds.ts'
import { tabIdOf } from '../workbench/documents.ts'
import type { Draft, Loaded } from './draft.ts'
import { draftKey, readDraftKey } from './draft-key.ts'
import type { DraftStore } from './draft-store.ts'
import { settledDraft, type Saved } from './open-draft.ts'
import { restoredAfterSave, restoredFrom, type KeptDraft, type KeptPlace } from './kept-draft.ts'

type Given<S extends Saved, C, E> = {
  store: DraftStore<S, C, E>
  kept: z.ZodType<KeptDraft<C, E>>
  load: (id: number, version: string | undefined) => Promise<Loaded<S>>
  /** The stored result of the save with that id, as its response would have been; null if nothing was stored. */
  savedBy: (saved: S, saveId: string) => Promise<Loaded<S> | null>
  /** A placeholder for a document that no longer exists on the server. */
  standIn: (id: number, base: C, place: KeptPlace | undefined) => S
  /** The name of a stored draft that cannot be read. */
  nameIn: (stored: unknown) => string
}

/**
 * Restores an unsaved draft of an earlier visit or a closed page and marks it as restored. Of several drafts of a
 * document the newest goes on top. A document that was deleted in the meantime is shown as well.
 */
export async function restoreDraft<S extends Saved, C, E>(
  given: Given<S, C, E>,
  key: string,
  stored: unknown,
  isWanted: () => boolean,
): Promise<Restored> {
  const { store, kept: schema, load, standIn, nameIn } = given
  const place = readDraftKey(key)
  const kept = schema.safeParse(stored)
  // Another version of the application may be able to read it.
  if (!place || !kept.success) return { unreadable: nameIn(stored) }
  const { id, version } = place
  if (!isWanted()) return 'later'
  try {
    const found = await load(id, version).catch((failure: unknown) => {
      if (isGone(failure)) return null
      throw failure
    })
    if (!isWanted()) return 'later'
    const { base, etag: before, place: where } = kept.data
    const { saved, etag } = found ?? { saved: standIn(id, base, where), etag: before }
    const afterSave = found && (await savedMeanwhile(given, key, kept.data, found))
    // The user went on while it was being read.
    if (!isWanted()) return 'later'
    const draft = afterSave ?? restoredFrom(store.drafts, kept.data, saved, etag)
    const open = store.get(draftKey(id, version))
    // The outcome of a save is pending; its result belongs below this draft.
    if (open?.saving || open?.unanswered) return 'contested'
    // The user has edited the document in the meantime; those edits go on top.
    const all = open && open.draft.changes > 0 ? store.drafts.withOther(draft, open.draft) : draft
    // Both drafts conflict: once the open one is saved, the other is restored like a stale save.
    if (!all) return 'contested'
    // A deleted document without changes has nothing to show.
    if (!found && all.changes === 0) return 'shown'
    showTab({ kind: store.kind, id, name: store.title(saved) })
    const changedAt = open?.changedAt ?? kept.data.at
    const withheld = (kept.data.withheld ?? false) || (open?.withheld ?? false)
    if (all.changes > 0)
      store.put(draftKey(id, version), { ...settledDraft, draft: all, changedAt, restored: true, withheld })
    if (!found) void store.vanished(draftKey(id, version))
    return 'shown'
  } catch {
    return 'later'
  }
}

/**
 * Puts the draft on top of the state that its own unanswered save stored, so that later changes by others are neither
 * undone nor treated as conflicts. Null if there was no such save or it stored nothing.
 */
async function savedMeanwhile<S extends Saved, C, E>(
  { store, load, savedBy }: Given<S, C, E>,
  key: string,
  kept: KeptDraft<C, E>,
  found: Loaded<S>,
): Promise<Draft<S, C, E> | null> {
  const lost = kept.unanswered
  const answer = lost ? await savedBy(found.saved, lost.saveId) : null
  if (!lost || !answer) return null
  // The state read before the save was looked up may be older than the save's result.
  const newest = answer.etag === found.etag ? found : await load(found.saved.id, readDraftKey(key)?.version)
  return restoredAfterSave(store.drafts, kept, lost, answer, newest)
}

/** Opens the tab in the background. */
function showTab(document: { kind: DraftStore<Saved, never, never>['kind']; id: number; name: string }): void {
  const { tabs, active } = workbench.getState()
  if (tabs.some(tab => tab.tabId === tabIdOf(document))) return
  workbench.getState().open(document)
  if (active) workbench.getState().activate(active)
}

const namedSchema = z.object({ base: z.object({ name: z.string() }) })

/** The name in the stored content. */
export function nameInBase(stored: unknown): string {
  const named = namedSchema.safeParse(stored)
  return named.success ? named.data.base.name : messages.anEntity
}
