import { highestFirst } from '@cadmus/model/version'
import type { Db } from './database.ts'
import type { Tables } from './tables.ts'

export type ManifestVersionRow = Tables['manifest_version']

/** Returns the frozen versions of a manifest, highest first, without the latest one. */
export async function frozenVersions(
  db: Db,
  manifest: { id: number; organisation_id: number },
): Promise<ManifestVersionRow[]> {
  const rows = await db
    .selectFrom('manifest_version')
    .selectAll()
    .where('organisation_id', '=', manifest.organisation_id)
    .where('manifest_id', '=', manifest.id)
    .execute()
  return highestFirst(rows, row => row.version)
}

export async function insertManifestVersion(tx: Db, row: ManifestVersionRow): Promise<void> {
  await tx.insertInto('manifest_version').values(row).execute()
}

/** Returns the deleted row. */
export async function deleteManifestVersionRow(
  tx: Db,
  manifest: { id: number; organisation_id: number },
  version: string,
): Promise<ManifestVersionRow | undefined> {
  return tx
    .deleteFrom('manifest_version')
    .where('organisation_id', '=', manifest.organisation_id)
    .where('manifest_id', '=', manifest.id)
    .where('version', '=', version)
    .returningAll()
    .executeTakeFirst()
}
