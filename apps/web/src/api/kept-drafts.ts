import { newUid } from '@cadmus/model/uid'
import { shaped, text } from './check.ts'
import { inStore } from './indexed-db.ts'
import { alone, openPages, pageId } from './page-id.ts'
import { organisationElsewhere } from './elsewhere.ts'
import { sessionStore } from './session-store.ts'
import { keepOnLeaving, storeUnkept } from './unkept-drafts.ts'

// Unsaved changes in the browser's database, by user, organisation, document and page: nobody reads those of somebody else, and
// no page writes over those of another one.

/** `at` and `title` came later: what is older has none. */
function readKept(value: unknown): { document: string; title: string; draft: unknown; at: string } | null {
  if (!isKept(value)) return null
  const { document } = value
  const title = isTitled(value) ? value.title : ''
  return { document, title, draft: Reflect.get(value, 'draft'), at: isDated(value) ? value.at : '' }
}
const isKept = shaped({ document: text })
const isDated = shaped({ at: text })
const isTitled = shaped({ title: text })
/** `forget` is for when it is shown again, and kept anew with what shows it; `release` for when it is not, and any page may show it. */
export type Kept = {
  document: string
  title: string
  draft: unknown
  forget: () => Promise<void>
  release: () => Promise<void>
}

/** What an administrator leaves unsaved in an organisation comes back in the administration, and not in that one's workspace. */
const administration = 'administration/'

/** The last part is the page that holds it; before there were several it was not there. */
type Key = [user: string, organisation: string, document: string, holder: string]

type Waiting = { owner: Owner; document: string; title: string; draft: unknown; at: string }
type Owner = [user: string, organisation: string]
const waiting = new Map<string, Waiting>()
/** What is being written, and what the database did not take. */
const unwritten = new Map<string, Waiting>()
let writing: Promise<void> | null = null
let failed = false
let watching = false

/** Those of which the browser keeps something less than the page has. */
const partly = new Set<string>()
/** Of which documents this page has a draft, and of which the browser keeps none any longer: it was given up by a logout elsewhere. */
const held = new Set<string>()
const forgotten = new Set<string>()

/**
 * Keeps a document's draft, or forgets it (null). Written at once; of several changes in a row the last one is. `whole`: nothing of
 * it was left out, as secrets are. `at`: when it was changed, ISO 8601. `title`: what the document is called.
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

/** From the first draft on: what the database has not when the page is left is kept all the same. */
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

/** When a logout on another page gave up what this page has unsaved: it is here still, and kept no longer. */
export function onForgotten(tell: () => void): void {
  tellForgotten = tell
}

function pages(): BroadcastChannel | null {
  if ('BroadcastChannel' in globalThis) line ??= new BroadcastChannel('cadmus-drafts')
  return line
}
let line: BroadcastChannel | null = null

/** Whether something is never kept whole, as a secret that was typed. */
export function isPartlyKept(): boolean {
  return failed || partly.size > 0 || forgotten.size > 0
}

/** Whether something is not kept (yet): leaving the page would lose it. */
export function isUnkept(): boolean {
  return waiting.size > 0 || writing !== null || isPartlyKept()
}

/**
 * What the signed-in user left unsaved in the organisation worked in, of the documents that are wanted, the newest first: on this page
 * before it was loaded again, and on pages that are no longer open. It is this page's from then on; the rest is anybody's.
 */
export async function keptDrafts(isWanted: (document: string) => boolean): Promise<Kept[]> {
  const owner = ownerNow()
  if (!owner) return []
  try {
    // Two pages that open at the same moment must not both take the same.
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
      // From before this page was loaded: while it shows something else, another page may show it.
      if (holding === page && !held.has(document)) await release(owner, document, key)
      continue
    }
    // Under a name of its own until it is shown: of one document there may be several.
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

/** It is no page's any longer. */
async function release(owner: Owner, document: string, key: IDBValidKey): Promise<void> {
  await inStore('drafts', 'readwrite', objects => moved(objects, key, [...owner, document, ` ${newUid()}`]))
}

/** In one step: of two pages that want it one has it. What cannot be read stays where it is. */
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

/** The page whose draft it is; '' where it is no page's, as from before pages were told apart. */
function holderOf(key: IDBValidKey): string {
  const holder = Array.isArray(key) ? key[3] : undefined
  return typeof holder === 'string' ? (holder.split(' ')[0] ?? '') : ''
}

export type KeptTitle = { organisation: string; document: string; title: string }

/** What the user left unsaved in all organisations, on all pages; what cannot be read is in it too. */
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

/** The user gave up what is unsaved, in all organisations: nothing of it stays on this machine. */
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
    // One after the other, or an older state could come last.
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

/** Also before an organisation was chosen. */
function userNow(): string | undefined {
  return sessionStore.getState().user?.userId
}

/** Every key that begins so: a list is higher than any text. */
function below(start: readonly string[]): IDBKeyRange {
  return IDBKeyRange.bound([...start], [...start, []])
}
