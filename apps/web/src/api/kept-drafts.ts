import * as z from 'zod'
import { inStore } from './indexed-db.ts'
import { sessionStore } from './session-store.ts'

// Unsaved changes in the browser's database, by user, organisation and document: nobody reads those of somebody else.

const keptSchema = z.object({ document: z.string(), draft: z.unknown() })
export type Kept = { document: string; draft: unknown }

type Key = [user: string, organisation: string, document: string]

const waiting = new Map<string, { key: Key; draft: unknown }>()
let writing: Promise<void> | null = null
let failed = false

/** Keeps a document's draft, or forgets it (null). Written at once; of several changes in a row the last one is. */
export function keepDraft(document: string, draft: unknown): void {
  const owner = ownerNow()
  if (!owner) return
  const key: Key = [...owner, document]
  waiting.set(JSON.stringify(key), { key, draft })
  writing ??= writeAll().finally(() => {
    writing = null
  })
}

/** Whether something is not kept (yet): leaving the page would lose it. */
export function isUnkept(): boolean {
  return waiting.size > 0 || writing !== null || failed
}

/** What the signed-in user left unsaved in the organisation worked in. */
export async function keptDrafts(): Promise<Kept[]> {
  const owner = ownerNow()
  if (!owner) return []
  try {
    const found = await inStore<unknown[]>('drafts', 'readonly', objects => objects.getAll(below(owner)))
    return found.flatMap(item => {
      const parsed = keptSchema.safeParse(item)
      return parsed.success ? [{ document: parsed.data.document, draft: parsed.data.draft }] : []
    })
  } catch {
    return []
  }
}

/** How many drafts the user left in all organisations. */
export async function countKeptDrafts(): Promise<number> {
  const user = ownerNow()?.[0]
  if (user === undefined) return 0
  return inStore('drafts', 'readonly', objects => objects.count(below([user]))).catch(() => 0)
}

/** The user gave up what is unsaved, in all organisations: nothing of it stays on this machine. */
export async function forgetAllDrafts(): Promise<void> {
  const user = ownerNow()?.[0]
  waiting.clear()
  await writing
  if (user !== undefined)
    await inStore('drafts', 'readwrite', objects => objects.delete(below([user]))).catch(() => undefined)
}

async function writeAll(): Promise<void> {
  for (let next = waiting.entries().next(); !next.done; next = waiting.entries().next()) {
    const [id, { key, draft }] = next.value
    waiting.delete(id)
    // One after the other, or an older state could come last.
    failed = await write(key, draft).then(
      () => false,
      () => true,
    )
  }
}

async function write(key: Key, draft: unknown): Promise<void> {
  if (draft === null) await inStore('drafts', 'readwrite', objects => objects.delete(key))
  else await inStore('drafts', 'readwrite', objects => objects.put({ document: key[2], draft }, key))
}

function ownerNow(): [user: string, organisation: string] | null {
  const { user, organisation } = sessionStore.getState()
  return user && organisation ? [user.userId, organisation.oc] : null
}

/** Every key that begins so: a list is higher than any text. */
function below(start: readonly string[]): IDBKeyRange {
  return IDBKeyRange.bound([...start], [...start, []])
}
