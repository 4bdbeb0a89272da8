import { sql } from 'kysely'
import type { AuditEntry } from '@cadmus/model/audit-differences'
import { limits } from '@cadmus/model/limits'
import { folderOf, foldName, renamedPath } from '@cadmus/model/paths'
import { lightBytes } from './answer-size.ts'
import type { Actor } from './audit.ts'
import { rowsInBatches } from './statements.ts'
import { bodiesOf, lengthsOf } from './content.ts'
import { counterValue } from './counters.ts'
import type { Db } from './database.ts'
import type { Tables } from './tables.ts'

const auditOrders = {
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

export type AuditFilter = {
  actionType?: AuditRow['action_type']
  userId?: string
  /** Prefix of the name, case-insensitive. */
  userName?: string
  userEmail?: string
  /** The id of an object. */
  target?: number
  /** ISO times: `from` inclusive, `before` exclusive. */
  from?: string
  before?: string
}

type AuditRow = Tables['audit_entry']

/** Excludes the restoration data, which is large and may contain secrets. */
const answerColumns = [
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
type AnswerRow = Pick<AuditRow, (typeof answerColumns)[number]>

export type AuditPage = { entries: AuditEntry[]; total: number }

/** Lists entries of one kind, without entries of running imports. */
export async function listAudit(
  db: Db,
  organisationId: number,
  kind: AuditRow['kind'],
  query: AuditQuery,
): Promise<AuditPage> {
  const { rows, lengths, total } = await queryAudit(db, organisationId, kind, query)
  return { entries: await viewsOf(db, organisationId, rows, lengths), total }
}

/** Like `listAudit`, but undefined if the contents are large. */
export async function listLightAudit(
  db: Db,
  organisationId: number,
  kind: AuditRow['kind'],
  query: AuditQuery,
): Promise<AuditPage | undefined> {
  const { rows, lengths, total } = await queryAudit(db, organisationId, kind, query)
  const bytes = lengths.values().reduce((sum, length) => sum + length, 0)
  return bytes > lightBytes ? undefined : { entries: await viewsOf(db, organisationId, rows, lengths), total }
}

async function queryAudit(db: Db, organisationId: number, kind: AuditRow['kind'], query: AuditQuery) {
  const matching = filtered(db, organisationId, kind, query)
  const total = await totalOf(db, organisationId, kind, query)
  const column = auditOrders[query.orderBy]
  // The sequence follows the commit order and its index; clocks may have been set back.
  const ordered = column === 'sequence' ? matching : matching.orderBy(column, query.direction)
  const rows = await ordered
    .select(answerColumns)
    .orderBy('sequence', query.direction)
    .limit(query.limit)
    .offset(query.offset)
    .execute()
  return { rows, lengths: await lengthsOf(db, organisationId, contentsOf(rows)), total }
}

async function viewsOf(
  db: Db,
  organisationId: number,
  rows: readonly AnswerRow[],
  lengths: ReadonlyMap<string, number>,
): Promise<AuditEntry[]> {
  const shown = fittingEntries(rows, lengths)
  const bodies = await bodiesOf(db, organisationId, contentsOf(rows.filter(row => shown.has(row.id))))
  return rows.map(row => viewOf(row, shown.has(row.id) ? bodies : new Map()))
}

/** Returns who deleted the manifest, and its name. */
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
    return counterValue(db, [organisationId], { name: kind, folder: '' })
  }
  const matching = filtered(db, organisationId, kind, query)
  const { total } = await matching.select(count => count.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return Number(total)
}

/** The matching entries, unordered, without entries of running imports. */
function filtered(db: Db, organisationId: number, kind: AuditRow['kind'], query: AuditFilter) {
  const own = db.selectFrom('audit_entry').where('organisation_id', '=', organisationId).where('kind', '=', kind)
  // For one object, the `+ 0` makes the database use the object's index instead of the one on visible entries.
  let matching = query.target
    ? own.where('target_id', '=', query.target).where(is => is(is('import_id', '+', 0), '=', 0))
    : own.where('import_id', '=', 0)
  if (query.actionType) matching = matching.where('action_type', '=', query.actionType)
  if (query.userId) matching = matching.where('user_id', '=', query.userId)
  if (query.userEmail)
    matching = matching.where(sql<boolean>`lower(user_email) = ${query.userEmail.trim().toLowerCase()}`)
  if (query.from) matching = matching.where('at', '>=', query.from)
  if (query.before) matching = matching.where('at', '<', query.before)
  const userName = foldName(query.userName ?? '')
  if (userName === '') return matching
  const pattern = `${userName.replaceAll(/[\\%_]/g, sign => `\\${sign}`)}%`
  return matching.where(sql<boolean>`user_name_folded like ${pattern} escape '\\'`)
}

/** Returns the first entries whose contents fit into one answer, at least one. */
function fittingEntries(rows: readonly AnswerRow[], lengths: ReadonlyMap<string, number>): Set<number> {
  const shown = new Set<number>()
  let total = 0
  for (const { id, original_hash: before, updated_hash: after } of rows) {
    total += (lengths.get(before ?? '') ?? 0) + (lengths.get(after ?? '') ?? 0)
    if (total <= limits.listedContents || shown.size === 0) shown.add(id)
  }
  return shown
}

function contentsOf(rows: readonly Pick<AnswerRow, 'original_hash' | 'updated_hash'>[]): { hash: string }[] {
  return rows
    .flatMap(row => [row.original_hash, row.updated_hash])
    .filter(hash => hash !== null)
    .map(hash => ({ hash }))
}

/** Returns an entry in the wire format; contents missing from `bodies` are null. */
function viewOf(row: AnswerRow, bodies: ReadonlyMap<string, string>): AuditEntry {
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

/** Entries store the path after the change; for a renamed object, the old content gets its old path. */
function contentOf(row: AnswerRow, hash: string | null, bodies: ReadonlyMap<string, string>): string | null {
  const body = hash === null ? undefined : bodies.get(hash)
  if (body === undefined) return null
  const content: unknown = JSON.parse(body)
  if (typeof content !== 'object' || content === null || !('name' in content)) return body
  const isRenamed = content.name !== row.name && folderOf(row.path) !== ''
  const path = isRenamed ? renamedPath(row.path, String(content.name)) : row.path
  return JSON.stringify({ ...content, path })
}

type Kind = Tables['audit_entry']['kind']

/** An entry with the stored contents of both sides, null if there is none. `targetId` is the changed object. */
export type StoredAuditEntry = { entry: AuditEntry; targetId: number; before: string | null; after: string | null }

/** Entries per query, so that other requests can run in between. */
const sliceLength = 1000

/** `bytes` is the total size of both contents; only `read` loads them. */
export async function findAuditEntry(
  db: Db,
  organisationId: number,
  { kind, id }: { kind: Kind; id: number },
): Promise<{ bytes: number; read: () => Promise<StoredAuditEntry> } | undefined> {
  const row = await filtered(db, organisationId, kind, {})
    .select([...answerColumns, 'target_id'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const lengths = await lengthsOf(db, organisationId, contentsOf([row]))
  return {
    bytes: lengths.values().reduce((sum, length) => sum + length, 0),
    async read() {
      const bodies = await bodiesOf(db, organisationId, contentsOf([row]))
      const [before, after] = [row.original_hash, row.updated_hash].map(hash => bodies.get(hash ?? '') ?? null)
      return { entry: viewOf(row, bodies), targetId: row.target_id, before: before ?? null, after: after ?? null }
    },
  }
}

type Line = Pick<
  Tables['audit_entry'],
  'at' | 'user_name' | 'user_email' | 'action_type' | 'name' | 'path' | 'version' | 'description'
>

/** Yields all matching entries without contents, newest first, in slices. Entries added later are not included. */
export async function* auditLines(
  db: Db,
  organisationId: number,
  kind: Kind,
  filter: AuditFilter,
): AsyncGenerator<Line[]> {
  let last = Number.MAX_SAFE_INTEGER
  for (;;) {
    const rows = await filtered(db, organisationId, kind, filter)
      .select(['sequence', 'at', 'user_name', 'user_email', 'action_type', 'name', 'path', 'version', 'description'])
      .where('sequence', '<', last)
      .orderBy('sequence', 'desc')
      .limit(sliceLength)
      .execute()
    if (rows.length > 0) yield rows
    if (rows.length < sliceLength) return
    last = rows.at(-1)?.sequence ?? 0
  }
}

/** Returns the last paths of deleted entities or manifests by id. */
export async function pathsOfDeleted(
  db: Db,
  organisationId: number,
  kind: Kind,
  ids: readonly number[],
): Promise<Map<number, string>> {
  const rows = await rowsInBatches(ids, 500, part =>
    filtered(db, organisationId, kind, { actionType: 'DELETE' })
      .select(['target_id', 'path'])
      .where('target_id', 'in', part)
      .execute(),
  )
  return new Map(rows.map(({ target_id: id, path }) => [id, path]))
}

/** Returns the descriptions of packages created before a moment, including deleted ones. */
export async function packagesCreatedBefore(db: Db, organisationId: number, moment: string): Promise<string[]> {
  const rows = await db
    .selectFrom('audit_entry')
    .where('organisation_id', '=', organisationId)
    .where('content_kind', '=', 'package')
    .where('action_type', '=', 'CREATE')
    .where('at', '<', moment)
    .select('description')
    .execute()
  return rows.map(({ description }) => description)
}
