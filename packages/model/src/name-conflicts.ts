import type { ResolvedModel } from './resolved-model.ts'
import type { EntityNode } from './entity.ts'
import { ancestorsOf } from './inherit.ts'
import { foldName } from './paths.ts'

export type NameConflicts = {
  /** By entity id: the entity whose table it uses, that is itself or the most derived entity of its name. */
  standsFor: ReadonlyMap<number, EntityNode>
  /** Pairs of entities with the same name of which neither extends the other. */
  unrelated: readonly (readonly [EntityNode, EntityNode])[]
}

/**
 * Name conflicts of a resolved model; cached. Among related entities of the same name the most derived one is the table, and references lead to
 * it.
 */
export function nameConflictsOf(resolvedModel: ResolvedModel): NameConflicts {
  const conflicts = cache.get(resolvedModel) ?? findNameConflicts(resolvedModel)
  cache.set(resolvedModel, conflicts)
  return conflicts
}

const cache = new WeakMap<ResolvedModel, NameConflicts>()

function findNameConflicts(resolvedModel: ResolvedModel): NameConflicts {
  const { entities } = resolvedModel
  // Fast path: most models have no repeated names.
  if (new Set(entities.map(({ name }) => foldName(name))).size === entities.length) {
    return { standsFor: new Map(entities.map(entity => [entity.id, entity])), unrelated: [] }
  }
  const groups = Map.groupBy(entities, entity => foldName(entity.name))
  const standsFor = new Map<number, EntityNode>()
  const unrelated: (readonly [EntityNode, EntityNode])[] = []
  for (const group of groups.values()) {
    const [first] = group
    if (!first) continue
    if (group.length === 1) {
      standsFor.set(first.id, first)
      continue
    }
    const above = new Map(group.map(entity => [entity.id, ancestorIds(entity, resolvedModel)]))
    const isAbove = (parent: EntityNode, child: EntityNode) => above.get(child.id)?.has(parent.id) ?? false
    const derived = group.reduce((cache, entity) => (isAbove(cache, entity) ? entity : cache), first)
    for (const entity of group) {
      const isRelated = entity === derived || isAbove(entity, derived)
      standsFor.set(entity.id, isRelated ? derived : entity)
      if (!isRelated) unrelated.push([derived, entity])
    }
  }
  return { standsFor, unrelated }
}

function ancestorIds(entity: EntityNode, { byId }: ResolvedModel): ReadonlySet<number> {
  return new Set(ancestorsOf(entity, id => byId.get(id)).map(ancestor => ancestor.id))
}
