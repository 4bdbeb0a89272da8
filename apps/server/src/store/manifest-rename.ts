import { foldName, folderOf } from '@cadmus/model/paths'
import { sql } from 'kysely'
import { yieldToEventLoop } from '../event-loop.ts'
import { inBatches } from './statements.ts'
import type { Db } from './database.ts'
import type { Store } from './store.ts'
import { lockOwnedEntities } from './entity-delete.ts'
import type { ManifestRow } from './manifest.ts'
import { adjustEntityCounters } from './counters.ts'

const idBatch = 250

/** Updates only the row; `moveOwnedEntities` moves the entities. */
export async function setManifestName(
  tx: Db,
  { organisation_id: organisationId, id }: Pick<ManifestRow, 'organisation_id' | 'id'>,
  { name, path }: { name: string; path: string },
): Promise<void> {
  await tx
    .updateTable('manifest')
    .set({ name, name_folded: foldName(name), path, folder: folderOf(path) })
    .where('organisation_id', '=', organisationId)
    .where('id', '=', id)
    .execute()
}

/**
 * Moves a manifest's entities below its new path, in short statements. The caller must hold the organisation's name
 * lock, so that no entity is added during the rename.
 */
export async function moveOwnedEntities(
  tx: Db,
  store: Pick<Store, 'kind'>,
  manifest: ManifestRow,
  path: string,
): Promise<void> {
  const { organisation_id: organisationId, path: before } = manifest
  if (path === before) return
  const below = await ownedBelow(tx, manifest)
  await yieldToEventLoop()
  await lockOwnedEntities(tx, store, manifest)
  // The store counts code points.
  const rest = Array.from(before).length + 1
  for (const part of inBatches(below, idBatch)) {
    const ids = part.map(({ id }) => id)
    await tx
      .updateTable('entity')
      .set({
        path: sql<string>`${path} || substr(path, ${rest})`,
        folder: sql<string>`${path} || substr(folder, ${rest})`,
      })
      .where('organisation_id', '=', organisationId)
      .where('id', 'in', ids)
      .execute()
    await yieldToEventLoop()
  }
  const folders = below.map(({ folder }) => folder)
  await adjustEntityCounters(tx, organisationId, folders, -1)
  const moved = folders.map(folder => `${path}${folder.slice(before.length)}`)
  await adjustEntityCounters(tx, organisationId, moved, 1)
}

async function ownedBelow(
  tx: Db,
  { organisation_id: organisationId, id, path }: ManifestRow,
): Promise<{ id: number; folder: string }[]> {
  const owned = await tx
    .selectFrom('entity')
    .select(['id', 'folder'])
    .where('organisation_id', '=', organisationId)
    .where('manifest_id', '=', id)
    .where('import_id', '=', 0)
    .execute()
  return owned.filter(({ folder }) => folder === path || folder.startsWith(`${path}/`))
}
