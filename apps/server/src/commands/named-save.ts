import { messages } from '@cadmus/model/messages'
import { ApiError } from '../errors/api-error.ts'
import { entryOfOperation, entryOfSave, createdBySave } from '../store/audit-of-target.ts'
import { lockAudit } from '../store/audit.ts'
import type { Db, Tx } from '../store/database.ts'
import { isOperationUsed, cancelOperation } from '../store/saves.ts'
import { transact, type Change } from './change.ts'

type EntryOfSave = Awaited<ReturnType<typeof entryOfSave>>

/**
 * The result that the save with this id stored for an entity or manifest; undefined: it stored nothing and never will.
 * Waits for a save that runs on this server. A save on another server, or not yet received, is cancelled when it writes
 * to the log.
 */
export async function outcomeOfSave(change: Change, targetId: number, operationId: string): Promise<EntryOfSave> {
  const { store, organisationId } = change
  await store.saves.waitForEnd(organisationId, operationId)
  const storedEntry = await entryOfSave(store.of(organisationId), organisationId, targetId, operationId)
  if (storedEntry) return storedEntry
  return transact(change, 0, async tx => {
    await lockAudit(tx, organisationId)
    const entry = await entryOfSave(tx, organisationId, targetId, operationId)
    if (entry === undefined) await cancelOperation(store, tx, organisationId, operationId)
    return entry
  })
}

/**
 * First step of a save with an id: returns the stored result of a repeated request; undefined for a new one. 409 if the id was reported as
 * unused, belongs to another user, or was used by a different request.
 */
export async function storedBefore(tx: Tx, change: Change, targetId: number): Promise<EntryOfSave> {
  const { organisationId, operationId } = change
  if (operationId === undefined) return undefined
  return ownOrNew(tx, change, () => entryOfSave(tx, organisationId, targetId, operationId))
}

/** The id of the item that the first request of a creation created. */
export async function createdBefore(db: Db, change: Change, kind: 'ENTITY' | 'MANIFEST'): Promise<number | undefined> {
  const { organisationId, operationId } = change
  if (operationId === undefined) return undefined
  return (await ownOrNew(db, change, () => createdBySave(db, organisationId, kind, operationId)))?.target_id
}

/** Whether the operation of a change has been stored. 409 as for `storedBefore`. */
export async function storedOperation(db: Db, change: Change): Promise<boolean> {
  const { organisationId, operationId } = change
  if (operationId === undefined) return false
  return (await ownOrNew(db, change, () => entryOfOperation(db, organisationId, operationId))) !== undefined
}

/** Whether the operation stored anything; as `outcomeOfSave`, for any number of documents. */
export async function settledOperation(change: Change, operationId: string): Promise<boolean> {
  const { store, organisationId } = change
  await store.saves.waitForEnd(organisationId, operationId)
  if (await entryOfOperation(store.of(organisationId), organisationId, operationId)) return true
  return transact(change, 0, async tx => {
    await lockAudit(tx, organisationId)
    const isStored = (await entryOfOperation(tx, organisationId, operationId)) !== undefined
    if (!isStored) await cancelOperation(store, tx, organisationId, operationId)
    return isStored
  })
}

type StoredOperation = { user_id: string; save_mark: string | null; target_id?: number; name?: string }

async function ownOrNew<T extends StoredOperation>(
  db: Db,
  change: Change,
  read: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const { organisationId, operationId = '', requestDigests = [], actor } = change
  // Precedes the entry, which a concurrent request with the same id may store between the two queries.
  if (!(await isOperationUsed(db, organisationId, operationId))) return undefined
  const entry = await read()
  if (entry?.user_id !== actor.userId) throw new ApiError(409, 'save_spent', messages.saveSpent)
  if (entry.save_mark === null || requestDigests.includes(entry.save_mark)) return entry
  const { target_id: id, name } = entry
  const made = id === undefined || name === undefined ? {} : { made: { id, name } }
  throw new ApiError(409, 'save_other', messages.saveOther, made)
}
