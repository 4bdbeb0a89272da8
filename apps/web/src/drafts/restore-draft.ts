import { messages } from '@cadmus/model/messages'
import * as z from 'zod'
import { ApiError } from '../api/error.ts'
import { notify } from '../ui/notices.ts'
import { workbench } from '../workbench/desk.ts'
import { tabIdOf } from '../workbench/documents.ts'
import { draftKey, readDraftKey } from './draft-key.ts'
import { settledDraft, type DraftStore, type Saved } from './draft-store.ts'
import { restoredFrom, type KeptDraft } from './kept-draft.ts'

type Given<S extends Saved, C, E> = {
  store: DraftStore<S, C, E>
  kept: z.ZodType<KeptDraft<C, E>>
  load: (id: number, version: string | undefined) => Promise<{ saved: S; etag: string }>
  /** What a kept draft is called that cannot be read, or whose document is gone. */
  nameIn: (stored: unknown) => string
}

/**
 * Brings an unsaved draft of an earlier visit, or of a page that was closed, back: in its tab and marked as such. Of several of one
 * document the newest comes first, and the others go below it. False: it cannot be shown now, and stays where it is kept.
 */
export async function restoreDraft<S extends Saved, C, E>(
  { store, kept: schema, load, nameIn }: Given<S, C, E>,
  key: string,
  stored: unknown,
): Promise<boolean> {
  const place = readDraftKey(key)
  const kept = schema.safeParse(stored)
  if (!place || !kept.success) {
    // Nothing that a person did goes without a word: a later Cadmus, or an earlier one, may read it.
    notify('error', messages.draftUnreadable(nameIn(stored)))
    return false
  }
  const { id, version } = place
  try {
    const { saved, etag } = await load(id, version)
    const draft = restoredFrom(store.drafts, kept.data, saved, etag)
    const open = store.get(draftKey(id, version))
    // Somebody was faster than this: what was done meanwhile comes on top.
    const all = open && open.draft.changes > 0 ? store.drafts.replay(draft, open.draft.done) : draft
    showTab({ kind: store.kind, id, name: store.title(saved) })
    const changedAt = open?.changedAt ?? kept.data.at
    const withheld = (kept.data.withheld ?? false) || (open?.withheld ?? false)
    if (all.changes > 0)
      store.put(draftKey(id, version), { ...settledDraft, draft: all, changedAt, restored: true, withheld })
    return true
  } catch (failure) {
    if (!(failure instanceof ApiError) || failure.status !== 404) return false
    notify('error', messages.draftWithoutEntity(nameIn(stored)))
    return true
  }
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
