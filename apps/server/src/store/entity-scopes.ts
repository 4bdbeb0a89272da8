import type { Db } from './database.ts'

/**
 * Sets the organisation's own scopes of a predefined entity, from the state that the writer saw (null = none yet). False when
 * another writer came first.
 */
export async function setEntityScopes(
  tx: Db,
  organisationId: number,
  entityId: number,
  { from, to }: { from: string | null; to: string },
): Promise<boolean> {
  if (from === null) {
    const row = { organisation_id: organisationId, entity_id: entityId, scopes: to }
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto('entity_scopes')
      .values(row)
      .onConflict(conflict => conflict.doNothing())
      .executeTakeFirst()
    return numInsertedOrUpdatedRows === 1n
  }
  const { numUpdatedRows } = await tx
    .updateTable('entity_scopes')
    .set({ scopes: to })
    .where('organisation_id', '=', organisationId)
    .where('entity_id', '=', entityId)
    .where('scopes', '=', from)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
