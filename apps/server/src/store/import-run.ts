import { newManifestContent } from '@cadmus/model/manifest'
import type { PreparedEntity, PreparedManifest } from './prepared-import.ts'
import { type Actor, publishAudit } from './audit.ts'
import { inBatches } from './batches.ts'
import { insertContents, type ImportMark } from './content.ts'
import type { Db } from './database.ts'
import { columnsByUids, insertColumns } from './entity-column.ts'
import { newEntityRow } from './entity-row.ts'
import { referenceRow } from './entity-reference.ts'
import type { HeldJob } from './job.ts'
import { idsOfImport } from './import-rows.ts'
import { insertManifests } from './manifest.ts'
import { insertOpenReferences } from './open-reference.ts'
import { adjustEntityCounters } from './counters.ts'

const rowBatch = 200
const idBatch = 500

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
