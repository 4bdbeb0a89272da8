import { numbered, readable, type StoredForm } from '@cadmus/model/stored/stored-form'
import { newUid } from '@cadmus/model/uid'
import { checked, listOf, shaped, text } from './check.ts'
import { inStore } from './indexed-db.ts'
import { alone, openPages, pageId } from './page-id.ts'
import { currentScope, type Scope, scopeIn, scopeText } from './scope.ts'
import { sessionStore } from './session-store.ts'
import { storage } from './storage.ts'
import { storedDraftForm } from './stored-draft-form.ts'

// IndexedDB is asynchronous, and a closing page does not wait: unconfirmed drafts are written to local storage, which
// is synchronous, and the next page that restores drafts moves them to the database.

/** Target key in the database; a null draft is to be removed. */
type PendingDraft = { key: readonly string[]; title: string; draft: unknown; at: string }

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
function storeOnLeaving(pending: () => readonly PendingDraft[]): void {
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
async function storePendingDrafts(): Promise<void> {
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

// Unsaved changes in IndexedDB, by user, organisation, document and page: users cannot read each other's drafts, and
// pages cannot overwrite drafts of other pages.

const isTitled = shaped({ title: text })

/**
 * `forget` removes the stored draft once it is shown and stored again with its document; `release` makes it available
 * to any page if it is not shown.
 */
export type AvailableDraft = {
  document: string
  title: string
  draft: unknown
  forget: () => Promise<void>
  release: () => Promise<void>
}

/** The last part is the holding page; missing in drafts of earlier releases. */
type Key = [user: string, scope: string, document: string, holder: string]

type Waiting = { owner: Owner; document: string; title: string; draft: unknown; at: string }
type Owner = [user: string, scope: string]
const waiting = new Map<string, Waiting>()
/** Drafts being written, and drafts whose write failed. */
const unwritten = new Map<string, Waiting>()
let writing: Promise<void> | null = null
let failed = false
let watching = false

/** Drafts stored without some of their content. */
const incomplete = new Set<string>()
/** Documents with a draft of this page, and those whose stored draft was deleted by a logout elsewhere. */
const held = new Set<string>()
const forgotten = new Set<string>()

/**
 * Stores a document's draft, or removes it (null). Starts immediately; of several changes the last is stored. `whole`:
 * nothing was omitted, such as secrets. `at`: time of the change, ISO 8601. `title`: title of the document. `scope`: of the document.
 */
export function storeDraft(
  document: string,
  draft: unknown,
  {
    isComplete = true,
    at = new Date().toISOString(),
    title = '',
    scope = currentScope(),
  }: { isComplete?: boolean; at?: string; title?: string; scope?: Scope } = {},
): void {
  const owner = ownerIn(scope)
  const name = JSON.stringify([scopeText(scope), document])
  forgotten.delete(name)
  if (draft === null) held.delete(name)
  else held.add(name)
  if (isComplete) incomplete.delete(name)
  else incomplete.add(name)
  if (!owner) return
  watchLeaving()
  waiting.set(JSON.stringify([...owner, document]), { owner, document, title, draft, at })
  writing ??= writeAll().finally(() => {
    writing = null
  })
}

/** Registered with the first draft: when the page is left, saves drafts that the database does not have yet. */
function watchLeaving(): void {
  if (watching) return
  watching = true
  let page = ''
  void pageId().then(id => {
    page = id
  })
  storeOnLeaving(() => {
    const unconfirmed = new Map([...unwritten, ...waiting])
    return [...unconfirmed.values()].map(({ owner, document, title, draft, at }) => ({
      key: [...owner, document, page],
      title,
      draft,
      at,
    }))
  })
  pages()?.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (!isForgetting(data) || data.forgotten !== userNow() || held.size === 0) return
    for (const document of held) forgotten.add(document)
    notifyDeleted()
  })
}

const isForgetting = shaped({ forgotten: text })
let notifyDeleted = (): void => undefined

/** Notifies when a logout on another page deleted the stored drafts of this page, which still shows them. */
export function onDraftsDeleted(notify: () => void): void {
  notifyDeleted = notify
}

function pages(): BroadcastChannel | null {
  if ('BroadcastChannel' in globalThis) line ??= new BroadcastChannel('cadmus-drafts')
  return line
}
let line: BroadcastChannel | null = null

/** Whether some content is never stored, such as an entered secret. */
export function hasPartlyStoredDrafts(): boolean {
  return failed || incomplete.size > 0 || forgotten.size > 0
}

/** Whether leaving the page would lose changes that are not stored (yet). */
export function hasUnstoredDrafts(): boolean {
  return waiting.size > 0 || writing !== null || hasPartlyStoredDrafts()
}

/**
 * Takes the user's drafts in the current organisation, filtered and newest first: drafts of this page before a reload
 * and of closed pages. They then belong to this page; the remaining drafts are available to other pages.
 */
export async function storedDrafts(isRequested: (document: string) => boolean): Promise<AvailableDraft[]> {
  const owner = ownerIn(currentScope())
  if (!owner) return []
  try {
    // Two pages opening at the same time must not take the same drafts.
    const ownDrafts = await alone('drafts', () => takeDrafts(owner, isRequested))
    return ownDrafts.toSorted((a, b) => (a.at < b.at ? 1 : -1))
  } catch {
    return []
  }
}

