import { newUid } from '@cadmus/model/uid'

// Which of the browser's open pages this is. A lock that a page holds as long as it is open tells it from those that were closed.

const prefix = 'cadmus-page '
const stored = 'cadmus.page'

let own: Promise<string> | null = null

/** The page's own id: it outlives a reload, and no two open pages have the same. */
export async function pageId(): Promise<string> {
  own ??= claim()
  return own
}

/** The ids of all pages that are open now. Without locks, as on a plain http address, nobody knows: then none is. */
export async function openPages(): Promise<ReadonlySet<string>> {
  const { held = [] } = (await locks()?.query()) ?? {}
  return new Set(held.flatMap(({ name = '' }) => (name.startsWith(prefix) ? [name.slice(prefix.length)] : [])))
}

/** Runs it while no other page runs what has the same name. */
export async function alone<T>(name: string, work: () => Promise<T>): Promise<T> {
  const manager = locks()
  return manager ? manager.request(`cadmus-${name}`, work) : work()
}

async function claim(): Promise<string> {
  const before = remembered()
  // A page that was duplicated has the other one's memory, and that one is still open.
  const id = before !== null && (await hold(before)) ? before : newUid()
  if (id !== before) await hold(id)
  try {
    sessionStorage.setItem(stored, id)
  } catch {
    // The next load is another page then.
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

/** Takes the id for as long as the page is open; false where another page has it. */
async function hold(id: string): Promise<boolean> {
  const manager = locks()
  if (!manager) return true
  return new Promise(resolve => {
    const held = manager.request(prefix + id, { ifAvailable: true }, lock => {
      resolve(lock !== null)
      // Never given back: the browser does that when the page is gone.
      return lock === null ? undefined : new Promise(() => undefined)
    })
    held.catch(() => resolve(true))
  })
}

function locks(): LockManager | undefined {
  return 'locks' in navigator ? navigator.locks : undefined
}
