import { newUid } from '@cadmus/model/uid'
import { answerCalls, callPages } from './page-calls.ts'

// Which of the browser's open pages this is. A lock that a page holds as long as it is open tells it from
// those that were closed. Where there are no locks, as on a plain http address, the pages ask each other.

const prefix = 'cadmus-page '
const stored = 'cadmus.page'

let own: Promise<string> | null = null

/** The page's own id: it outlives a reload, and no two open pages have the same. */
export async function pageId(): Promise<string> {
  own ??= claim()
  return own
}

/** Those of the pages that are open now. */
export async function openPages(among: readonly string[]): Promise<ReadonlySet<string>> {
  const manager = locks()
  if (!manager) return callPages(among)
  const { held = [] } = await manager.query()
  return new Set(held.flatMap(({ name = '' }) => (name.startsWith(prefix) ? [name.slice(prefix.length)] : [])))
}

/** Runs it while no other page runs what has the same name; without locks at once. */
export async function alone<T>(name: string, work: () => Promise<T>): Promise<T> {
  const manager = locks()
  return manager ? manager.request(`cadmus-${name}`, work) : work()
}

async function claim(): Promise<string> {
  const before = remembered()
  // A page that was duplicated has the other one's memory, and that one is still open.
  const id = before !== null && (await hold(before)) ? before : newUid()
  if (id !== before && locks()) await hold(id)
  if (!locks()) answerCalls(id)
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
  if (!manager) return !(await callPages([id])).has(id)
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
