import { inBatches } from './batches.ts'
import type { Db } from './database.ts'
import { manifestsByIds, type ManifestRow } from './manifest.ts'

const idBatch = 500

/** Returns these own manifests and all own ancestors, whose configurations may name objects in them. */
export async function manifestsAbove(db: Db, organisationId: number, ids: readonly number[]): Promise<ManifestRow[]> {
  const existing = new Set<number>()
  let level = [...new Set(ids)]
  while (level.length > 0) {
    for (const id of level) existing.add(id)
    const parents = new Set<number>()
    for (const part of inBatches(level, idBatch)) {
      const rows = await db
        .selectFrom('manifest_sub_manifest')
        .select('manifest_id')
        .where('organisation_id', '=', organisationId)
        .where('sub_manifest_id', 'in', part)
        .execute()
      for (const row of rows) if (!existing.has(row.manifest_id)) parents.add(row.manifest_id)
    }
    level = [...parents]
  }
  const rows = await manifestsByIds(db, organisationId, [...existing])
  return rows.filter(row => row.organisation_id === organisationId).toSorted((a, b) => a.id - b.id)
}
