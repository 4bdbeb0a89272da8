import { foldName, folderOf } from '@cadmus/model/paths'
import type { Actor } from './audit.ts'
import type { Db } from './database.ts'
import { deleteManifestRows } from './manifest-delete.ts'
import { addMembers, addSubManifestRows, setManifestContent, type NewManifest } from './manifest.ts'

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
