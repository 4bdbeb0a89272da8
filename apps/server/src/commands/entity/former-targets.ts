import { applyEntityEdits, type EntityEdit, entityEditsBetween } from '@cadmus/model/edits/entity-edits'
import type { EntityContent } from '@cadmus/model/entity'
import type { EntityAttribute, EntityReference } from '@cadmus/model/entity-attribute'
import { mapReferences } from '@cadmus/model/references'
import type { Db } from '../../store/database.ts'
import type { ReferenceLookup } from '../../store/entity-refresh.ts'
import { referencesIn } from '../../store/open-reference.ts'
import { withPinnedTargets } from './pin-targets.ts'

type States = {
  mine: EntityContent
  /** The base with its stored names; `today`: with current names. */
  stored: EntityContent
  today: EntityContent
}

/**
 * Updates target attributes whose former name the request contains and no attribute has any more: the request means the
 * renamed attribute.
 */
export async function withFormerTargets(
  tx: Db,
  organisationId: number,
  id: number,
  { mine, stored, today }: States,
): Promise<EntityContent> {
  const former = byUid(stored)
  const current = byUid(today)
  const isFormer = (item: EntityAttribute) => {
    const old = former.get(item.uid)
    if (!old || item.associatedEntityTypeAttributeUid !== null || old.associatedEntityTypeAttributeUid === null)
      return false
    const isSameEntity = current.get(item.uid)?.associatedEntity.id === item.associatedEntity.id
    return isSameEntity && old.associatedEntityTypeAttribute === item.associatedEntityTypeAttribute
  }
  if (!mine.entityAttributes.some(isFormer)) return mine
  const resolveNames = byUid(await withPinnedTargets(tx, organisationId, mine, id))
  const entityAttributes = mine.entityAttributes.map(item => {
    const now = current.get(item.uid)
    const isThere = resolveNames.get(item.uid)?.associatedEntityTypeAttributeUid !== null
    if (!now || isThere || !isFormer(item)) return item
    const { associatedEntityTypeAttribute, associatedEntityTypeAttributeUid } = now
    return { ...item, associatedEntityTypeAttribute, associatedEntityTypeAttributeUid }
  })
  return { ...mine, entityAttributes }
}

/**
 * Updates a request that refers to entities by ids of its base, some of which have changed since. An id that no longer
 * resolves is not a change.
 */
export function withCurrentIds(
  edits: readonly EntityEdit[],
  today: EntityContent,
  { stored, lookup }: { stored: EntityContent; lookup: ReferenceLookup },
): readonly EntityEdit[] {
  const moved = new Map<number, EntityReference>()
  for (const reference of referencesIn(stored)) {
    const now = lookup.entity(reference) ?? { ...reference, id: -1 }
    if (reference.id > 0 && now.id !== reference.id) moved.set(reference.id, now)
  }
  if (moved.size === 0 || edits.length === 0) return edits
  const current = byUid(today)
  const edited = mapReferences(applyEntityEdits(today, edits), {
    entity: reference => moved.get(reference.id) ?? reference,
    column: column => column,
  })
  const entityAttributes = edited.entityAttributes.map(item => {
    const before = current.get(item.uid)
    const { associatedEntityTypeAttribute: name, associatedEntityTypeAttributeUid: uid } = item
    if (uid !== null || before?.associatedEntity.id !== item.associatedEntity.id) return item
    if (before.associatedEntityTypeAttribute !== name) return item
    return { ...item, associatedEntityTypeAttributeUid: before.associatedEntityTypeAttributeUid }
  })
  return entityEditsBetween(today, { ...edited, entityAttributes })
}

function byUid({ entityAttributes }: EntityContent): Map<string, EntityAttribute> {
  return new Map(entityAttributes.map(item => [item.uid, item]))
}
