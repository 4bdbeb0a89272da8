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
  /** What the save of that id stored, as its answer would have been; null: nothing. */
  savedBy: (saved: S, saveId: string) => Promise<Loaded<S> | null>
  /** What stands for the document where the server has it no longer. */
  standIn: (id: number, base: C, place: KeptPlace | undefined) => S
  /** What a kept draft is called that cannot be read. */
  nameIn: (stored: unknown) => string
}

/**
 * Brings an unsaved draft of an earlier visit, or of a page that was closed, back: in its tab and marked as such. Of several of one
 * document the newest comes first, and the others go below it. Where somebody deleted the document meanwhile, it is shown all the same.
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
  // A later Cadmus, or an earlier one, may read it.
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
    // The person went on while it was read.
    if (!isWanted()) return 'later'
    const draft = afterSave ?? restoredFrom(store.drafts, kept.data, saved, etag)
    const open = store.get(draftKey(id, version))
    // What becomes of a save is not known yet: what it stores belongs below.
    if (open?.saving || open?.unanswered) return 'contested'
    // Somebody was faster than this: what was done meanwhile comes on top.
    const all = open && open.draft.changes > 0 ? store.drafts.withOther(draft, open.draft) : draft
    // Both changed the same: once what is here is saved, the other tells as a stale save does.
    if (!all) return 'contested'
    // Of what was deleted nothing is left to show.
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
 * The draft above what its own save stored, where the page was left before that was answered: what others did to it since is not done
 * again, nor taken for a contradiction. Null: there was no such save, or it stored nothing.
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
  // What was read before the question may be older than the answer.
  const newest = answer.etag === found.etag ? found : await load(found.saved.id, readDraftKey(key)?.version)
  return restoredAfterSave(store.drafts, kept, lost, answer, newest)
}

/** In the background: what is shown stays. */
function showTab(document: { kind: DraftStore<Saved, never, never>['kind']; id: number; name: string }): void {
  const { tabs, active } = workbench.getState()
  if (tabs.some(tab => tab.tabId === tabIdOf(document))) return
  workbench.getState().open(document)
  if (active) workbench.getState().activate(active)
}

const namedSchema = z.object({ base: z.object({ name: z.string() }) })

/** The name that the kept content itself has. */
export function nameInBase(stored: unknown): string {
  const named = namedSchema.safeParse(stored)
  return named.success ? named.data.base.name : messages.anEntity
}
