import { addLine, changedIn, hasAny } from './changed.ts'
import type { EntityNode } from './entity.ts'
import { hasSameItems } from './equal.ts'
import { ancestorsOf, declaredAttributes, type EntityLookup } from './inherit.ts'
import { mapReferences, targetColumn, type ReferenceMap } from './references.ts'

export type NamesOfModel = (entities: ReadonlyMap<number, EntityNode>) => ReadonlyMap<number, EntityNode>

/**
 * The entities with their references as everything is called in this very model: the names come from the uids, so that an entity
 * that was stored before a target was renamed means the same target. What is not in the model keeps the name that was stored.
 * Of one state of a model after the other: an entity that is the same object as before, and refers to nothing that is called
 * otherwise now, is answered as the same object as before.
 */
export function newNamesOfModel(): NamesOfModel {
  let last: ReadonlyMap<number, EntityNode> = new Map()
  let kept = new Map<number, Named>()
  return entities => {
    const changed = changedIn(last, entities)
    const lookup: EntityLookup = id => entities.get(id)
    const columns = new Map<number, ReadonlyMap<string, string>>()
    const map = mapIn(lookup, target => {
      const known = columns.get(target.id) ?? namesByUid(target, lookup)
      columns.set(target.id, known)
      return known
    })
    const now = new Map<number, Named>()
    const answer = new Map<number, EntityNode>()
    for (const [id, stored] of entities) {
      const before = kept.get(id)
      const isSame = before?.stored === stored && !hasAny(before.needs, changed)
      const one = isSame ? before : namedOf(stored, before, map, lookup)
      now.set(id, one)
      answer.set(id, one.named)
    }
    kept = now
    // What another one changes must not change here.
    last = new Map(entities)
    return answer
  }
}

/** An entity as it was stored, what that refers to, what is called how there, and the entity that says so. */
type Named = { stored: EntityNode; needs: readonly number[]; names: readonly unknown[]; named: EntityNode }

function namedOf(stored: EntityNode, before: Named | undefined, map: ReferenceMap, lookup: EntityLookup): Named {
  const names = namesIn(stored, map)
  const needs = needsOf(stored, lookup)
  const isSame = before?.stored === stored && hasSameItems(before.names, names)
  return { stored, needs, names, named: isSame ? before.named : { ...stored, ...mapReferences(stored, map) } }
}

/** All that the names in the entity come from. */
function needsOf({ extendsEntity, entityAttributes }: EntityNode, lookup: EntityLookup): readonly number[] {
  const needs = new Set<number>()
  if (extendsEntity) addLine(extendsEntity.id, lookup, needs)
  for (const { associatedEntity, alternativeTargets } of entityAttributes) {
    addLine(associatedEntity.id, lookup, needs)
    for (const { entity } of alternativeTargets) addLine(entity.id, lookup, needs)
  }
  return [...needs]
}

function mapIn(lookup: EntityLookup, columnsOf: (target: EntityNode) => ReadonlyMap<string, string>): ReferenceMap {
  return {
    entity(reference) {
      const target = lookup(reference.id)
      return target ? { id: target.id, uid: target.uid, name: target.name, path: target.path } : reference
    },
    column(column, { id }) {
      const target = column.uid === undefined ? undefined : lookup(id)
      const name = target && column.uid !== undefined ? columnsOf(target).get(column.uid) : undefined
      return name === undefined ? column : { ...column, name }
    },
  }
}

/** All that `mapReferences` would put into the entity. */
function namesIn({ extendsEntity, entityAttributes }: EntityNode, map: ReferenceMap): unknown[] {
  const names: unknown[] = []
  const add: ReferenceMap = {
    entity(reference) {
      const { id, uid, name, path } = map.entity(reference)
      names.push(id, uid, name, path)
      return reference
    },
    column(column, entity, before) {
      names.push(map.column(column, entity, before).name)
      return column
    },
  }
  if (extendsEntity) add.entity(extendsEntity)
  for (const relationship of entityAttributes) {
    const { associatedEntity, alternativeTargets } = relationship
    add.column(targetColumn(relationship), add.entity(associatedEntity), associatedEntity)
    for (const { entity, attribute, attributeUid } of alternativeTargets) {
      add.column({ name: attribute, uid: attributeUid }, add.entity(entity), entity)
    }
  }
  return names
}

function namesByUid(entity: EntityNode, lookup: EntityLookup): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  for (const declaring of [entity, ...ancestorsOf(entity, lookup)].toReversed()) {
    for (const column of declaredAttributes(declaring)) {
      names.set(column.kind === 'type' ? column.attribute.uid : column.relationship.uid, column.name)
    }
  }
  return names
}
