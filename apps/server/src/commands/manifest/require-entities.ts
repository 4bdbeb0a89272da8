import { setImmediate as nextTurn } from 'node:timers/promises'
import type { EntityAttribute } from '@cadmus/model/entity-attribute'
import { notFound } from '../../errors/api-error.ts'
import { inBatches } from '../../store/batches.ts'
import type { Db } from '../../store/database.ts'
import { referenceLookup, refreshed } from '../../store/entity-refresh.ts'
import { entitiesByIds, type StoredEntity } from '../../store/entity.ts'

const batchSize = 25
/** Limit of repeated reads. */
const passes = 10

/**
 * Entities by id in order, with current names in references; 404 for the first missing one. Consistent despite concurrent saves: a column
 * referred to by one of them exists in the returned state of its target.
 */
export async function requireEntities(db: Db, organisationId: number, ids: readonly number[]): Promise<StoredEntity[]> {
  const byId = new Map<number, StoredEntity>()
  await readInto(byId, db, organisationId, ids)
  for (let pass = 0; pass < passes; pass++) {
    const behind = targetsBehind(byId)
    if (behind.length === 0 || !(await readInto(byId, db, organisationId, behind))) break
  }
  return ids.map(id => {
    const entity = byId.get(id)
    if (entity === undefined || entity.hidden === 1) throw notFound(`The entity ${id}`)
    return entity
  })
}

/** Returns whether any state differs from an earlier read. */
async function readInto(
  byId: Map<number, StoredEntity>,
  db: Db,
  organisationId: number,
  ids: readonly number[],
): Promise<boolean> {
  let isOther = false
  for (const part of inBatches(ids, batchSize)) {
    const entities = await entitiesByIds(db, organisationId, part)
    const contents = [...entities.values()].map(({ content }) => content)
    const lookup = await referenceLookup(db, organisationId, contents)
    for (const [id, entity] of entities) {
      isOther ||= byId.get(id)?.content_hash !== entity.content_hash
      byId.set(id, { ...entity, content: refreshed(entity.content, lookup) })
    }
    // Contents are large, so it yields to the event loop.
    if (ids.length > batchSize) await nextTurn()
  }
  return isOther
}

/**
 * Entities read before a column was added that an entity read later refers to. Columns inherited from other entities
 * cannot be distinguished from these.
 */
function targetsBehind(byId: ReadonlyMap<number, StoredEntity>): number[] {
  const columns = new Set<string>()
  for (const { content } of byId.values())
    for (const { uid } of [...content.typeAttributes, ...content.entityAttributes]) columns.add(uid)
  const behind = new Set<number>()
  for (const { content } of byId.values())
    for (const { id, uid } of content.entityAttributes.flatMap(targetsOf))
      if (byId.has(id) && uid !== null && !columns.has(uid)) behind.add(id)
  return [...behind]
}

function targetsOf(item: EntityAttribute): { id: number; uid: string | null }[] {
  const { associatedEntity, associatedEntityTypeAttributeUid: uid, alternativeTargets } = item
  const others = alternativeTargets.map(({ entity, attributeUid }) => ({ id: entity.id, uid: attributeUid ?? null }))
  return [{ id: associatedEntity.id, uid: uid ?? null }, ...others]
}
