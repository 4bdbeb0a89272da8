import { canonicalJson } from '@cadmus/model/content'
import type { OperationScopes } from '@cadmus/model/operations'
import { operationScopeTexts } from '@cadmus/model/search/search-texts'
import { idBatch, inBatches } from './statements.ts'
import { putContents } from './content.ts'
import type { Db } from './database.ts'
import { entitiesByIds, entityRowsByIds, readScopes } from './entity.ts'
import { replaceSearchTexts } from './search-text.ts'

/** Contents in memory at a time; each may be large. */
const contentBatch = 25

/**
 * Returns the operation scopes of entities as the organisation sees them, including its own scopes on predefined
 * entities.
 */
export async function scopesOfEntities(
  db: Db,
  organisationId: number,
  ids: readonly number[],
): Promise<{ id: number; operationScopes: OperationScopes }[]> {
  const texts = new Map<number, string>()
  for (const [id, { scopes }] of await entityRowsByIds(db, organisationId, ids)) texts.set(id, scopes)
  for (const part of inBatches(ids, idBatch)) {
    const own = await ownScopes(db, organisationId, part).select(['entity_id', 'scopes']).execute()
    for (const { entity_id: id, scopes } of own) texts.set(id, scopes)
  }
  return Array.from(texts, ([id, text]) => ({ id, operationScopes: readScopes(text) }))
}

/**
 * Stores the contents of entities with the organisation's own scopes and returns their hashes by id. Later changes of
 * scopes or library do not affect them.
 */
export async function putScopedContents(
  tx: Db,
  organisationId: number,
  ids: readonly number[],
): Promise<Map<number, string>> {
  const hashes = new Map<number, string>()
  for (const part of inBatches(ids, idBatch)) {
    const scoped = await ownScopes(tx, organisationId, part).select('entity_id').execute()
    for (const some of inBatches(scoped, contentBatch)) {
      const entities = await entitiesByIds(
        tx,
        organisationId,
        some.map(row => row.entity_id),
      )
      for (const { id, content_hash: hash } of entities.values()) hashes.set(id, hash)
      await putContents(
        tx,
        organisationId,
        Array.from(entities.values(), ({ content }) => canonicalJson(content)),
      )
    }
  }
  return hashes
}

/** The organisation's own scopes on predefined entities. */
export function ownScopes(db: Db, organisationId: number, ids: readonly number[]) {
  return db.selectFrom('entity_scopes').where('organisation_id', '=', organisationId).where('entity_id', 'in', ids)
}

/**
 * Sets the organisation's scopes of a predefined entity. `from` is the expected current value (null = none). Returns
 * false on a write conflict.
 */
export async function setEntityScopes(
  tx: Db,
  organisationId: number,
  entityId: number,
  { from, to }: { from: string | null; to: string },
): Promise<boolean> {
  const texts = [{ id: entityId, texts: operationScopeTexts(readScopes(to)) }]
  if (from === null) {
    const row = { organisation_id: organisationId, entity_id: entityId, scopes: to }
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto('entity_scopes')
      .values(row)
      .onConflict(conflict => conflict.doNothing())
      .executeTakeFirst()
    if (numInsertedOrUpdatedRows !== 1n) return false
    await replaceSearchTexts(tx, organisationId, 'entity', texts)
    return true
  }
  const { numUpdatedRows } = await tx
    .updateTable('entity_scopes')
    .set({ scopes: to })
    .where('organisation_id', '=', organisationId)
    .where('entity_id', '=', entityId)
    .where('scopes', '=', from)
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) return false
  await replaceSearchTexts(tx, organisationId, 'entity', texts)
  return true
}
