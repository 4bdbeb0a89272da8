import { addLine, ancestorsOf, changedIn, declaredAttributes, type EntityLookup, hasAny } from './inherit.ts'
import type { EntityNode } from './entity.ts'
import { hasSameItems } from './equal.ts'
import { mapReferences, pairTarget, targetColumn, type ReferenceMap } from './references.ts'

export type NamesOfModel = (entities: ReadonlyMap<number, EntityNode>) => ReadonlyMap<number, EntityNode>

/**
 * Updates the names in references from the uids within the model, so that entities stored before a rename refer to the current names.
 * References to entities outside keep the stored names. For successive states of a model: an entity whose stored object and referenced
 * names are unchanged is returned as the same object, and one whose names are current as it is.
 */
export function newNamesOfModel(): NamesOfModel {
  let last: ReadonlyMap<number, EntityNode> = new Map()
  let cache = new Map<number, Named>()
  return entities => {
    const changed = changedIn(last, entities)
    const lookup: EntityLookup = id => entities.get(id)
    const columns = new Map<number, ReadonlyMap<string, string>>()
    const map = mapIn(lookup, target => {
      const names = columns.get(target.id) ?? namesByUid(target, lookup)
      columns.set(target.id, names)
      return names
    })
    const now = new Map<number, Named>()
    const answer = new Map<number, EntityNode>()
    for (const [id, stored] of entities) {
      const before = cache.get(id)
      const isSame = before?.stored === stored && !hasAny(before.needs, changed)
      const one = isSame ? before : namedOf(stored, before, map, lookup)
      now.set(id, one)
      answer.set(id, one.named)
    }
    cache = now
    // Copied, because the caller may change its map.
    last = new Map(entities)
    return answer
  }
}

/**
 * The entities with the names that they have in references after a change. Those with the same references remain the same objects; the
 * references of `before` have current names.
 */
export function withFollowedReferences(
  before: ReadonlyMap<number, EntityNode>,
  after: ReadonlyMap<number, EntityNode>,
): ReadonlyMap<number, EntityNode> {
  const names = newNamesOfModel()
  const was = names(before)
  const is = names(after)
  return new Map(
    Array.from(after, ([id, entity]) => [id, is.get(id) === was.get(id) ? entity : (is.get(id) ?? entity)]),
  )
}

/**
 * Cached result for a stored entity. `needs`: the entities that it refers to; `names`: their current names; `named`:
 * the entity with those names.
 */
type Named = { stored: EntityNode; needs: readonly number[]; names: readonly unknown[]; named: EntityNode }

function namedOf(stored: EntityNode, before: Named | undefined, map: ReferenceMap, lookup: EntityLookup): Named {
  const names = namesIn(stored, map)
  const needs = needsOf(stored, lookup)
  if (before?.stored === stored && hasSameItems(before.names, names)) return { ...before, needs }
  const isCurrent = hasSameItems(namesIn(stored, unchanged), names)
  return { stored, needs, names, named: isCurrent ? stored : { ...stored, ...mapReferences(stored, map) } }
}

const unchanged: ReferenceMap = { entity: reference => reference, column: column => column }

/** Ids of all entities whose names occur in the entity. */
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

/** All names that `mapReferences` would insert. */
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
    const { associatedEntity, alsoBy, alternativeTargets } = relationship
    add.column(targetColumn(relationship), add.entity(associatedEntity), associatedEntity)
    for (const pair of alsoBy) add.column(pairTarget(pair), associatedEntity, associatedEntity)
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
