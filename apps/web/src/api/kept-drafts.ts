import { newUid } from '@cadmus/model/uid'
import { shaped, text } from './check.ts'
import { inStore } from './indexed-db.ts'
import { alone, openPages, pageId } from './page-id.ts'
import { organisationElsewhere } from './elsewhere.ts'
import { sessionStore } from './session-store.ts'
import { keepOnLeaving, storeUnkept } from './unkept-drafts.ts'

// Unsaved changes in IndexedDB, by user, organisation, document and page: users cannot read each other's drafts, and
// pages cannot overwrite those of other pages.

/** `at` and `title` are missing in drafts of earlier releases. */
function readKept(value: unknown): { document: string; title: string; draft: unknown; at: string } | null {
  if (!isKept(value)) return null
  const { document } = value
  const title = isTitled(value) ? value.title : ''
  return { document, title, draft: Reflect.get(value, 'draft'), at: isDated(value) ? value.at : '' }
}
const isKept = shaped({ document: text })
const isDated = shaped({ at: text })
const isTitled = shaped({ title: text })
/**
 * `forget` removes the stored draft once it is shown and stored again with its document; `release` makes it available
 * to any page if it is not shown.
 */
export type Kept = {
  document: string
  title: string
  draft: unknown
  forget: () => Promise<void>
  release: () => Promise<void>
}

/** Prefix of drafts that an administrator leaves in an organisation; they are restored in the administration only. */
const administration = 'administration/'

/** The last part is the holding page; missing in drafts of earlier releases. */
type Key = [user: string, organisation: string, document: string, holder: string]

type Waiting = { owner: Owner; document: string; title: string; draft: unknown; at: string }
type Owner = [user: string, organisation: string]
const waiting = new Map<string, Waiting>()
/** Drafts being written, and those that could not be written. */
const unwritten = new Map<string, Waiting>()
let writing: Promise<void> | null = null
let failed = false
let watching = false

/** Drafts that are stored without some of their content. */
const partly = new Set<string>()
/** Documents with a draft of this page, and those whose stored draft was deleted by a logout elsewhere. */
const held = new Set<string>()
const forgotten = new Set<string>()

/**
 * Stores a document's draft, or removes it (null). Starts immediately; of several changes the last one is stored.
 * `whole`: nothing was omitted, such as secrets. `at`: time of the change, ISO 8601. `title`: title of the document.
 */
export function keepDraft(
  document: string,
  draft: unknown,
  { whole = true, at = new Date().toISOString(), title = '' }: { whole?: boolean; at?: string; title?: string } = {},
): void {
  const owner = ownerNow()
  forgotten.delete(document)
  if (draft === null) held.delete(document)
  else held.add(document)
  if (whole) partly.delete(document)
  else partly.add(document)
  if (!owner) return
  watchLeaving()
  waiting.set(JSON.stringify([...owner, document]), { owner, document, title, draft, at })
  writing ??= writeAll().finally(() => {
    writing = null
  })
}

/** Registered with the first draft: saves what the database does not have yet when the page is left. */
function watchLeaving(): void {
  if (watching) return
  watching = true
  let page = ''
  void pageId().then(id => {
    page = id
  })
  keepOnLeaving(() => {
    const left = new Map([...unwritten, ...waiting])
    return [...left.values()].map(({ owner, document, title, draft, at }) => ({
      key: [...owner, document, page],
      title,
      draft,
      at,
    }))
  })
  pages()?.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (!isForgetting(data) || data.forgotten !== userNow() || held.size === 0) return
    for (const document of held) forgotten.add(document)
    tellForgotten()
  })
}

const isForgetting = shaped({ forgotten: text })
let tellForgotten = (): void => undefined

/** Notifies when a logout on another page deleted the stored drafts of this page, which still shows them. */
export function onForgotten(tell: () => void): void {
  tellForgotten = tell
}

function pages(): BroadcastChannel | null {
  if ('BroadcastChannel' in globalThis) line ??= new BroadcastChannel('cadmus-drafts')
  return line
}
let line: BroadcastChannel | null = null

/** Whether some content is never stored, such as an entered secret. */
export function isPartlyKept(): boolean {
  return failed || partly.size > 0 || forgotten.size > 0
}

/** Whether leaving the page would lose changes that are not stored (yet). */
export function isUnkept(): boolean {
  return waiting.size > 0 || writing !== null || isPartlyKept()
}

