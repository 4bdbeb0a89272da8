import type { OperationScopes } from '@cadmus/model/operation-scopes'
import { inBatches } from './batches.ts'
import type { Db } from './database.ts'
import { readScopes } from './entity-content.ts'
import { entityRowsByIds } from './entity.ts'

const idBatch = 500

/** The operation scopes of entities as the organisation sees them: its own where it set some on a predefined one. */
export async function scopesOfEntities(
  db: Db,
  organisationId: number,
  ids: readonly number[],
): Promise<{ operationScopes: OperationScopes }[]> {
  const texts = new Map<number, string>()
  for (const [id, { scopes }] of await entityRowsByIds(db, organisationId, ids)) texts.set(id, scopes)
  for (const part of inBatches(ids, idBatch)) {
    const own = await db
      .selectFrom('entity_scopes')
      .select(['entity_id', 'scopes'])
      .where('organisation_id', '=', organisationId)
      .where('entity_id', 'in', part)
      .execute()
    for (const { entity_id: id, scopes } of own) texts.set(id, scopes)
  }
  return [...texts.values()].map(text => ({ operationScopes: readScopes(text) }))
}

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
