import * as z from 'zod'
import { type Cause, type Edit, editFormat, loggedEdits } from '@cadmus/model/edits/edit-forms'
import { foldName } from '@cadmus/model/paths'
import { numbered, ofRecord, type StoredForm } from '@cadmus/model/stored/stored-form'
import { idBatch, inBatches, rowsInBatches, storable } from './statements.ts'
import { isOperationUsed } from './saves.ts'
import { adjustAuditCounters } from './counters.ts'
import type { Db } from './database.ts'
import { frozenViewSchema } from './frozen-view-forms.ts'
import { idsOfImport } from './ids.ts'
import type { Tables } from './tables.ts'

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
> & { restoration: Restoration; edits?: readonly Edit[]; cause?: Cause | undefined; follows?: boolean }

/** The change that entries belong to. With `importId`, they are hidden until the import is published. */
export type AuditContext = {
  organisationId: number
  actor: Actor
  changeId: number
  /** The operation id under which the caller can query the save later. */
  operationId?: string | undefined
  /** Keyed digests of the request, the current key's first. */
  requestDigests?: readonly string[] | undefined
  importId?: number
  nextId: () => number
}

const rowsPerStatement = 100

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
type SharedFields = Omit<Row, keyof AuditChange | keyof Position | 'edit_format' | 'follows'>

function rowOf(
  { restoration, edits: list, cause, follows = false, ...entry }: AuditChange,
  shared: SharedFields,
  position: Position,
): Row {
  const edits = loggedEdits(list)
  return {
    ...entry,
    ...shared,
    ...position,
    name: storable(entry.name),
    path: storable(entry.path),
    description: storable(entry.description),
    restoration: writeRestoration(restoration),
    cause: cause ? JSON.stringify(cause) : null,
    follows: follows ? 1 : 0,
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
  const published = await idsOfImport(tx, 'audit_entry', organisationId, importId)
  const rows = await rowsInBatches(published, idBatch, ids =>
    tx
      .updateTable('audit_entry')
      .set(set => ({ import_id: 0, sequence: set('sequence', '+', start - first) }))
      .where('organisation_id', '=', organisationId)
      .where('id', 'in', ids)
      .returning('kind')
      .execute(),
  )
  const kinds = rows.map(row => row.kind)
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

const entityRow = z.object({
  path: z.string(),
  content_hash: z.string(),
  latest_version: z.string(),
  manifest_id: z.number(),
  corpus_path: z.string().nullable(),
  hidden: z.number(),
  created_at: z.string(),
})

const manifestRow = z.object({
  path: z.string(),
  content_hash: z.string(),
  /** The stored configuration with encrypted secrets; never sent to callers. */
  configuration_hash: z.string().nullable(),
  latest_version: z.string(),
  corpus_path: z.string().nullable(),
  hidden: z.number(),
  created_at: z.string(),
})

const versionRow = z.object({
  version: z.string(),
  content_hash: z.string(),
  created_at: z.string(),
  created_by: z.string(),
})

const memberKey = z.object({ manifest_id: z.number(), entity_id: z.number() })
const memberRow = memberKey.extend({ entity_organisation_id: z.number(), type: z.string(), position: z.number() })
const subManifestKey = z.object({ manifest_id: z.number(), sub_manifest_id: z.number() })
const subManifestRow = subManifestKey.extend({ sub_organisation_id: z.number(), position: z.number() })

const membershipRow = z.object({ user_id: z.string(), subscription: z.number() })

/**
 * The row changes that restore the state before a change: columns to reset, rows to insert, rows to delete. Contents
 * are referenced by hash. Omits unchanged data, and data derived from a content (names, references) or from a
 * manifest's path.
 */
const restorationSchema = z.object({
  /** null = the entity did not exist. */
  entity: entityRow.partial().nullable().optional(),
  manifest: manifestRow.partial().nullable().optional(),
  /** Placeholders of the secrets that were newly entered with this change. */
  typedSecrets: z.array(z.string()).optional(),
  /** Versions of the entry's entity or manifest. */
  versions: z.object({ put: z.array(versionRow), drop: z.array(z.string()) }).optional(),
  /** The organisation's own scopes of an entity; null = none. */
  ownScopes: z.string().nullable().optional(),
  members: z.object({ put: z.array(memberRow), drop: z.array(memberKey) }).optional(),
  subManifests: z.object({ put: z.array(subManifestRow), drop: z.array(subManifestKey) }).optional(),
  /** The shared diagram views of a deleted manifest, oldest first. */
  views: z.array(frozenViewSchema).optional(),
  /** On the first entry of a restoration: what it answered, for a repeated request. */
  report: z.object({ others: z.array(z.string()), missing: z.array(z.string()) }).optional(),
  /** null = the organisation did not exist. */
  organisation: z.object({ name: z.string(), licence_limits: z.string() }).nullable().optional(),
  /** The organisation's memberships, by user. */
  memberships: z.object({ put: z.array(membershipRow), drop: z.array(z.string()) }).optional(),
})
export type Restoration = z.infer<typeof restorationSchema>

export const restorationForm: StoredForm<Restoration> = {
  name: 'restoration',
  format: 2,
  schema: restorationSchema,
  unnumbered: 1,
  // Format 1 had neither views nor reports, which are optional.
  upgrades: { 1: ofRecord(stored => stored) },
}

/** Serialises only the declared properties, so whole rows may be passed. */
function writeRestoration(restoration: Restoration): string {
  return JSON.stringify(numbered(restorationForm, restorationSchema.parse(restoration)))
}
