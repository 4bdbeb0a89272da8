import { newUid } from '@cadmus/model/uid'

// Open pages detect each other by messages where locks are unavailable, as on plain http.

const question = 'who'
const here = 'here '
/** Maximum response time of an open page in milliseconds, including background pages. */
const timeout = 400

let line: BroadcastChannel | null = null

/** Responds to calls for the page's id while it is open. */
function answerCalls(id: string): void {
  const called = open()
  called?.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (data === question) called.postMessage(here + id)
  })
}

/** Returns which of the pages are open; resolves early once all have responded. */
async function callPages(pages: readonly string[]): Promise<ReadonlySet<string>> {
  const called = open()
  if (!called || pages.length === 0) return new Set()
  const missing = new Set(pages)
  await new Promise<void>(resolve => {
    const leave = () => {
      clearTimeout(timer)
      called.removeEventListener('message', receive)
      resolve()
    }
    const receive = ({ data }: MessageEvent<unknown>) => {
      if (typeof data === 'string' && data.startsWith(here)) missing.delete(data.slice(here.length))
      if (missing.size === 0) leave()
    }
    const timer = setTimeout(leave, timeout)
    called.addEventListener('message', receive)
    called.postMessage(question)
  })
  return new Set(pages.filter(id => !missing.has(id)))
}

function open(): BroadcastChannel | null {
  if ('BroadcastChannel' in window) line ??= new BroadcastChannel('cadmus-pages')
  return line
}

// Identifies the browser's open pages. An open page holds a lock, which closed pages do not. Without the Web Locks API,
// as on plain http, pages send messages to each other.

const prefix = 'cadmus-page '
const stored = 'cadmus.page'

let own: Promise<string> | null = null

/** The page's id: stable across reloads and unique among open pages. */
export async function pageId(): Promise<string> {
  own ??= claim()
  return own
}

/** The given pages that are currently open. */
export async function openPages(among: readonly string[]): Promise<ReadonlySet<string>> {
  const manager = locks()
  if (!manager) return callPages(among)
  const { held = [] } = await manager.query()
  return new Set(held.flatMap(({ name = '' }) => (name.startsWith(prefix) ? [name.slice(prefix.length)] : [])))
}

/** Runs the work exclusively among all pages, by name; without locks immediately. */
export async function alone<T>(name: string, work: () => Promise<T>): Promise<T> {
  const manager = locks()
  return manager ? manager.request(`cadmus-${name}`, work) : work()
}

async function claim(): Promise<string> {
  const before = remembered()
  // A duplicated page has the session storage of the original, which is still open.
  const id = before !== null && (await hold(before)) ? before : newUid()
  if (id !== before && locks()) await hold(id)
  if (!locks()) answerCalls(id)
  try {
    sessionStorage.setItem(stored, id)
  } catch {
    // Without session storage, the next load gets another id.
  }
  return id
}

function remembered(): string | null {
  try {
    return sessionStorage.getItem(stored)
  } catch {
    return null
  }
}

/** Reserves the id while the page is open; false if another page has it. */
async function hold(id: string): Promise<boolean> {
  const manager = locks()
  if (!manager) return !(await callPages([id])).has(id)
  return new Promise(resolve => {
    const held = manager.request(prefix + id, { ifAvailable: true }, lock => {
      resolve(lock !== null)
      // Never released: the browser does that when the page closes.
      return lock === null ? undefined : new Promise(() => undefined)
    })
    held.catch(() => resolve(true))
  })
}

function locks(): LockManager | undefined {
  return 'locks' in navigator ? navigator.locks : undefined
}
