import type { EntityNode } from './entity.ts'
import type { EntityLookup } from './inherit.ts'

/** An entity with its ancestors. */
export type Lineage = { readonly entity: EntityNode; readonly above: Lineage | undefined }

/**
 * Lineages of successive states of a model. A lineage is the same object while the entity and all its ancestors are, so results derived
 * from it can be cached by it.
 */
export class Lineages {
  readonly #kept = new WeakMap<EntityNode, Lineage>()

  /** Lineages for one state of the model. */
  at(lookup: EntityLookup): (entity: EntityNode) => Lineage {
    const known = new Map<number, Lineage>()
    return entity => known.get(entity.id) ?? this.#follow(entity, lookup, known)
  }

  #follow(entity: EntityNode, lookup: EntityLookup, known: Map<number, Lineage>): Lineage {
    const path: EntityNode[] = []
    const passed = new Set<number>()
    let one: EntityNode | undefined = entity
    while (one && !known.has(one.id) && !passed.has(one.id)) {
      passed.add(one.id)
      path.push(one)
      one = one.extendsEntity ? lookup(one.extendsEntity.id) : undefined
    }
    // Cycles are not cached.
    const isCycle = one !== undefined && passed.has(one.id)
    let above = one && known.get(one.id)
    for (const next of path.toReversed()) {
      above = isCycle ? { entity: next, above } : this.#keep(next, above)
      known.set(next.id, above)
    }
    return above ?? { entity, above: undefined }
  }

  #keep(entity: EntityNode, above: Lineage | undefined): Lineage {
    const before = this.#kept.get(entity)
    if (before && before.above === above) return before
    const lineage = { entity, above }
    this.#kept.set(entity, lineage)
    return lineage
  }
}
