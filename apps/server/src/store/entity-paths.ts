import { folderOf } from '@cadmus/model/paths'
import type { EntityReference } from '@cadmus/model/entity-attribute'
import { inBatches } from './batches.ts'
import type { Db } from './database.ts'
import { comparable } from './storable.ts'
import { manifestsPendingDeletion } from './pending-deletion.ts'

/** Returns entities of the organisation and the library by path; own ones take precedence. */
export async function entitiesByPaths(
  db: Db,
  organisationId: number,
  paths: readonly string[],
): Promise<Map<string, EntityReference>> {
  const result = new Map<string, EntityReference>()
  const requested = comparable(paths).filter(path => path !== '')
  for (const part of inBatches(requested, 200)) {
    const rows = await db
      .selectFrom('entity')
      .select(['organisation_id', 'id', 'uid', 'name', 'path'])
      .where('organisation_id', 'in', [organisationId, 0])
      .where('import_id', '=', 0)
      .where('manifest_id', 'not in', manifestsPendingDeletion(db, [organisationId]))
      .where('hidden', '=', 0)
      // The index covers folders.
      .where('folder', 'in', [...new Set(part.map(folderOf))])
      .where('path', 'in', part)
      .orderBy('organisation_id')
      .orderBy('id', 'desc')
      .execute()
    for (const { id, uid, name, path } of rows) result.set(path, { id, uid, name, path })
  }
  return result
}
