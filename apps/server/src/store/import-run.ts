import { sql } from 'kysely'
import type { Enumeration } from '@cadmus/model/enumeration'
import { type MemberType, newManifestContent } from '@cadmus/model/manifest'
import { deleteUnusedNames } from './attribute-search.ts'
import { type Actor, publishAudit } from './audit.ts'
import { idBatch, inBatches } from './statements.ts'
import { type ImportMark, insertContents } from './content.ts'
import { adjustEntityCounters } from './counters.ts'
import type { Db } from './database.ts'
import type { Store } from './store.ts'
import { columnNames, columnsByUids, deleteColumns, insertColumns } from './entity-column.ts'
import { type Reference, referenceRow } from './entity-reference.ts'
import { type ContentColumns, newEntityRow } from './entity.ts'
import { idsOfImport } from './ids.ts'
import { type HeldJob, renewHeldJob, stopJob } from './job.ts'
import { deleteManifestTexts, insertManifests } from './manifest.ts'
import { isSqlite } from './name-index.ts'
import { deleteOpenReferences, insertOpenReferences } from './open-reference.ts'
import type { SearchPart } from './search-parts.ts'
import { deleteSearchTexts, insertSearchTexts } from './search-text.ts'
import { removeImportedContents } from './unreferenced-content.ts'

const rowBatch = 200

/** Inserts a slice of entities with contents and references, invisible at first. */
export async function insertImportedEntities(
  tx: Db,
  organisationId: number,
  importMark: ImportMark,
  slice: { entities: readonly PreparedEntity[]; actor: Actor },
): Promise<void> {
  const { entities, actor } = slice
  const { importId } = importMark
  await insertContents(tx, organisationId, new Map(entities.map(({ hash, body }) => [hash, body])), importMark)
  const rows = entities.map(entity => newEntityRow(organisationId, { ...entity, columns: entity.row, importId }, actor))
  await tx.insertInto('entity').values(rows).execute()
  const references = entities.flatMap(({ id, references: list }) =>
    list.map(reference => referenceRow(organisationId, id, reference)),
  )
  for (const part of inBatches(references, rowBatch)) await tx.insertInto('entity_reference').values(part).execute()
  await insertColumns(tx, organisationId, entities)
  await insertSearchTexts(tx, organisationId, 'entity', entities)
  await insertOpenReferences(
    tx,
    organisationId,
    entities.flatMap(({ id, open }) => open.map(reference => ({ fromId: id, ...reference }))),
  )
}

/** Inserts the manifests with their lists, invisible at first. Returns their content hashes. */
export async function insertImportedManifests(
  tx: Db,
  organisationId: number,
  importMark: ImportMark,
  manifests: readonly PreparedManifest[],
  actor: Actor,
): Promise<string[]> {
  const rows = manifests.map(manifest => ({
    id: manifest.id,
    path: manifest.path,
    content: newManifestContent({
      uid: manifest.uid,
      name: manifest.name,
      description: manifest.description,
      importsPath: manifest.importsPath,
      enumerations: manifest.enumerations,
    }),
    members: manifest.members.map(member => ({ ...member, organisationId })),
    subManifests: manifest.subManifestIds.map(id => ({ id, organisationId })),
    corpusPath: manifest.corpusPath,
    version: manifest.version,
    importId: importMark.importId,
  }))
  return insertManifests(tx, organisationId, rows, actor, importMark)
}

/**
 * Makes all rows of the import visible, in many short statements of one transaction. Call `endJob` last in it, so that
 * renewing, reading or cancelling the job is not blocked.
 */
