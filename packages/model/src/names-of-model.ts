import { hasSameItems } from './equal.ts'
import type { EntityNode } from './entity.ts'
import { ancestorsOf, declaredAttributes, type EntityLookup } from './inherit.ts'
import { Lineages, type Lineage } from './lineages.ts'
import { mapReferences, targetColumn, type ReferenceMap } from './references.ts'

export type NamesOfModel = (entities: ReadonlyMap<number, EntityNode>) => Map<number, EntityNode>

/**
 * The entities with their references as everything is called in this very model: the names come from the uids, so that an entity
 * that was stored before a target was renamed means the same target. What is not in the model keeps the name that was stored.
 * Of one state of a model after the other: an entity that is the same object as before, and refers to nothing that is called
 * otherwise now, is answered as the same object as before.
 */
export function newNamesOfModel(): NamesOfModel {
  const lineages = new Lineages()
  const columns = new WeakMap<Lineage, ReadonlyMap<string, string>>()
  let kept = new Map<number, Named>()
  return entities => {
    const lookup: EntityLookup = id => entities.get(id)
    const lineageOf = lineages.at(lookup)
    const map = mapIn(lookup, target => {
      const lineage = lineageOf(target)
      const known = columns.get(lineage) ?? namesByUid(target, lookup)
      columns.set(lineage, known)
      return known
    })
    const now = new Map<number, Named>()
    for (const [id, stored] of entities) {
      const names = namesIn(stored, map)
      const before = kept.get(id)
      const isSame = before?.stored === stored && hasSameItems(before.names, names)
      now.set(id, isSame ? before : { stored, names, named: { ...stored, ...mapReferences(stored, map) } })
    }
    kept = now
    return new Map(Array.from(now, ([id, { named }]) => [id, named]))
  }
}

/** An entity as it was stored, what that refers to is called, and the entity that says so. */
type Named = { stored: EntityNode; names: readonly unknown[]; named: EntityNode }

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
