import { deleteUnusedNames } from './attribute-search.ts'
import type { Db, Store } from './database.ts'
import { columnNames, deleteColumns } from './entity-column.ts'
import { idsOfImport } from './import-rows.ts'
import { renewHeldJob, stopJob, type HeldJob } from './job.ts'
import { removeImportedContents } from './unreferenced-content.ts'
import { deleteOpenReferences } from './open-reference.ts'

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
  await deleteUnusedNames(tx, organisationId, names)
  await deleteOpenReferences(tx, organisationId, ids)
  await tx.deleteFrom('entity').where('organisation_id', '=', organisationId).where('id', 'in', ids).execute()
  return ids.length === slice
}

async function removeManifests(tx: Db, organisationId: number, importId: number): Promise<boolean> {
  const ids = await idsOfImport(tx, 'manifest', organisationId, importId, slice)
  if (ids.length === 0) return false
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
