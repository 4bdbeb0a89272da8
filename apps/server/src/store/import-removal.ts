import type { Db } from './database.ts'
import { deleteColumns } from './entity-column.ts'
import { deleteOpenReferences } from './open-reference.ts'
import { endImport } from './import-run.ts'

const slice = 200

/**
 * Removes what an import left, in short transactions, and at last the import itself. Contents stay: others may have the same, and
 * one that nothing refers to does no harm.
 */
export async function removeImport(db: Db, organisationId: number, importId: number): Promise<void> {
  await endImport(db, organisationId, importId)
  while (await removeEntities(db, organisationId, importId));
  await db.transaction().execute(async tx => {
    const manifests = tx
      .selectFrom('manifest')
      .select('id')
      .where('organisation_id', '=', organisationId)
      .where('import_id', '=', importId)
    for (const table of ['manifest_member', 'manifest_sub_manifest'] as const) {
      await tx
        .deleteFrom(table)
        .where('organisation_id', '=', organisationId)
        .where('manifest_id', 'in', manifests)
        .execute()
    }
    for (const table of ['manifest', 'audit_entry'] as const) {
      await tx
        .deleteFrom(table)
        .where('organisation_id', '=', organisationId)
        .where('import_id', '=', importId)
        .execute()
    }
    await tx.deleteFrom('import_run').where('organisation_id', '=', organisationId).where('id', '=', importId).execute()
  })
}

/** Whether there may be more. */
async function removeEntities(db: Db, organisationId: number, importId: number): Promise<boolean> {
  return db.transaction().execute(async tx => {
    const rows = await tx
      .selectFrom('entity')
      .select('id')
      .where('organisation_id', '=', organisationId)
      .where('import_id', '=', importId)
      .limit(slice)
      .execute()
    const ids = rows.map(row => row.id)
    if (ids.length === 0) return false
    await tx
      .deleteFrom('entity_reference')
      .where('organisation_id', '=', organisationId)
      .where('from_id', 'in', ids)
      .execute()
    await deleteColumns(tx, organisationId, ids)
    await deleteOpenReferences(tx, organisationId, ids)
    await tx.deleteFrom('entity').where('organisation_id', '=', organisationId).where('id', 'in', ids).execute()
    return ids.length === slice
  })
}