/**
 * Takes the user's drafts in the current organisation, filtered and newest first: those of this page before a reload
 * and those of closed pages. They then belong to this page; others stay available.
 */
export async function keptDrafts(isWanted: (document: string) => boolean): Promise<Kept[]> {
  const owner = ownerNow()
  if (!owner) return []
  try {
    // Two pages opening at the same time must not take the same drafts.
    const taken = await alone('drafts', () => takeDrafts(owner, isWanted))
    return taken.toSorted((a, b) => (a.at < b.at ? 1 : -1))
  } catch {
    return []
  }
}

async function takeDrafts(owner: Owner, isWanted: (document: string) => boolean): Promise<(Kept & { at: string })[]> {
  const page = await pageId()
  await writing
  await storeUnkept()
  const keys = await inStore('drafts', 'readonly', objects => objects.getAllKeys(below(owner)))
  const open = await openPages(keys.map(holderOf).filter(holder => holder !== '' && holder !== page))
  const taken: (Kept & { at: string })[] = []
  for (const key of keys) {
    const [, , document] = Array.isArray(key) ? key.map(String) : []
    const holding = holderOf(key)
    if (document === undefined || (holding !== page && open.has(holding))) continue
    if (!isWanted(document)) {
      // From before a reload: while this page shows something else, another page may show it.
      if (holding === page && !held.has(document)) await release(owner, document, key)
      continue
    }
    // Under a separate key until it is shown, because a document may have several drafts.
    const mine: Key = [...owner, document, `${page} ${newUid()}`]
    const kept = readKept(await inStore('drafts', 'readwrite', objects => moved(objects, key, mine)))
    if (!kept) continue
    const forget = async () => {
      await writing
      await inStore('drafts', 'readwrite', objects => objects.delete(mine))
    }
    taken.push({
      document,
      title: kept.title,
      draft: kept.draft,
      at: kept.at,
      forget,
      release: () => release(owner, document, mine),
    })
  }
  return taken
}

/** Makes the draft available to any page. */
async function release(owner: Owner, document: string, key: IDBValidKey): Promise<void> {
  await inStore('drafts', 'readwrite', objects => moved(objects, key, [...owner, document, ` ${newUid()}`]))
}

/** Atomic: of two pages only one gets the draft. Unreadable drafts stay in place. */
function moved(objects: IDBObjectStore, from: IDBValidKey, to: Key): IDBRequest<unknown> {
  const request: IDBRequest<unknown> = objects.get(from)
  request.addEventListener('success', () => {
    const kept = readKept(request.result)
    if (!kept) return
    objects.put(kept, to)
    objects.delete(from)
  })
  return request
}

/** The page that holds the draft; '' if none, as in drafts of earlier releases. */
function holderOf(key: IDBValidKey): string {
  const holder = Array.isArray(key) ? key[3] : undefined
  return typeof holder === 'string' ? (holder.split(' ')[0] ?? '') : ''
}

export type KeptTitle = { organisation: string; document: string; title: string }

/** The user's drafts in all organisations and on all pages, including unreadable ones. */
export async function keptTitles(): Promise<KeptTitle[]> {
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
      organisation: organisation.replace(administration, ''),
      document,
      title: isTitled(value) && value.title !== '' ? value.title : document,
    }
  })
}

/** Deletes all drafts of the user, in all organisations. */
export async function forgetAllDrafts(): Promise<void> {
  const user = userNow()
  for (const documents of [waiting, partly, held, forgotten]) documents.clear()
  await writing
  unwritten.clear()
  await storeUnkept().catch(() => undefined)
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
  else await inStore('drafts', 'readwrite', objects => objects.put({ document: key[2], title, draft, at }, key))
}

function ownerNow(): Owner | null {
  const { user, organisation } = sessionStore.getState()
  const elsewhere = organisationElsewhere()
  if (user && elsewhere !== null) return [user.userId, `${administration}${elsewhere}`]
  return user && organisation ? [user.userId, organisation.oc] : null
}

/** Also before an organisation is chosen. */
function userNow(): string | undefined {
  return sessionStore.getState().user?.userId
}

/** The range of all keys with that prefix: arrays sort after strings. */
function below(start: readonly string[]): IDBKeyRange {
  return IDBKeyRange.bound([...start], [...start, []])
}
