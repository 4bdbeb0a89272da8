import { setImmediate as nextTurn } from 'node:timers/promises'
import type { EntityAttribute } from '@cadmus/model/entity-attribute'
import { notFound } from '../../errors/api-error.ts'
import { inBatches } from '../../store/batches.ts'
import type { Db } from '../../store/database.ts'
import { referenceLookup, refreshed } from '../../store/entity-refresh.ts'
import { entitiesByIds, type StoredEntity } from '../../store/entity.ts'

const readAtOnce = 25
/** So often is read again what was behind. */
const passes = 10

/**
 * Entities by ids in that order, their references under the names of today; 404 for the first that is not there. Others save
 * meanwhile: whatever one of them refers to in another is in what is answered of that.
 */
export async function foundEntities(db: Db, organisationId: number, ids: readonly number[]): Promise<StoredEntity[]> {
  const found = new Map<number, StoredEntity>()
  await readInto(found, db, organisationId, ids)
  for (let pass = 0; pass < passes; pass++) {
    const behind = targetsBehind(found)
    if (behind.length === 0 || !(await readInto(found, db, organisationId, behind))) break
  }
  return ids.map(id => {
    const entity = found.get(id)
    if (entity === undefined || entity.hidden === 1) throw notFound(`The entity ${id}`)
    return entity
  })
}

/** Whether anything is another state than was read of it before. */
async function readInto(
  found: Map<number, StoredEntity>,
  db: Db,
  organisationId: number,
  ids: readonly number[],
): Promise<boolean> {
  let isOther = false
  for (const part of inBatches(ids, readAtOnce)) {
    const entities = await entitiesByIds(db, organisationId, part)
    const contents = [...entities.values()].map(({ content }) => content)
    const lookup = await referenceLookup(db, organisationId, contents)
    for (const [id, entity] of entities) {
      isOther ||= found.get(id)?.content_hash !== entity.content_hash
      found.set(id, { ...entity, content: refreshed(entity.content, lookup) })
    }
    // Contents are large: others get their turn in between.
    if (ids.length > readAtOnce) await nextTurn()
  }
  return isOther
}

/** Those that were read before a column came to be that another one, read later, refers to. What is inherited from elsewhere looks like it. */
function targetsBehind(found: ReadonlyMap<number, StoredEntity>): number[] {
  const columns = new Set<string>()
  for (const { content } of found.values())
    for (const { uid } of [...content.typeAttributes, ...content.entityAttributes]) columns.add(uid)
  const behind = new Set<number>()
  for (const { content } of found.values())
    for (const { id, uid } of content.entityAttributes.flatMap(targetsOf))
      if (found.has(id) && uid !== null && !columns.has(uid)) behind.add(id)
  return [...behind]
}

function targetsOf(item: EntityAttribute): { id: number; uid: string | null }[] {
  const { associatedEntity, associatedEntityTypeAttributeUid: uid, alternativeTargets } = item
  const others = alternativeTargets.map(({ entity, attributeUid }) => ({ id: entity.id, uid: attributeUid ?? null }))
  return [{ id: associatedEntity.id, uid: uid ?? null }, ...others]
}
