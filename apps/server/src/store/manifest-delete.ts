import { folderOf, foldName } from '@cadmus/model/paths'
import type { Actor, Restoration } from './audit.ts'
import { idBatch, inBatches } from './statements.ts'
import type { Db } from './database.ts'
import { deleteViewsOfManifest, lockViewsOfManifest } from './diagram-view.ts'
import { putFrozenViews } from './frozen-views.ts'
import {
  addMembers,
  addSubManifestRows,
  deleteManifestTexts,
  type ManifestRow,
  type NewManifest,
  setManifestContent,
} from './manifest.ts'
import type { Tables } from './tables.ts'

export type OwnedEntity = Pick<
  Tables['entity'],
  'id' | 'uid' | 'name' | 'path' | 'content_hash' | 'latest_version' | 'manifest_id'
>

/** Returns the entities owned by the manifest, which are deleted with it; optionally only the first ones. */
export async function ownedEntities(
  db: Db,
  manifest: Pick<ManifestRow, 'id' | 'organisation_id'>,
  limit?: number,
): Promise<OwnedEntity[]> {
  const owned = db
    .selectFrom('entity')
    .select(['id', 'uid', 'name', 'path', 'content_hash', 'latest_version', 'manifest_id'])
    .where('organisation_id', '=', manifest.organisation_id)
    .where('manifest_id', '=', manifest.id)
    .where('import_id', '=', 0)
    .orderBy('id')
  return (limit === undefined ? owned : owned.limit(limit)).execute()
}

/** Returns the custom manifests that list this one as a sub-manifest. */
export async function parentIds(db: Db, manifest: Pick<ManifestRow, 'id' | 'organisation_id'>): Promise<number[]> {
  const rows = await db
    .selectFrom('manifest_sub_manifest')
    .select('manifest_id')
    .where('organisation_id', '=', manifest.organisation_id)
    .where('sub_manifest_id', '=', manifest.id)
    .orderBy('manifest_id')
    .execute()
  return rows.map(row => row.manifest_id)
}

/**
 * Deletes the manifest with its lists and versions, and from its parents' lists. Returns restoration data. Member rows
 * of the entities in `staying` are deleted with those entities.
 */
export async function deleteManifestRows(
  tx: Db,
  organisationId: number,
  id: number,
  staying: ReadonlySet<number>,
): Promise<Restoration> {
  const members = await deleteMemberRows(tx, organisationId, id, staying)
  const subManifests = await tx
    .deleteFrom('manifest_sub_manifest')
    .where('organisation_id', '=', organisationId)
    .where(either => either.or([either('manifest_id', '=', id), either('sub_manifest_id', '=', id)]))
    .returningAll()
    .execute()
  const versions = await tx
    .deleteFrom('manifest_version')
    .where('organisation_id', '=', organisationId)
    .where('manifest_id', '=', id)
    .returningAll()
    .execute()
  await deleteManifestTexts(tx, organisationId, [id])
  await lockViewsOfManifest(tx, organisationId, id)
  const views = await putFrozenViews(tx, organisationId, id)
  await deleteViewsOfManifest(tx, organisationId, id)
  const manifest = await tx
    .deleteFrom('manifest')
    .where('organisation_id', '=', organisationId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
  return {
    ...(manifest && { manifest }),
    members: { put: members, drop: [] },
    subManifests: { put: subManifests, drop: [] },
    versions: { put: versions, drop: [] },
    ...(views.length > 0 && { views }),
  }
}

/** Returns all previous rows. */
async function deleteMemberRows(
  tx: Db,
  organisationId: number,
  id: number,
  staying: ReadonlySet<number>,
): Promise<Tables['manifest_member'][]> {
  const leaving = tx
    .deleteFrom('manifest_member')
    .where('organisation_id', '=', organisationId)
    .where('manifest_id', '=', id)
  if (staying.size === 0) return leaving.returningAll().execute()
  const members = await tx
    .selectFrom('manifest_member')
    .selectAll()
    .where('organisation_id', '=', organisationId)
    .where('manifest_id', '=', id)
    .execute()
  const going = members.map(row => row.entity_id).filter(entityId => !staying.has(entityId))
  for (const part of inBatches(going, idBatch)) await leaving.where('entity_id', 'in', part).execute()
  return members
}

const library = 0

/** Updates a predefined manifest from the library folder; its id is unchanged. */
export async function replaceManifest(tx: Db, manifest: NewManifest, actor: Pick<Actor, 'userName'>): Promise<void> {
  const { id, path, content, members, subManifests } = manifest
  for (const table of ['manifest_member', 'manifest_sub_manifest'] as const) {
    await tx.deleteFrom(table).where('organisation_id', '=', library).where('manifest_id', '=', id).execute()
  }
  await addMembers(tx, library, id, members, 0)
  await addSubManifestRows(tx, library, id, subManifests, 0)
  await setManifestContent(tx, library, id, content, actor)
  await tx
    .updateTable('manifest')
    .set({ name: content.name, name_folded: foldName(content.name), path, folder: folderOf(path), hidden: 0 })
    .where('organisation_id', '=', library)
    .where('id', '=', id)
    .execute()
}

/** For manifests that no organisation lists as a sub-manifest. */
export async function deleteManifests(tx: Db, ids: readonly number[]): Promise<void> {
  for (const id of ids) await deleteManifestRows(tx, library, id, new Set())
}
