import type { ContentKind } from '@cadmus/model/audit-differences'
import { readStored } from '@cadmus/model/stored/stored-form'
import { sql } from 'kysely'
import type { Db } from './database.ts'
import { idBatch, rowsInBatches } from './statements.ts'
import { configurationTag } from './manifest-configuration.ts'
import { restorationForm } from './audit.ts'
import type { Tables } from './tables.ts'

type Row = Tables['audit_entry']

/** Kinds of documents whose changes are edits. */
export type DocumentKind = 'entity' | 'manifest' | 'configuration'
/** `id`: of the entity or manifest. */
export type DocumentPlace = { kind: DocumentKind; id: number }

const contentKinds: Record<DocumentKind, readonly ContentKind[]> = {
  // The scopes of an organisation on a predefined entity belong to the entity.
  entity: ['entity', 'scopes'],
  manifest: ['manifest'],
  configuration: ['configuration'],
}

const columns = [
  'id',
  'sequence',
  'change_id',
  'at',
  'kind',
  'target_id',
  'content_kind',
  'user_id',
  'user_name',
  'user_email',
  'name',
  'description',
  'version',
  'original_hash',
  'updated_hash',
  'save_id',
  'save_mark',
  'edit_format',
  'cause',
  'follows',
] as const satisfies readonly (keyof Row)[]

/** An entry; `before` and `after` are the tags of both states. */
export type LogRow = Pick<Row, (typeof columns)[number]> & { before: string | null; after: string | null }

/** Entries of a document after a sequence number, oldest first, at most `limit` and `maxBytes` of edits; at least one, if any. */
export async function logAfter(
  db: Db,
  organisationId: number,
  document: DocumentPlace,
  { after, limit, maxBytes }: { after: number; limit: number; maxBytes: number },
): Promise<{ rows: LogRow[]; more: boolean }> {
  const all = await entriesOf(db, organisationId, document)
    .select(columns)
    .select(sql<number>`octet_length(edits)`.as('length'))
    .where('sequence', '>', after)
    .orderBy('sequence')
    .limit(limit + 1)
    .execute()
  let bytes = 0
  const end = all.findIndex(({ length }, index) => (bytes += Number(length)) > maxBytes && index > 0)
  const rows = all.slice(0, Math.min(limit, end === -1 ? limit : end))
  return { rows: await withTags(db, organisationId, rows), more: rows.length < all.length }
}

/** Entries of an operation in their order or the reverse one, of all objects or of one document. */
export async function entriesOfOperation(
  db: Db,
  organisationId: number,
  operationId: string,
  { limit, document, newestFirst = false }: { limit: number; document?: DocumentPlace; newestFirst?: boolean },
): Promise<LogRow[]> {
  const all = db
    .selectFrom('audit_entry')
    .where('organisation_id', '=', organisationId)
    .where('save_id', '=', operationId)
    .where('import_id', '=', 0)
  const matching = document
    ? all.where('target_id', '=', document.id).where('content_kind', 'in', contentKinds[document.kind])
    : all
  const ordered = matching.select(columns).orderBy('sequence', newestFirst ? 'desc' : 'asc')
  const rows = await ordered.limit(limit).execute()
  return withTags(db, organisationId, rows)
}

/** An entry of the document by its sequence number. */
export async function entryAt(
  db: Db,
  organisationId: number,
  document: DocumentPlace,
  sequence: number,
): Promise<LogRow | undefined> {
  const row = entriesOf(db, organisationId, document).select(columns).where('sequence', '=', sequence)
  return (await withTags(db, organisationId, await row.execute()))[0]
}

/** Entries of a document below a sequence number, newest first; 0: the newest. */
export async function logBefore(
  db: Db,
  organisationId: number,
  document: DocumentPlace,
  { before, limit }: { before: number; limit: number },
): Promise<{ rows: LogRow[]; more: boolean }> {
  const all = entriesOf(db, organisationId, document)
    .select(columns)
    .orderBy('sequence', 'desc')
    .limit(limit + 1)
  const rows = await (before === 0 ? all : all.where('sequence', '<', before)).execute()
  return { rows: await withTags(db, organisationId, rows.slice(0, limit)), more: rows.length > limit }
}

