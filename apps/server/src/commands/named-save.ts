import { messages } from '@cadmus/model/messages'
import { ApiError } from '../errors/api-error.ts'
import { entryOfSave, createdBySave } from '../store/audit-of-target.ts'
import { lockAudit } from '../store/audit.ts'
import type { Db, Tx } from '../store/database.ts'
import { isOperationUsed, cancelOperation } from '../store/cancelled-saves.ts'
import { transact, type Change } from './change.ts'

type EntryOfSave = Awaited<ReturnType<typeof entryOfSave>>

/**
 * What the save of that id stored of an entity or manifest; undefined: nothing, and it never will. One that this server is at is
 * waited for; one that is on its way, or at another server, finds itself spent when it comes to the log.
 */
export async function outcomeOfSave(change: Change, targetId: number, operationId: string): Promise<EntryOfSave> {
  const { store, organisationId } = change
  await store.saves.waitForEnd(organisationId, operationId)
  const found = await entryOfSave(store.of(organisationId), organisationId, targetId, operationId)
  if (found) return found
  return transact(change, 0, async tx => {
    await lockAudit(tx, organisationId)
    const entry = await entryOfSave(tx, organisationId, targetId, operationId)
    if (entry === undefined) await cancelOperation(store, tx, organisationId, operationId)
    return entry
  })
}

/**
 * The first thing that a save with an id does: what it stored already, where the same was sent twice; undefined where it is the first.
 * 409 where its caller was told that it stored nothing, where the id is somebody else's, and where something else was sent under it.
 */
export async function storedBefore(tx: Tx, change: Change, targetId: number): Promise<EntryOfSave> {
  const { organisationId, operationId } = change
  if (operationId === undefined) return undefined
  return ownOrNew(tx, change, await entryOfSave(tx, organisationId, targetId, operationId))
}

/** The same of what makes an entity or manifest: the id of the one that it made already. */
export async function madeBefore(db: Db, change: Change, kind: 'ENTITY' | 'MANIFEST'): Promise<number | undefined> {
  const { organisationId, operationId } = change
  if (operationId === undefined) return undefined
  return (await ownOrNew(db, change, await createdBySave(db, organisationId, kind, operationId)))?.target_id
}

type Found = { user_id: string; save_mark: string | null; target_id?: number; name?: string }

async function ownOrNew<T extends Found>(db: Db, change: Change, entry: T | undefined): Promise<T | undefined> {
  const { organisationId, operationId = '', requestDigests = [], actor } = change
  if (entry?.user_id === actor.userId) {
    if (entry.save_mark === null || requestDigests.includes(entry.save_mark)) return entry
    const { target_id: id, name } = entry
    const made = id === undefined || name === undefined ? {} : { made: { id, name } }
    throw new ApiError(409, 'save_other', messages.saveOther, made)
  }
  if (await isOperationUsed(db, organisationId, operationId)) throw new ApiError(409, 'save_spent', messages.saveSpent)
  return undefined
}
