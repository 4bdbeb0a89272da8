import type { AuditEntry } from '@cadmus/model/audit-entry'
import { limits } from '@cadmus/model/limits'
import { folderOf, foldName, renamedPath } from '@cadmus/model/paths'
import { sql } from 'kysely'
import type { Actor } from './audit.ts'
import { inBatches } from './batches.ts'
import type { Db } from './database.ts'
import type { Tables } from './tables.ts'
import { tallied } from './tally.ts'
import { lightBytes } from './weight.ts'

export const auditOrders = {
  at: 'sequence',
  id: 'id',
  userName: 'user_name_folded',
  userEmail: 'user_email',
  actionType: 'action_type',
  description: 'description',
  name: 'name',
  path: 'path',
} as const satisfies Record<string, keyof AuditRow>

export type AuditQuery = AuditFilter & {
  offset: number
  limit: number
  orderBy: keyof typeof auditOrders
  direction: 'asc' | 'desc'
}

/** Which entries. */
export type AuditFilter = {
  actionType?: AuditRow['action_type']
  userId?: string
  /** The beginning of the name, whatever its case. */
  userName?: string
  userEmail?: string
  /** Of one thing. */
  target?: number
  /** Instants: from the first on, before the second. */
  from?: string
  before?: string
}

type AuditRow = Tables['audit_entry']

/** Everything but what restoring needs: that is large, and may name what is never answered. */
export const answered = [
  'id',
  'at',
  'action_type',
  'user_name',
  'user_email',
  'name',
  'path',
  'description',
  'original_hash',
  'updated_hash',
  'change_id',
  'version',
  'content_kind',
] as const satisfies readonly (keyof AuditRow)[]
type AnsweredRow = Pick<AuditRow, (typeof answered)[number]>

type AuditPage = { entries: AuditEntry[]; total: number }

/** Entries of one kind; nothing of a running import. */
export async function listAudit(
  db: Db,
  organisationId: number,
  kind: AuditRow['kind'],
  query: AuditQuery,
): Promise<AuditPage> {
  const { rows, lengths, total } = await foundAudit(db, organisationId, kind, query)
  return { entries: await viewed(db, organisationId, rows, lengths), total }
}

/** The same where it is made of little; undefined where it is not. */
export async function listLightAudit(
  db: Db,
  organisationId: number,
  kind: AuditRow['kind'],
  query: AuditQuery,
): Promise<AuditPage | undefined> {
  const { rows, lengths, total } = await foundAudit(db, organisationId, kind, query)
  const bytes = lengths.values().reduce((sum, length) => sum + length, 0)
  return bytes > lightBytes ? undefined : { entries: await viewed(db, organisationId, rows, lengths), total }
}

async function foundAudit(db: Db, organisationId: number, kind: AuditRow['kind'], query: AuditQuery) {
  const found = filtered(db, organisationId, kind, query)
  const total = await totalOf(db, organisationId, kind, query)
  const wanted = auditOrders[query.orderBy]
  // By time means in the order of commits, which is the index's own: a clock may have been set back.
  const ordered = wanted === 'sequence' ? found : found.orderBy(wanted, query.direction)
  const rows = await ordered
    .select(answered)
    .orderBy('sequence', query.direction)
    .limit(query.limit)
    .offset(query.offset)
    .execute()
  return { rows, lengths: await lengthsOf(db, organisationId, rows), total }
}

async function viewed(
  db: Db,
  organisationId: number,
  rows: readonly AnsweredRow[],
  lengths: ReadonlyMap<string, number>,
): Promise<AuditEntry[]> {
  const shown = affordable(rows, lengths)
  const bodies = await bodiesOf(
    db,
    organisationId,
    rows.filter(row => shown.has(row.id)),
  )
  return rows.map(row => viewOf(row, shown.has(row.id) ? bodies : new Map()))
}

/** Who deleted the manifest, and the name that it had. */
export async function deletionOf(
  db: Db,
  organisationId: number,
  manifestId: number,
): Promise<{ actor: Actor; name: string }> {
  const row = await db
    .selectFrom('audit_entry')
    .select(['user_id', 'user_name', 'user_email', 'name'])
    .where('organisation_id', '=', organisationId)
    .where('target_id', '=', manifestId)
    .where('kind', '=', 'MANIFEST')
    .where('action_type', '=', 'DELETE')
    .orderBy('sequence', 'desc')
    .executeTakeFirstOrThrow()
  return { actor: { userId: row.user_id, userName: row.user_name, userEmail: row.user_email }, name: row.name }
}