export async function publishImport(tx: Db, organisationId: number, job: Pick<HeldJob, 'id'>): Promise<void> {
  const folders: string[] = []
  for (const ids of inBatches(await idsOfImport(tx, 'entity', organisationId, job.id), idBatch)) {
    await markUnresolved(tx, organisationId, ids)
    folders.push(...(await show(tx, 'entity', organisationId, ids)))
  }
  await adjustEntityCounters(tx, organisationId, folders, 1)
  for (const ids of inBatches(await idsOfImport(tx, 'manifest', organisationId, job.id), idBatch))
    await show(tx, 'manifest', organisationId, ids)
  await publishAudit(tx, organisationId, job.id)
}

/** Makes the imported rows visible and returns their folders. */
async function show(
  tx: Db,
  table: 'entity' | 'manifest',
  organisationId: number,
  ids: readonly number[],
): Promise<string[]> {
  const rows = await tx
    .updateTable(table)
    .set({ import_id: 0 })
    .where('organisation_id', '=', organisationId)
    .where('id', 'in', ids)
    .returning('folder')
    .execute()
  return rows.map(row => row.folder)
}

/** Marks entities unresolved whose references were deleted during the import. */
async function markUnresolved(tx: Db, organisationId: number, ids: readonly number[]): Promise<void> {
  const open = tx
    .selectFrom('entity_reference')
    .leftJoin('entity as target', join =>
      join.onRef('target.id', '=', 'entity_reference.to_id').on('target.organisation_id', 'in', [organisationId, 0]),
    )
    .select('entity_reference.from_id')
    .where('entity_reference.organisation_id', '=', organisationId)
    .where('entity_reference.from_id', 'in', ids)
    .where('target.id', 'is', null)
  await tx
    .updateTable('entity')
    .set({ resolved: 0 })
    .where('organisation_id', '=', organisationId)
    .where('resolved', '=', 1)
    .where('id', 'in', open)
    .execute()
}

/** Returns names and uids of the organisation that an import must not reuse. */
export async function identifiersInUse(
  db: Db,
  organisationId: number,
  uids: readonly string[],
): Promise<{ takenUids: string[]; takenNames: string[] }> {
  const names = await db
    .selectFrom('manifest')
    .select('name_folded')
    .where('organisation_id', '=', organisationId)
    .execute()
  const takenUids = (await columnsByUids(db, organisationId, uids)).map(({ uid }) => uid)
  for (const part of inBatches(uids, rowBatch)) {
    for (const table of ['entity', 'manifest'] as const) {
      const rows = await db
        .selectFrom(table)
        .select('uid')
        .where('organisation_id', '=', organisationId)
        .where('uid', 'in', part)
        .execute()
      takenUids.push(...rows.map(row => row.uid))
    }
  }
  return { takenUids, takenNames: names.map(row => row.name_folded) }
}

/** An entity ready to be stored, with its content serialised and hashed. */
export type PreparedEntity = {
  id: number
  uid: string
  name: string
  path: string
  corpusPath: string | null
  manifestId: number
  /** Default: the first version. */
  version?: string
  /** The columns copied from the content. */
  row: ContentColumns
  resolved: 0 | 1
  body: string
  hash: string
  references: Reference[]
  columns: { uid: string; name: string }[]
  /** The texts for the search. */
  parts: SearchPart[]
  /** The missing targets of its references. */
  open: { uid: string; path: string }[]
}

export type PreparedManifest = {
  id: number
  uid: string
  name: string
  path: string
  corpusPath: string
  description: string
  importsPath: string[]
  enumerations: Enumeration[]
  version: string
  members: { entityId: number; type: MemberType }[]
  subManifestIds: number[]
}

const slice = 200

/**
 * Deletes everything a job stored invisibly, including its contents, in short transactions. Stops if another server has
 * taken the job over, which then continues.
 */
export async function removeImport(store: Store, organisationId: number, job: HeldJob): Promise<void> {
  const db = store.of(organisationId)
  if (!(await stopJob(db, job))) return
  const steps = [removeEntities, removeManifests, removeAudit, removeImportedContents]
  for (const step of steps) {
    let hasMore = true
    while (hasMore) {
      hasMore = await db
        .transaction()
        .execute(async tx => (await renewHeldJob(tx, store, job, 'stopping')) && step(tx, organisationId, job.id))
    }
  }
}

