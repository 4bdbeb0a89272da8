import { newUid } from '@cadmus/model/uid'
import { numbered, readable, type StoredForm } from '@cadmus/model/stored/stored-form'
import { checked, listOf, shaped, text } from './check.ts'
import { inStore } from './indexed-db.ts'
import { storage } from './storage.ts'
import { storedDraftForm } from './stored-draft-form.ts'

// IndexedDB is asynchronous, and a closing page does not wait: unconfirmed drafts are written to local storage, which
// is synchronous, and the next page that restores drafts moves them to the database.

/** Target key in the database; a null draft is to be removed. */
export type PendingDraft = { key: readonly string[]; title: string; draft: unknown; at: string }

const isDated = shaped({ at: text })

/** The drafts of one page that was left. */
export const pendingDraftsForm: StoredForm<{ drafts: Omit<PendingDraft, 'draft'>[] }> = {
  name: 'pending drafts',
  format: 2,
  schema: checked(shaped({ drafts: listOf(shaped({ key: listOf(text), title: text, at: text })) })),
  // Format 1 was the list alone, of releases that stored no titles at first.
  unnumbered: 1,
  upgrades: {
    1: stored =>
      Array.isArray(stored) ? { drafts: stored.filter(isPlaced).map(draft => ({ title: '', ...draft })) } : stored,
  },
}
const isPlaced = shaped({ key: listOf(text), at: text })

/**
 * On leaving the page, stores the drafts returned by `left`. If the page is not left after all, it stores them itself.
 */
export function storeOnLeaving(pending: () => readonly PendingDraft[]): void {
  const own = `unkept.${newUid()}` as const
  addEventListener('pagehide', () => {
    const drafts = pending()
    if (drafts.length > 0) storage.writeJson(own, numbered(pendingDraftsForm, { drafts: [...drafts] }))
  })
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) storage.remove(own)
  })
}

/** Moves the drafts to the database. Unreadable drafts and failed writes remain in local storage. */
export async function storePendingDrafts(): Promise<void> {
  for (const at of storage.keys('unkept.')) {
    const drafts = readable(pendingDraftsForm, storage.readJson(at))?.drafts
    if (!drafts) continue
    for (const draft of drafts) await inStore('drafts', 'readwrite', objects => put(objects, draft))
    storage.remove(at)
  }
}

/** Skips drafts with a newer version in the database. */
function put(objects: IDBObjectStore, pending: Omit<PendingDraft, 'draft'>): IDBRequest<unknown> {
  const { key, title, at } = pending
  const place = [...key]
  const request: IDBRequest<unknown> = objects.get(place)
  request.addEventListener('success', () => {
    const draft: unknown = Reflect.get(pending, 'draft')
    if (isDated(request.result) && request.result.at > at) return
    if (draft === null) objects.delete(place)
    else objects.put(numbered(storedDraftForm, { document: key[2] ?? '', title, draft, at }), place)
  })
  return request
}
