import type { EntityContent } from '@cadmus/model/entity'
import type { EntityAttribute } from '@cadmus/model/entity-attribute'
import type { Db } from '../../store/database.ts'
import { withPinnedTargets } from './pin-targets.ts'

type States = {
  mine: EntityContent
  /** The base with the names that it was stored with, and under the names of today. */
  stored: EntityContent
  today: EntityContent
}

/**
 * A call that names a target attribute as it was called when its base was stored, and as nothing is called now, means the same
 * attribute still.
 */
export async function withFormerTargets(
  tx: Db,
  organisationId: number,
  id: number,
  { mine, stored, today }: States,
): Promise<EntityContent> {
  const former = byUid(stored)
  const kept = byUid(today)
  const isFormer = (item: EntityAttribute) => {
    const old = former.get(item.uid)
    if (!old || item.associatedEntityTypeAttributeUid !== null || old.associatedEntityTypeAttributeUid === null)
      return false
    const isSameEntity = kept.get(item.uid)?.associatedEntity.id === item.associatedEntity.id
    return isSameEntity && old.associatedEntityTypeAttribute === item.associatedEntityTypeAttribute
  }
  if (!mine.entityAttributes.some(isFormer)) return mine
  const pinned = byUid(await withPinnedTargets(tx, organisationId, mine, id))
  const entityAttributes = mine.entityAttributes.map(item => {
    const now = kept.get(item.uid)
    const isThere = pinned.get(item.uid)?.associatedEntityTypeAttributeUid !== null
    if (!now || isThere || !isFormer(item)) return item
    const { associatedEntityTypeAttribute, associatedEntityTypeAttributeUid } = now
    return { ...item, associatedEntityTypeAttribute, associatedEntityTypeAttributeUid }
  })
  return { ...mine, entityAttributes }
}

function byUid({ entityAttributes }: EntityContent): Map<string, EntityAttribute> {
  return new Map(entityAttributes.map(item => [item.uid, item]))
}