/** Returns whether there may be more rows, like all steps. */
async function removeEntities(tx: Db, organisationId: number, importId: number): Promise<boolean> {
  const ids = await idsOfImport(tx, 'entity', organisationId, importId, slice)
  if (ids.length === 0) return false
  await tx
    .deleteFrom('entity_reference')
    .where('organisation_id', '=', organisationId)
    .where('from_id', 'in', ids)
    .execute()
  const names = await columnNames(tx, organisationId, ids)
  await deleteColumns(tx, organisationId, ids)
  await deleteSearchTexts(tx, organisationId, 'entity', ids)
  await deleteUnusedNames(tx, organisationId, names)
  await deleteOpenReferences(tx, organisationId, ids)
  await tx.deleteFrom('entity').where('organisation_id', '=', organisationId).where('id', 'in', ids).execute()
  return ids.length === slice
}

async function removeManifests(tx: Db, organisationId: number, importId: number): Promise<boolean> {
  const ids = await idsOfImport(tx, 'manifest', organisationId, importId, slice)
  if (ids.length === 0) return false
  await deleteManifestTexts(tx, organisationId, ids)
  for (const table of ['manifest_member', 'manifest_sub_manifest'] as const) {
    await tx.deleteFrom(table).where('organisation_id', '=', organisationId).where('manifest_id', 'in', ids).execute()
  }
  await tx.deleteFrom('manifest').where('organisation_id', '=', organisationId).where('id', 'in', ids).execute()
  return ids.length === slice
}

async function removeAudit(tx: Db, organisationId: number, importId: number): Promise<boolean> {
  const ids = await idsOfImport(tx, 'audit_entry', organisationId, importId, slice)
  if (ids.length === 0) return false
  await tx.deleteFrom('audit_entry').where('organisation_id', '=', organisationId).where('id', 'in', ids).execute()
  return ids.length === slice
}

/** Stores one page of an import report, as encoded by the reader. */
export async function insertReportPage(
  db: Db,
  organisationId: number,
  row: { jobId: number; page: number; body: string },
): Promise<void> {
  const { jobId, page, body } = row
  await db.insertInto('import_report').values({ organisation_id: organisationId, job_id: jobId, page, body }).execute()
}

/** Yields the pages of a report one by one to limit memory. */
export async function* reportPages(db: Db, organisationId: number, jobId: number): AsyncGenerator<string> {
  for (let page = 0; ; page++) {
    const row = await db
      .selectFrom('import_report')
      .select('body')
      .where('organisation_id', '=', organisationId)
      .where('job_id', '=', jobId)
      .where('page', '=', page)
      .executeTakeFirst()
    if (row === undefined) return
    yield row.body
  }
}

/** Deletes the reports of failed imports and of deleted jobs. */
export async function dropReports(db: Db, organisationId: number): Promise<void> {
  await db
    .deleteFrom('import_report')
    .where('organisation_id', '=', organisationId)
    .where('job_id', 'not in', eb =>
      eb
        .selectFrom('job')
        .select('job.id')
        .where('job.organisation_id', '=', organisationId)
        .where('job.kind', '=', 'import')
        .where('job.state', 'in', ['waiting', 'running', 'done']),
    )
    .execute()
}

/** Number of new entities that makes statistics outdated. */
const many = 1000

/**
 * Updates PostgreSQL's statistics after a bulk insert. Autovacuum needs a minute, during which outdated statistics
 * cause quadratic plans. SQLite uses fixed statistics. Errors are ignored, because the data is already stored.
 */
export async function updateStatistics(db: Db, stored: number): Promise<void> {
  if (stored < many || isSqlite(db)) return
  await sql`analyze entity, content, entity_column, entity_reference, manifest_member, search_text`
    .execute(db)
    .catch(() => undefined)
}
