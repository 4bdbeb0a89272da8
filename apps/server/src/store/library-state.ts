import type { Db } from './database.ts'
import type { Tables } from './tables.ts'
import { adjustEntityCounters } from './counters.ts'

/**
 * State of the predefined library: the hash of its folder, the build version of its tree, and the changes that
 * organisations still have to follow.
 */
export type LibraryKey = 'folder' | 'buildVersion' | 'unsettled'

export async function libraryState(db: Db, name: LibraryKey): Promise<string | undefined> {
  const row = await db.selectFrom('library_state').select('value').where('name', '=', name).executeTakeFirst()
  return row?.value
}

export async function setLibraryState(db: Db, name: LibraryKey, value: string): Promise<void> {
  await db
    .insertInto('library_state')
    .values({ name, value })
    .onConflict(conflict => conflict.column('name').doUpdateSet({ value }))
    .execute()
}

export type LibraryPart = Pick<
  Tables['entity'],
  'id' | 'uid' | 'name' | 'path' | 'corpus_path' | 'content_hash' | 'latest_version' | 'hidden'
>

/** All predefined entities or manifests, including hidden ones. */
export async function libraryParts(db: Db, table: 'entity' | 'manifest'): Promise<LibraryPart[]> {
  return db
    .selectFrom(table)
    .select(['id', 'uid', 'name', 'path', 'corpus_path', 'content_hash', 'latest_version', 'hidden'])
    .where('organisation_id', '=', 0)
    .execute()
}

/** Shows or hides predefined entities or manifests. */
export async function setHidden(
  db: Db,
  table: 'entity' | 'manifest',
  ids: readonly number[],
  hidden: 0 | 1,
): Promise<void> {
  if (ids.length === 0) return
  const changed = await db
    .updateTable(table)
    .set({ hidden })
    .where('organisation_id', '=', 0)
    .where('id', 'in', ids)
    .where('hidden', '!=', hidden)
    .returning('folder')
    .execute()
  const folders = changed.map(row => row.folder)
  if (table === 'entity') await adjustEntityCounters(db, 0, folders, hidden === 0 ? 1 : -1)
}

/** Returns the predefined manifests that are listed as sub-manifests by the organisation's own manifests. */
export async function listedManifests(db: Db, organisationId: number, ids: readonly number[]): Promise<number[]> {
  const rows = await db
    .selectFrom('manifest_sub_manifest')
    .select('sub_manifest_id')
    .distinct()
    .where('organisation_id', '=', organisationId)
    .where('sub_manifest_id', 'in', ids)
    .execute()
  return rows.map(row => row.sub_manifest_id)
}

/**
 * Returns the predefined entities that an organisation (0 = the library itself) refers to, from a manifest or an
 * entity.
 */
export async function referredEntities(db: Db, organisationId: number, ids: readonly number[]): Promise<Set<number>> {
  const members = await db
    .selectFrom('manifest_member')
    .select('entity_id')
    .distinct()
    .where('organisation_id', '=', organisationId)
    .where('entity_id', 'in', ids)
    .execute()
  const references = await db
    .selectFrom('entity_reference')
    .select('to_id')
    .distinct()
    .where('organisation_id', '=', organisationId)
    .where('to_id', 'in', ids)
    .execute()
  return new Set([...members.map(row => row.entity_id), ...references.map(row => row.to_id)])
}