async function takeDrafts(
  owner: Owner,
  isRequested: (document: string) => boolean,
): Promise<(AvailableDraft & { at: string })[]> {
  const page = await pageId()
  await writing
  await storePendingDrafts()
  const keys = await inStore('drafts', 'readonly', objects => objects.getAllKeys(below(owner)))
  const open = await openPages(keys.map(holderOf).filter(holder => holder !== '' && holder !== page))
  const ownDrafts: (AvailableDraft & { at: string })[] = []
  for (const key of keys) {
    const [, , document] = Array.isArray(key) ? key.map(String) : []
    const holding = holderOf(key)
    if (document === undefined || (holding !== page && open.has(holding))) continue
    if (!isRequested(document)) {
      // A draft from before a reload: while this page does not show it, another page may.
      if (holding === page && !held.has(JSON.stringify([owner[1], document]))) await release(owner, document, key)
      continue
    }
    // Under a separate key until it is shown, because a document may have several drafts.
    const mine: Key = [...owner, document, `${page} ${newUid()}`]
    const stored = readable(storedDraftForm, await inStore('drafts', 'readwrite', objects => moved(objects, key, mine)))
    if (!stored) continue
    const forget = async () => {
      await writing
      await inStore('drafts', 'readwrite', objects => objects.delete(mine))
    }
    ownDrafts.push({
      document,
      title: stored.title,
      draft: stored.draft,
      at: stored.at,
      forget,
      release: () => release(owner, document, mine),
    })
  }
  return ownDrafts
}

/** Makes the draft available to any page. */
async function release(owner: Owner, document: string, key: IDBValidKey): Promise<void> {
  await inStore('drafts', 'readwrite', objects => moved(objects, key, [...owner, document, ` ${newUid()}`]))
}

/** Atomic: of two pages only one gets the draft. Unreadable drafts are not removed. */
function moved(objects: IDBObjectStore, from: IDBValidKey, to: Key): IDBRequest<unknown> {
  const request: IDBRequest<unknown> = objects.get(from)
  request.addEventListener('success', () => {
    const stored = readable(storedDraftForm, request.result)
    if (!stored) return
    objects.put(numbered(storedDraftForm, stored), to)
    objects.delete(from)
  })
  return request
}

/** The page that holds the draft; '' if none, as in drafts of earlier releases. */
function holderOf(key: IDBValidKey): string {
  const holder = Array.isArray(key) ? key[3] : undefined
  return typeof holder === 'string' ? (holder.split(' ')[0] ?? '') : ''
}

export type StoredTitle = { organisation: string; document: string; title: string }

/** The user's drafts in all organisations and on all pages, including unreadable ones. */
export async function storedTitles(): Promise<StoredTitle[]> {
  const user = userNow()
  if (user === undefined) return []
  const all = below([user])
  const [keys, values] = await Promise.all([
    inStore('drafts', 'readonly', objects => objects.getAllKeys(all)),
    inStore<unknown[]>('drafts', 'readonly', objects => objects.getAll(all)),
  ]).catch(() => [[], []])
  return keys.map((key, at) => {
    const [, organisation = '', document = ''] = Array.isArray(key) ? key.map(String) : []
    const value = values[at]
    return {
      organisation: scopeIn(organisation).organisation,
      document,
      title: isTitled(value) && value.title !== '' ? value.title : document,
    }
  })
}

let stopStoring = (): void => undefined

/** Notifies before all drafts are deleted, so that nothing is stored again. */
export function onDraftsForgotten(stop: () => void): void {
  stopStoring = stop
}

/** Deletes all drafts of the user, in all organisations. */
export async function forgetAllDrafts(): Promise<void> {
  const user = userNow()
  stopStoring()
  for (const documents of [waiting, incomplete, held, forgotten]) documents.clear()
  await writing
  unwritten.clear()
  await storePendingDrafts().catch(() => undefined)
  if (user !== undefined)
    await inStore('drafts', 'readwrite', objects => objects.delete(below([user]))).catch(() => undefined)
  pages()?.postMessage({ forgotten: user })
}

async function writeAll(): Promise<void> {
  for (let next = waiting.entries().next(); !next.done; next = waiting.entries().next()) {
    const [id, change] = next.value
    const { owner, document, title, draft, at } = change
    waiting.delete(id)
    unwritten.set(id, change)
    // Sequentially, so that an older state cannot be written last.
    failed = await write([...owner, document, await pageId()], { title, draft, at }).then(
      () => false,
      () => true,
    )
    if (!failed) unwritten.delete(id)
  }
}

async function write(key: Key, { title, draft, at }: Pick<Waiting, 'title' | 'draft' | 'at'>): Promise<void> {
  if (draft === null) await inStore('drafts', 'readwrite', objects => objects.delete(key))
  else
    await inStore('drafts', 'readwrite', objects =>
      objects.put(numbered(storedDraftForm, { document: key[2], title, draft, at }), key),
    )
}

function ownerIn(scope: Scope): Owner | null {
  const { user } = sessionStore.getState()
  return user && scope.organisation !== '' ? [user.userId, scopeText(scope)] : null
}

/** The user is known even before an organisation is chosen. */
function userNow(): string | undefined {
  return sessionStore.getState().user?.userId
}

/** The range of all keys with that prefix: arrays sort after strings. */
function below(start: readonly string[]): IDBKeyRange {
  return IDBKeyRange.bound([...start], [...start, []])
}
