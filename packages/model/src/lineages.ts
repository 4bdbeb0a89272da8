import type { EntityNode } from './entity.ts'
import type { EntityLookup } from './inherit.ts'

/** An entity with its ancestors. */
export type Lineage = { readonly entity: EntityNode; readonly above: Lineage | undefined }

/**
 * Lineages of successive states of a model. A lineage is the same object while the entity and all its ancestors are, so results derived
 * from it can be cached by it.
 */
export class Lineages {
  readonly #cache = new WeakMap<EntityNode, Lineage>()

  /** Lineages for one state of the model. */
  at(lookup: EntityLookup): (entity: EntityNode) => Lineage {
    const current = new Map<number, Lineage>()
    return entity => current.get(entity.id) ?? this.#follow(entity, lookup, current)
  }

  #follow(entity: EntityNode, lookup: EntityLookup, current: Map<number, Lineage>): Lineage {
    const path: EntityNode[] = []
    const passed = new Set<number>()
    let one: EntityNode | undefined = entity
    while (one && !current.has(one.id) && !passed.has(one.id)) {
      passed.add(one.id)
      path.push(one)
      one = one.extendsEntity ? lookup(one.extendsEntity.id) : undefined
    }
    // Cycles are not cached.
    const isCycle = one !== undefined && passed.has(one.id)
    let above = one && current.get(one.id)
    for (const next of path.toReversed()) {
      above = isCycle ? { entity: next, above } : this.#cached(next, above)
      current.set(next.id, above)
    }
    return above ?? { entity, above: undefined }
  }

  #cached(entity: EntityNode, above: Lineage | undefined): Lineage {
    const before = this.#cache.get(entity)
    if (before && before.above === above) return before
    const lineage = { entity, above }
    this.#cache.set(entity, lineage)
    return lineage
  }
}
