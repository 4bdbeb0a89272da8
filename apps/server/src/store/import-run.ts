import { defaults } from '@cadmus/model/limits'
import { newManifestContent } from '@cadmus/model/manifest'
import { folderOf, foldName } from '@cadmus/model/paths'
import type { PreparedEntity, PreparedManifest } from './prepared-import.ts'
import { type Actor, publishAudit } from './audit.ts'
import { inBatches } from './batches.ts'
import type { Db } from './database.ts'
import { insertColumns } from './entity-column.ts'
import { referenceRow } from './entity-reference.ts'
import { insertManifests } from './manifest.ts'
import { insertOpenReferences } from './open-reference.ts'
import { tallyImport } from './tally.ts'
import type { Tables } from './tables.ts'

export type ImportRun = Tables['import_run']

const rowBatch = 200

/** Announces an import: rows that carry its id are read by nobody until `publishImport`. */
export async function startImport(db: Db, organisationId: number, id: number, userId: string): Promise<void> {
  const now = new Date().toISOString()
  await db
    .insertInto('import_run')
    .values({ organisation_id: organisationId, id, user_id: userId, started_at: now, heartbeat_at: now })
    .execute()
}

/** The heartbeat of an import that is being removed: before all times, so that a reaper finishes what a crash cut off. */
const ended = ''

/**
 * Says that the import is alive; false when it is not any more. Within a transaction it also keeps `endImport` waiting, so that no
 * slice can come after the removal.
 */
export async function beat(db: Db, organisationId: number, id: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('import_run')
    .set({ heartbeat_at: new Date().toISOString() })
    .where('organisation_id', '=', organisationId)
    .where('id', '=', id)
    .where('heartbeat_at', '!=', ended)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** From here on nothing more is stored under the import, and it cannot be published. */
export async function endImport(db: Db, organisationId: number, id: number): Promise<void> {
  await db
    .updateTable('import_run')
    .set({ heartbeat_at: ended })
    .where('organisation_id', '=', organisationId)
    .where('id', '=', id)
    .execute()
}

/** One slice of entities with their contents and references, not visible yet. */
export async function insertImportedEntities(
  tx: Db,
  organisationId: number,
  importId: number,
  slice: { entities: readonly PreparedEntity[]; actor: Actor },
): Promise<void> {
  const { entities, actor } = slice
  const contents = new Map(entities.map(({ hash, body }) => [hash, { organisation_id: organisationId, hash, body }]))
  await tx
    .insertInto('content')
    .values([...contents.values()])
    .onConflict(conflict => conflict.doNothing())
    .execute()
  const now = new Date().toISOString()
  const rows = entities.map(entity => entityRow(entity, organisationId, importId, { now, by: actor.userName }))
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

/** The manifests with their lists, not visible yet. Answers their content hashes. */
export async function insertImportedManifests(
  tx: Db,
  organisationId: number,
  importId: number,
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
    importId,
  }))
  return insertManifests(tx, organisationId, rows, actor)
}

/** Makes all rows of the import visible at once. False when a reaper took the import for dead: then nothing of it is left. */
export async function publishImport(tx: Db, organisationId: number, importId: number): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('import_run')
    .where('organisation_id', '=', organisationId)
    .where('id', '=', importId)
    .where('heartbeat_at', '!=', ended)
    .executeTakeFirst()
  if (numDeletedRows === 0n) return false
  await tallyImport(tx, organisationId, importId)
  for (const table of ['entity', 'manifest'] as const) {
    await tx
      .updateTable(table)
      .set({ import_id: 0 })
      .where('organisation_id', '=', organisationId)
      .where('import_id', '=', importId)
      .execute()
  }
  await publishAudit(tx, organisationId, importId)
  return true
}

/** Names and uids of the organisation that an import must not use again. */
export async function takenByOthers(
  db: Db,
  organisationId: number,
  uids: readonly string[],
): Promise<{ takenUids: string[]; takenNames: string[] }> {
  const names = await db
    .selectFrom('manifest')
    .select('name_folded')
    .where('organisation_id', '=', organisationId)
    .execute()
  const takenUids: string[] = []
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

/** Imports of the organisation that gave no sign of life since then. */
export async function deadImports(db: Db, organisationId: number, since: string): Promise<ImportRun[]> {
  return db
    .selectFrom('import_run')
    .selectAll()
    .where('organisation_id', '=', organisationId)
    .where('heartbeat_at', '<', since)
    .execute()
}

function entityRow(
  entity: PreparedEntity,
  organisationId: number,
  importId: number,
  { now, by }: { now: string; by: string },
): Tables['entity'] {
  return {
    organisation_id: organisationId,
    id: entity.id,
    uid: entity.uid,
    name: entity.name,
    name_folded: foldName(entity.name),
    path: entity.path,
    folder: folderOf(entity.path),
    type: 'EXCLUSIVE',
    content_hash: entity.hash,
    latest_version: defaults.version,
    scopes: '',
    manifest_id: entity.manifestId,
    extends_id: entity.extendsId,
    corpus_path: entity.corpusPath,
    resolved: entity.resolved,
    import_id: importId,
    hidden: 0,
    created_at: now,
    updated_at: now,
    updated_by: by,
  }
}
