import type { EntityNode } from './entity.ts'
import type { EntityLookup } from './inherit.ts'

/** An entity with what it extends, near and far. */
export type Lineage = { readonly entity: EntityNode; readonly above: Lineage | undefined }

/**
 * Lineages of one state of a model after the other: a lineage is the same object as long as the entity and all that it extends are
 * the same objects. What was found from one may be kept beside it.
 */
export class Lineages {
  readonly #kept = new WeakMap<EntityNode, Lineage>()

  /** Answers the lineages of one state of the model. */
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
    // Of those that extend themselves nothing is kept: each time they are looked at anew.
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
