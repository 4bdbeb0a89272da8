import { readStored } from '@cadmus/model/stored/stored-form'
import { yieldToEventLoop } from '../event-loop.ts'
import type { Db } from './database.ts'
import { restorationForm, type Restoration } from './audit.ts'
import { idBatch, rowsInBatches } from './statements.ts'
import type { Tables } from './tables.ts'

type AuditRow = Tables['audit_entry']

type Author = Pick<AuditRow, 'at' | 'user_name'>

/** Returns the next entries of an entity, newest first, starting below the sequence number `before`. */
export async function newestAudit(
  db: Db,
  organisationId: number,
  targetId: number,
  { limit, before }: { limit: number; before: number | undefined },
): Promise<(Author & Pick<AuditRow, 'user_id' | 'sequence' | 'original_hash' | 'updated_hash'>)[]> {
  const matching = ofTarget(db, organisationId, targetId)
    .select(['at', 'user_id', 'user_name', 'sequence', 'original_hash', 'updated_hash'])
    .orderBy('sequence', 'desc')
    .limit(limit)
  return (before === undefined ? matching : matching.where('sequence', '<', before)).execute()
}

/** Returns the entry that introduced the current name of a manifest or entity; undefined if the log has none. */
export async function namingEntry(
  db: Db,
  organisationId: number,
  { id, name }: { id: number; name: string },
): Promise<Author | undefined> {
  const other = await ofTarget(db, organisationId, id)
    .select(max => max.fn.max<number | null>('sequence').as('sequence'))
    .where('name', '<>', name)
    .executeTakeFirst()
  return ofTarget(db, organisationId, id)
    .select(['at', 'user_name'])
    .where('sequence', '>', other?.sequence ?? 0)
    .orderBy('sequence')
    .limit(1)
    .executeTakeFirst()
}

/** Whether the log contains an entity or manifest under this name. */
export async function wasNamed(
  db: Db,
  organisationId: number,
  { id, name }: { id: number; name: string },
): Promise<boolean> {
  const entry = ofTarget(db, organisationId, id).select('sequence').where('name', '=', name).limit(1)
  return (await entry.executeTakeFirst()) !== undefined
}

export type LoggedEntry = Pick<
  AuditRow,
  | 'kind'
  | 'target_id'
  | 'action_type'
  | 'content_kind'
  | 'sequence'
  | 'change_id'
  | 'name'
  | 'path'
  | 'original_hash'
  | 'updated_hash'
> & { restoration: Restoration }

const loggedColumns = [
  'kind',
  'target_id',
  'action_type',
  'content_kind',
  'sequence',
  'change_id',
  'name',
  'path',
  'original_hash',
  'updated_hash',
  'restoration',
] as const

/** Returns an entry of the audit with its restoration data; undefined for entries of running imports. */
export async function loggedEntry(
  db: Db,
  organisationId: number,
  { kind, id }: { kind: AuditRow['kind']; id: number },
): Promise<LoggedEntry | undefined> {
  const row = await logged(db, organisationId).where('kind', '=', kind).where('id', '=', id).executeTakeFirst()
  return row && withRestoration(row)
}

/** Returns the last deletions of these entities. */
export async function deletionsOf(db: Db, organisationId: number, ids: readonly number[]): Promise<LoggedEntry[]> {
  const rows = await rowsInBatches(ids, idBatch, part =>
    logged(db, organisationId)
      .where('kind', '=', 'ENTITY')
      .where('action_type', '=', 'DELETE')
      .where('target_id', 'in', part)
      .orderBy('sequence')
      .execute(),
  )
  return [...new Map(rows.map(row => [row.target_id, withRestoration(row)])).values()]
}

/** Returns the contents with which a change created these entities, by id. */
export async function creationsIn(
  db: Db,
  organisationId: number,
  changeId: number,
  ids: readonly number[],
): Promise<Map<number, string | null>> {
  const rows = await rowsInBatches(ids, idBatch, part =>
    logged(db, organisationId)
      .where('kind', '=', 'ENTITY')
      .where('action_type', '=', 'CREATE')
      .where('change_id', '=', changeId)
      .where('target_id', 'in', part)
      .execute(),
  )
  return new Map(rows.map(row => [row.target_id, row.updated_hash]))
}