/** The entries of an organisation that are searched for those of a manifest. */
const searched = 10_000

/** The newest entries that a user made of the entities of some manifests and of the configuration of one, newest first. `before`: below that sequence number. */
export async function ownLogOfManifest(
  db: Db,
  organisationId: number,
  { userId, root, manifests }: { userId: string; root: number; manifests: readonly number[] },
  { before, limit }: { before?: number | undefined; limit: number },
): Promise<LogRow[]> {
  const newest = await db
    .selectFrom('audit_sequence')
    .select('last')
    .where('organisation_id', '=', organisationId)
    .executeTakeFirst()
  const last = newest?.last ?? 0
  const rows = await rowsInBatches(manifests, idBatch, part =>
    db
      .selectFrom('audit_entry')
      .select(columns)
      .where('organisation_id', '=', organisationId)
      .where('sequence', '>', last - searched)
      .where('sequence', '<', before ?? last + 1)
      .where('user_id', '=', userId)
      .where('import_id', '=', 0)
      .where(where => {
        const members = where
          .selectFrom('manifest_member')
          .select('entity_id')
          .where('organisation_id', 'in', [organisationId, 0])
          .where('manifest_id', 'in', part)
        return where.or([
          where.and([where('content_kind', 'in', contentKinds.entity), where('target_id', 'in', members)]),
          where.and([where('content_kind', 'in', contentKinds.configuration), where('target_id', '=', root)]),
        ])
      })
      .orderBy('sequence', 'desc')
      .limit(limit)
      .execute(),
  )
  const bySequence = new Map(rows.map(row => [row.sequence, row]))
  const ordered = [...bySequence.values()].toSorted((a, b) => b.sequence - a.sequence)
  return withTags(db, organisationId, ordered.slice(0, limit))
}

/** The entries of other documents that a request changed together with the one of this entry. */
export async function logTogether(
  db: Db,
  organisationId: number,
  { save_id: operationId, change_id: changeId, kind, target_id: id, content_kind: content }: LogRow,
  limit: number,
): Promise<LogRow[]> {
  if (operationId === null) return []
  const rows = await db
    .selectFrom('audit_entry')
    .select(columns)
    .where('organisation_id', '=', organisationId)
    .where('save_id', '=', operationId)
    .where('change_id', '=', changeId)
    .where('follows', '=', 0)
    .where('import_id', '=', 0)
    .where(where => where.not(where.and({ kind, target_id: id, content_kind: content })))
    .orderBy('sequence')
    .limit(limit)
    .execute()
  return withTags(db, organisationId, rows)
}

/** Entries by sequence number, of any document. */
export async function entriesAt(db: Db, organisationId: number, sequences: readonly number[]): Promise<LogRow[]> {
  const rows = await rowsInBatches([...new Set(sequences)], idBatch, part =>
    db
      .selectFrom('audit_entry')
      .select(columns)
      .where('organisation_id', '=', organisationId)
      .where('sequence', 'in', part)
      .where('import_id', '=', 0)
      .execute(),
  )
  return withTags(db, organisationId, rows)
}

/** The entries of a document that belong to the newest change that a user made of it, newest first. */
export async function lastOwnEntries(
  db: Db,
  organisationId: number,
  document: DocumentPlace,
  userId: string,
): Promise<LogRow[]> {
  const own = entriesOf(db, organisationId, document).where('user_id', '=', userId).where('follows', '=', 0)
  const last = await own.select('change_id').orderBy('sequence', 'desc').limit(1).executeTakeFirst()
  if (!last) return []
  const rows = await own.select(columns).where('change_id', '=', last.change_id).orderBy('sequence', 'desc').execute()
  return withTags(db, organisationId, rows)
}

/** The entries of all documents that the requests of some entries changed, by these requests; null if there are more than `limit`. */
export async function logOfRequests(
  db: Db,
  organisationId: number,
  entries: readonly LogRow[],
  limit: number,
): Promise<LogRow[] | null> {
  const operations = [...new Set(entries.flatMap(({ save_id: id }) => id ?? []))]
  const rows = await rowsInBatches(operations, idBatch, part =>
    db
      .selectFrom('audit_entry')
      .select(columns)
      .where('organisation_id', '=', organisationId)
      .where('save_id', 'in', part)
      .where('follows', '=', 0)
      .where('import_id', '=', 0)
      .orderBy('sequence')
      .limit(limit + 1)
      .execute(),
  )
  const changes = new Set(entries.map(entry => entry.change_id))
  const own = rows.filter(row => changes.has(row.change_id))
  return rows.length > limit ? null : withTags(db, organisationId, own)
}

