import { messages } from '@cadmus/model/messages'
import { ApiError, notFound } from '../errors/api-error.ts'
import { createdBySave, entryOfOperation } from '../store/audit-of-target.ts'
import { lockAudit } from '../store/audit.ts'
import type { Db } from '../store/database.ts'
import { isOperationUsed, cancelOperation } from '../store/saves.ts'
import { transact, type Change } from './change.ts'

/** The id of the item that the first request of a creation created. */
export async function createdBefore(db: Db, change: Change, kind: 'ENTITY' | 'MANIFEST'): Promise<number | undefined> {
  const { organisationId, operationId } = change
  if (operationId === undefined) return undefined
  return (await ownOrNew(db, change, () => createdBySave(db, organisationId, kind, operationId)))?.target_id
}

/**
 * First step of a save with an id: whether a repeated request has been stored. 409 if the id was reported as unused,
 * belongs to another user, or was used by a different request.
 */
export async function storedOperation(db: Db, change: Change): Promise<boolean> {
  const { organisationId, operationId } = change
  if (operationId === undefined) return false
  return (await ownOrNew(db, change, () => entryOfOperation(db, organisationId, operationId))) !== undefined
}

/**
 * Whether the operation stored anything; if not, it never will. 404 for an operation of another user. Waits for an operation that runs on this server. An
 * operation that runs on another server or has not arrived yet is cancelled when it writes to the log.
 */
export async function settledOperation(change: Change, operationId: string): Promise<boolean> {
  const { store, organisationId, actor } = change
  const isStoredIn = async (db: Db) => {
    const entry = await entryOfOperation(db, organisationId, operationId)
    if (entry && entry.user_id !== actor.userId) throw notFound('The operation')
    return entry !== undefined
  }
  await store.saves.waitForEnd(organisationId, operationId)
  if (await isStoredIn(store.of(organisationId))) return true
  return transact(change, 0, async tx => {
    await lockAudit(tx, organisationId)
    const isStored = await isStoredIn(tx)
    if (!isStored) await cancelOperation(tx, organisationId, operationId, store.clock)
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
  if (entry?.user_id !== actor.userId) throw new ApiError(409, 'operation_cancelled', messages.operationCancelled)
  if (entry.save_mark === null || requestDigests.includes(entry.save_mark)) return entry
  const { target_id: id, name } = entry
  const made = id === undefined || name === undefined ? {} : { made: { id, name } }
  throw new ApiError(409, 'operation_reused', messages.operationReused, made)
}