/** Returns the creations of manifests by a change, in their order. */
export async function manifestsCreatedIn(db: Db, organisationId: number, changeId: number): Promise<LoggedEntry[]> {
  const rows = await logged(db, organisationId)
    .where('kind', '=', 'MANIFEST')
    .where('action_type', '=', 'CREATE')
    .where('change_id', '=', changeId)
    .orderBy('sequence')
    .execute()
  return rows.map(withRestoration)
}

/** Whether the log has later entries of a manifest by other changes than the one of the entry. */
export async function isChangedSince(
  db: Db,
  organisationId: number,
  { target_id: id, sequence, change_id: changeId }: LoggedEntry,
): Promise<boolean> {
  const later = ofTarget(db, organisationId, id)
    .select('id')
    .where('kind', '=', 'MANIFEST')
    .where('sequence', '>', sequence)
    .where('change_id', '!=', changeId)
    .limit(1)
  return (await later.executeTakeFirst()) !== undefined
}

/** Returns other entries of a change near this one, which are numbered together. */
export async function entriesOfChange(
  db: Db,
  organisationId: number,
  { sequence, change_id: changeId }: Pick<LoggedEntry, 'sequence' | 'change_id'>,
  reach: number,
): Promise<LoggedEntry[]> {
  const rows = await logged(db, organisationId)
    .where('sequence', '>=', sequence - reach)
    .where('sequence', '<=', sequence + reach)
    .where('sequence', '!=', sequence)
    .where('change_id', '=', changeId)
    .orderBy('sequence')
    .execute()
  return rows.map(withRestoration)
}

function logged(db: Db, organisationId: number) {
  return db
    .selectFrom('audit_entry')
    .select(loggedColumns)
    .where('organisation_id', '=', organisationId)
    .where('import_id', '=', 0)
}

function withRestoration<R extends { restoration: string | null }>(row: R) {
  return { ...row, restoration: readStored(restorationForm, JSON.parse(row.restoration ?? '{}')) }
}

/** Returns the first entry of an operation; undefined if it stored nothing. */
export async function entryOfOperation(
  db: Db,
  organisationId: number,
  operationId: string,
): Promise<Pick<AuditRow, 'user_id' | 'save_mark'> | undefined> {
  return db
    .selectFrom('audit_entry')
    .select(['user_id', 'save_mark'])
    .where('organisation_id', '=', organisationId)
    .where('save_id', '=', operationId)
    .orderBy('sequence')
    .limit(1)
    .executeTakeFirst()
}

/** Returns the first object of the kind created by this save. */
export async function createdBySave(
  db: Db,
  organisationId: number,
  kind: 'ENTITY' | 'MANIFEST',
  operationId: string,
): Promise<Pick<AuditRow, 'target_id' | 'name' | 'user_id' | 'save_mark'> | undefined> {
  return db
    .selectFrom('audit_entry')
    .select(['target_id', 'name', 'user_id', 'save_mark'])
    .where('organisation_id', '=', organisationId)
    .where('save_id', '=', operationId)
    .where('kind', '=', kind)
    .where('action_type', '=', 'CREATE')
    .orderBy('sequence')
    .limit(1)
    .executeTakeFirst()
}

/** Entries per query when the number needed is unknown. */
const pageLength = 25

/**
 * Yields the entries of one content kind, newest first, with the previous values of changed rows. Reads page by page,
 * because there may be many.
 */
export async function* restorationsOf(
  db: Db,
  organisationId: number,
  targetId: number,
  kind: AuditRow['content_kind'],
): AsyncGenerator<Author & Pick<AuditRow, 'user_id' | 'name' | 'sequence'> & { restoration: Restoration }, void> {
  let last: number | undefined
  for (;;) {
    const matching = ofTarget(db, organisationId, targetId)
      .select(['at', 'user_id', 'user_name', 'name', 'sequence', 'restoration'])
      .where('content_kind', '=', kind)
      .orderBy('sequence', 'desc')
      .limit(pageLength)
    const rows = await (last === undefined ? matching : matching.where('sequence', '<', last)).execute()
    for (const { restoration, ...entry } of rows)
      yield { ...entry, restoration: readStored(restorationForm, JSON.parse(restoration ?? '{}')) }
    if (rows.length < pageLength) return
    last = rows.at(-1)?.sequence
    await yieldToEventLoop()
  }
}

function ofTarget(db: Db, organisationId: number, targetId: number) {
  return db
    .selectFrom('audit_entry')
    .where('organisation_id', '=', organisationId)
    .where('target_id', '=', targetId)
    .where('import_id', '=', 0)
}