/** The stored JSON text of the edits, by sequence number. */
export async function editTexts(
  db: Db,
  organisationId: number,
  sequences: readonly number[],
): Promise<Map<number, string>> {
  if (sequences.length === 0) return new Map()
  const rows = await db
    .selectFrom('audit_entry')
    .select(['sequence', 'edits'])
    .where('organisation_id', '=', organisationId)
    .where('sequence', 'in', sequences)
    .execute()
  return new Map(rows.flatMap(({ sequence, edits }) => (edits === null ? [] : [[sequence, edits] as const])))
}

/** Uids of existing entities and manifests, by kind and id. */
export async function uidsOf(
  db: Db,
  organisationId: number,
  rows: readonly Pick<Row, 'kind' | 'target_id'>[],
): Promise<Map<string, string>> {
  const uids = new Map<string, string>()
  for (const table of ['entity', 'manifest'] as const) {
    const kind = table === 'entity' ? 'ENTITY' : 'MANIFEST'
    const ids = rows.filter(row => row.kind === kind).map(row => row.target_id)
    if (ids.length === 0) continue
    const existing = await db
      .selectFrom(table)
      .select(['id', 'uid'])
      .where('organisation_id', 'in', [organisationId, 0])
      .where('id', 'in', [...new Set(ids)])
      .execute()
    for (const { id, uid } of existing) uids.set(`${kind} ${id}`, uid)
  }
  return uids
}

/** Configurations are tagged by their stored form, while their entries refer to contents without secrets. */
async function withTags(db: Db, organisationId: number, rows: readonly Omit<LogRow, 'before' | 'after'>[]) {
  const tagged: LogRow[] = []
  for (const row of rows) {
    const { original_hash: before, updated_hash: after } = row
    const tags = row.content_kind === 'configuration' ? await configurationTags(db, organisationId, row) : undefined
    tagged.push({ ...row, ...(tags ?? { before, after }) })
  }
  return tagged
}

/** An entry has the state before it; the state after it is in the next one, or is the current one. */
async function configurationTags(db: Db, organisationId: number, row: Pick<Row, 'target_id' | 'sequence'>) {
  const place = { kind: 'configuration' as const, id: row.target_id }
  const states = () =>
    entriesOf(db, organisationId, place)
      .select(['sequence', 'restoration'])
      .where('sequence', '>=', row.sequence)
      .orderBy('sequence')
      .limit(2)
      .execute()
  const manifest = db
    .selectFrom('manifest')
    .select('configuration_hash')
    .where('organisation_id', '=', organisationId)
    .where('id', '=', row.target_id)
  const current = (await manifest.executeTakeFirst())?.configuration_hash
  // Read after the manifest, so that the entry of a later change exists.
  const [own, next] = await states()
  const before = hashIn(own?.restoration)
  const after = next ? hashIn(next.restoration) : current
  return {
    before: before === undefined ? null : configurationTag(before),
    after: after === undefined ? null : configurationTag(after),
  }
}

function hashIn(restoration: string | null | undefined): string | null | undefined {
  return readStored(restorationForm, JSON.parse(restoration ?? '{}')).manifest?.configuration_hash
}

/** Whether an entry belongs to a document. */
export function isOf(row: Pick<LogRow, 'target_id' | 'content_kind'>, { kind, id }: DocumentPlace): boolean {
  return row.target_id === id && contentKinds[kind].some(one => one === row.content_kind)
}

function entriesOf(db: Db, organisationId: number, { kind, id }: DocumentPlace) {
  return db
    .selectFrom('audit_entry')
    .where('organisation_id', '=', organisationId)
    .where('target_id', '=', id)
    .where('content_kind', 'in', contentKinds[kind])
    .where('import_id', '=', 0)
}
