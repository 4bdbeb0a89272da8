import { newUid } from '@cadmus/model/uid'
import { listOf, shaped, text } from './check.ts'
import { inStore } from './indexed-db.ts'
import { storage } from './storage.ts'

// IndexedDB is asynchronous, and a closing page does not wait: unconfirmed drafts are written to local storage, which
// is synchronous, and the next page that restores drafts moves them to the database.

/** Target key in the database; a null draft is to be removed. */
export type PendingDraft = { key: readonly string[]; title: string; draft: unknown; at: string }

const isPlaced = shaped({ key: listOf(text), at: text })
const isDated = shaped({ at: text })
const isTitled = shaped({ title: text })

/**
 * On leaving the page, stores the drafts returned by `left`. If the page is not left after all, it stores them itself.
 */
export function storeOnLeaving(pending: () => readonly PendingDraft[]): void {
  const own = `unkept.${newUid()}` as const
  addEventListener('pagehide', () => {
    const drafts = pending()
    if (drafts.length > 0) storage.writeJson(own, drafts)
  })
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) storage.remove(own)
  })
}

/** Moves the drafts to the database. Unreadable drafts and failed writes remain in local storage. */
export async function storePendingDrafts(): Promise<void> {
  for (const at of storage.keys('unkept.')) {
    const drafts = storage.readJson(at)
    if (!Array.isArray(drafts)) continue
    for (const draft of drafts)
      if (isPlaced(draft)) await inStore('drafts', 'readwrite', objects => put(objects, draft))
    storage.remove(at)
  }
}

/** Skips drafts with a newer version in the database. */
function put(objects: IDBObjectStore, pending: Pick<PendingDraft, 'key' | 'at'>): IDBRequest<unknown> {
  const { key, at } = pending
  const place = [...key]
  const request: IDBRequest<unknown> = objects.get(place)
  request.addEventListener('success', () => {
    const draft: unknown = Reflect.get(pending, 'draft')
    if (isDated(request.result) && request.result.at > at) return
    if (draft === null) objects.delete(place)
    else objects.put({ document: key[2], title: isTitled(pending) ? pending.title : '', draft, at }, place)
  })
  return request
}
