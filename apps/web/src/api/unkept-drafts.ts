import { newUid } from '@cadmus/model/uid'
import { listOf, shaped, text } from './check.ts'
import { inStore } from './indexed-db.ts'
import { storage } from './storage.ts'

// The browser's database answers later, and a page that is left waits for nothing: what it has not been told of by then goes to
// the local storage, which takes it at once, and from there to the database by the next page that looks for drafts.

/** Where it belongs in the database; a draft of null is one that is to be forgotten. */
export type Unkept = { key: readonly string[]; title: string; draft: unknown; at: string }

const isPlaced = shaped({ key: listOf(text), at: text })
const isDated = shaped({ at: text })
const isTitled = shaped({ title: text })

/** When the page goes: `left` says what is not in the database yet. A page that comes back keeps it itself. */
export function keepOnLeaving(left: () => readonly Unkept[]): void {
  const own = `unkept.${newUid()}` as const
  addEventListener('pagehide', () => {
    const drafts = left()
    if (drafts.length > 0) storage.writeJson(own, drafts)
  })
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) storage.remove(own)
  })
}

/** Brings it to the database. What cannot be read or written stays where it is. */
export async function storeUnkept(): Promise<void> {
  for (const at of storage.keys('unkept.')) {
    const drafts = storage.readJson(at)
    if (!Array.isArray(drafts)) continue
    for (const draft of drafts)
      if (isPlaced(draft)) await inStore('drafts', 'readwrite', objects => put(objects, draft))
    storage.remove(at)
  }
}

/** Unless something newer is there. */
function put(objects: IDBObjectStore, unkept: Pick<Unkept, 'key' | 'at'>): IDBRequest<unknown> {
  const { key, at } = unkept
  const place = [...key]
  const request: IDBRequest<unknown> = objects.get(place)
  request.addEventListener('success', () => {
    const draft: unknown = Reflect.get(unkept, 'draft')
    if (isDated(request.result) && request.result.at > at) return
    if (draft === null) objects.delete(place)
    else objects.put({ document: key[2], title: isTitled(unkept) ? unkept.title : '', draft, at }, place)
  })
  return request
}