async function totalOf(db: Db, organisationId: number, kind: AuditRow['kind'], query: AuditQuery): Promise<number> {
  const { actionType, userId, userName, userEmail, target, from, before } = query
  if (![actionType, userId, userName, userEmail, target, from, before].some(Boolean)) {
    return tallied(db, [organisationId], { name: kind, folder: '' })
  }
  const found = filtered(db, organisationId, kind, query)
  const { total } = await found.select(count => count.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return Number(total)
}

/** Those of the filter, in no order; nothing of a running import. */
export function filtered(db: Db, organisationId: number, kind: AuditRow['kind'], query: AuditFilter) {
  const own = db.selectFrom('audit_entry').where('organisation_id', '=', organisationId).where('kind', '=', kind)
  // Of one thing the few are read from its own index, not from that of all that is visible.
  let found = query.target
    ? own.where('target_id', '=', query.target).where(is => is(is('import_id', '+', 0), '=', 0))
    : own.where('import_id', '=', 0)
  if (query.actionType) found = found.where('action_type', '=', query.actionType)
  if (query.userId) found = found.where('user_id', '=', query.userId)
  if (query.userEmail) found = found.where(sql<boolean>`lower(user_email) = ${query.userEmail.trim().toLowerCase()}`)
  if (query.from) found = found.where('at', '>=', query.from)
  if (query.before) found = found.where('at', '<', query.before)
  const userName = foldName(query.userName ?? '')
  if (userName === '') return found
  const pattern = `${userName.replaceAll(/[\\%_]/g, sign => `\\${sign}`)}%`
  return found.where(sql<boolean>`user_name_folded like ${pattern} escape '\\'`)
}

export async function lengthsOf(
  db: Db,
  organisationId: number,
  rows: readonly Pick<AnsweredRow, 'original_hash' | 'updated_hash'>[],
): Promise<Map<string, number>> {
  const lengths = new Map<string, number>()
  for (const part of inBatches(hashesOf(rows), 200)) {
    const contents = await db
      .selectFrom('content')
      .select('hash')
      // Said by the row's head; `length` would read every content.
      .select(sql<number>`octet_length(body)`.as('length'))
      .where('organisation_id', 'in', [organisationId, 0])
      .where('hash', 'in', part)
      .execute()
    for (const { hash, length } of contents) lengths.set(hash, Number(length))
  }
  return lengths
}

/** The first entries whose contents fit into one answer, the very first in any case. */
function affordable(rows: readonly AnsweredRow[], lengths: ReadonlyMap<string, number>): Set<number> {
  const shown = new Set<number>()
  let total = 0
  for (const { id, original_hash: before, updated_hash: after } of rows) {
    total += (lengths.get(before ?? '') ?? 0) + (lengths.get(after ?? '') ?? 0)
    if (total <= limits.listedContents || shown.size === 0) shown.add(id)
  }
  return shown
}

function hashesOf(rows: readonly Pick<AnsweredRow, 'original_hash' | 'updated_hash'>[]): string[] {
  return [...new Set(rows.flatMap(row => [row.original_hash ?? [], row.updated_hash ?? []].flat()))]
}

export async function bodiesOf(
  db: Db,
  organisationId: number,
  rows: readonly Pick<AnsweredRow, 'original_hash' | 'updated_hash'>[],
): Promise<Map<string, string>> {
  const bodies = new Map<string, string>()
  for (const part of inBatches(hashesOf(rows), 200)) {
    const contents = await db
      .selectFrom('content')
      .select(['hash', 'body'])
      .where('organisation_id', 'in', [organisationId, 0])
      .where('hash', 'in', part)
      .execute()
    for (const { hash, body } of contents) bodies.set(hash, body)
  }
  return bodies
}

/** As it is answered; a content that is not among the bodies is null. */
export function viewOf(row: AnsweredRow, bodies: ReadonlyMap<string, string>): AuditEntry {
  return {
    ID: row.id,
    LAST_MODIFIED: row.at,
    USER_NAME: row.user_name,
    USER_EMAIL: row.user_email,
    ACTION_TYPE: row.action_type,
    DESCRIPTION: row.description,
    ORIGINAL_CONTENT: contentOf(row, row.original_hash, bodies),
    UPDATED_CONTENT: contentOf(row, row.updated_hash, bodies),
    ENTITY_NAME: row.name,
    PATH: row.path,
    CHANGE_ID: row.change_id,
    VERSION: row.version,
    CONTENT_KIND: row.content_kind,
  }
}

/** The entry's path is that after the change; before a rename its last part was the old name. */
function contentOf(row: AnsweredRow, hash: string | null, bodies: ReadonlyMap<string, string>): string | null {
  const body = hash === null ? undefined : bodies.get(hash)
  if (body === undefined) return null
  const content: unknown = JSON.parse(body)
  if (typeof content !== 'object' || content === null || !('name' in content)) return body
  const isRenamed = content.name !== row.name && folderOf(row.path) !== ''
  const path = isRenamed ? renamedPath(row.path, String(content.name)) : row.path
  return JSON.stringify({ ...content, path })
}
