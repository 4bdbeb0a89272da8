import { type Cause, type Edit, editFormat, loggedEdits } from '@cadmus/model/edits/edit-forms'
import { foldName } from '@cadmus/model/paths'
import { inBatches } from './batches.ts'
import type { Db } from './database.ts'
import { idsOfImport } from './import-rows.ts'
import { type Restoration, writeRestoration } from './restoration.ts'
import { isOperationUsed } from './cancelled-saves.ts'
import { storable } from './storable.ts'
import type { Tables } from './tables.ts'
import { adjustAuditCounters } from './counters.ts'

/** The author of a change, stored as at the time of the change, independent of the account. */
export type Actor = { userId: string; userName: string; userEmail: string }

type Row = Tables['audit_entry']

/** A change reported by a command; author, time and order are added when it is written. */
export type AuditChange = Pick<
  Row,
  | 'kind'
  | 'target_id'
  | 'action_type'
  | 'name'
  | 'path'
  | 'description'
  | 'original_hash'
  | 'updated_hash'
  | 'version'
  | 'content_kind'
> & { restoration: Restoration; edits?: readonly Edit[] }

/** The change that entries belong to. With `importId`, they are hidden until the import is published. */
export type AuditContext = {
  organisationId: number
  actor: Actor
  changeId: number
  /** The operation id under which the caller can query the save later. */
  operationId?: string | undefined
  /** Keyed digests of the request, the current key's first. */
  requestDigests?: readonly string[] | undefined
  cause?: Cause | undefined
  importId?: number
  nextId: () => number
}

const rowsPerStatement = 100
const idBatch = 500

/**
 * Writes the entries as the last statement of the change's transaction. The organisation's counter is locked until the
 * commit, so the sequence follows the commit order. Entries are immutable.
 */
export async function appendAudit(db: Db, context: AuditContext, entries: readonly AuditChange[]): Promise<void> {
  if (entries.length === 0) return
  const { organisationId, actor, changeId, operationId = null, importId = 0 } = context
  const at = new Date().toISOString()
  const first = await reserveSequence(db, organisationId, entries.length)
  if (operationId !== null && (await isOperationUsed(db, organisationId, operationId))) throw new SaveCancelled()
  const shared = {
    organisation_id: organisationId,
    at,
    user_id: actor.userId,
    user_name: actor.userName,
    user_name_folded: foldName(actor.userName),
    user_email: actor.userEmail,
    import_id: importId,
    change_id: changeId,
    save_id: operationId,
    save_mark: operationId === null ? null : (context.requestDigests?.[0] ?? null),
    cause: context.cause ? JSON.stringify(context.cause) : null,
  }
  const rows = entries.map((entry, index) => rowOf(entry, shared, { id: context.nextId(), sequence: first + index }))
  for (const part of inBatches(rows, rowsPerStatement)) await db.insertInto('audit_entry').values(part).execute()
  if (importId > 0) return
  await adjustAuditCounters(
    db,
    organisationId,
    rows.map(row => row.kind),
  )
}

type Position = Pick<Row, 'id' | 'sequence'>
type SharedFields = Omit<Row, keyof AuditChange | keyof Position | 'edit_format'>

function rowOf({ restoration, edits: list, ...entry }: AuditChange, shared: SharedFields, position: Position): Row {
  const edits = loggedEdits(list)
  return {
    ...entry,
    ...shared,
    ...position,
    name: storable(entry.name),
    path: storable(entry.path),
    description: storable(entry.description),
    restoration: writeRestoration(restoration),
    edits,
    edit_format: edits === null ? null : editFormat,
  }
}

/** The save was already stored or cancelled; the transaction must roll back. */
export class SaveCancelled extends Error {}

/** Locks the log until the end of the transaction, so that its state of a save is final. */
export async function lockAudit(tx: Db, organisationId: number): Promise<void> {
  await reserveSequence(tx, organisationId, 0)
}

/**
 * Assigns the final sequence numbers to an import's entries when they become visible. Must be the last statement of its
 * last transaction.
 */
export async function publishAudit(tx: Db, organisationId: number, importId: number): Promise<void> {
  const { first, last } = await tx
    .selectFrom('audit_entry')
    .select(query => [
      query.fn.min<number | null>('sequence').as('first'),
      query.fn.max<number | null>('sequence').as('last'),
    ])
    .where('organisation_id', '=', organisationId)
    .where('import_id', '=', importId)
    .executeTakeFirstOrThrow()
  if (first === null || last === null) return
  const start = await reserveSequence(tx, organisationId, last - first + 1)
  const kinds: Row['kind'][] = []
  for (const ids of inBatches(await idsOfImport(tx, 'audit_entry', organisationId, importId), idBatch)) {
    const rows = await tx
      .updateTable('audit_entry')
      .set(set => ({ import_id: 0, sequence: set('sequence', '+', start - first) }))
      .where('organisation_id', '=', organisationId)
      .where('id', 'in', ids)
      .returning('kind')
      .execute()
    kinds.push(...rows.map(row => row.kind))
  }
  await adjustAuditCounters(tx, organisationId, kinds)
}

/** Reserves consecutive numbers and returns the first. */
async function reserveSequence(db: Db, organisationId: number, count: number): Promise<number> {
  const { last } = await db
    .insertInto('audit_sequence')
    .values({ organisation_id: organisationId, last: count })
    .onConflict(conflict =>
      conflict.column('organisation_id').doUpdateSet(set => ({ last: set('audit_sequence.last', '+', count) })),
    )
    .returning('last')
    .executeTakeFirstOrThrow()
  return last - count + 1
}
