import type { EntityNode } from './entity.ts'
import { ancestorsOf } from './inherit.ts'
import { limits } from './limits.ts'
import { messages } from './messages.ts'
import { nameConflictTexts } from './messages/validation.ts'
import { folderOf, foldName } from './paths.ts'
import type { ResolvedModel } from './resolved-model.ts'

export type NameConflicts = {
  /** By entity id: the entity whose table it uses, that is itself or the most derived entity of its name. */
  standsFor: ReadonlyMap<number, EntityNode>
  /** Pairs of entities with the same name, neither of which extends the other. */
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

/** prefix: prepends the folder's name; rename: appends a number; leaveOut: removes it from the manifest. */
export const nameConflictStrategies = ['prefix', 'rename', 'leaveOut'] as const
export type NameConflictStrategy = (typeof nameConflictStrategies)[number]

/** Stored facts about an entity with a name conflict. */
export type NameConflictFacts = {
  /** Reason why it cannot be renamed; undefined if it can. */
  locked: string | undefined
  /** Manifests of the resolved model that list it. */
  listedIn: readonly { id: number; name: string; locked: boolean; owns: boolean }[]
  /** All custom manifests that list it, including those outside the resolved model; 0: no manifest. */
  places: ReadonlySet<number>
  /** Folded names in use by other entities in these places. */
  taken: ReadonlySet<string>
}

/** A step towards unique names. */
export type NameConflictStep = {
  entity: EntityNode
  /** The entity that keeps the name. */
  keeper: EntityNode
} & (
  | { action: 'rename'; name: string }
  /** `deletes`: a manifest of the resolved model owns the entity, so removing deletes it. `reason`: why it is not renamed. */
  | { action: 'leaveOut'; from: readonly { id: number; name: string }[]; deletes: boolean; reason: string | undefined }
  /** The conflict cannot be resolved. */
  | { action: 'none'; reason: string }
)

/**
 * Steps after which every name in a manifest with its sub-manifests means one table; each is valid after the previous ones. One of the
 * unrelated entities keeps the name, preferably one that cannot be changed. Entities that cannot be renamed are removed.
 */
export function nameConflictPlan(
  resolvedModel: ResolvedModel,
  strategy: NameConflictStrategy,
  facts: ReadonlyMap<number, NameConflictFacts>,
): NameConflictStep[] {
  const taken = new Set(resolvedModel.entities.map(({ name }) => foldName(name)))
  return groupsOf(resolvedModel).flatMap(group => {
    const families = familiesOf(group, resolvedModel)
    const keeping = keepingFamily(families, strategy, facts)
    const [keeper] = keeping ?? []
    if (!keeper) return []
    return families
      .filter(family => family !== keeping)
      .flatMap(family => stepsOf(family, { keeper, strategy, facts, taken, resolvedModel }))
  })
}

/** Entities with a name conflict, whose facts are required. */
export function entitiesWithNameConflicts(resolvedModel: ResolvedModel): EntityNode[] {
  return groupsOf(resolvedModel).flat()
}

function groupsOf(resolvedModel: ResolvedModel): EntityNode[][] {
  const names = new Set(nameConflictsOf(resolvedModel).unrelated.map(([, entity]) => foldName(entity.name)))
  const groups = Map.groupBy(resolvedModel.entities, ({ name }) => foldName(name))
  return Array.from(groups).flatMap(([name, group]) => (names.has(name) ? [group] : []))
}

/** Groups of related entities, which share a table; the most derived one comes first. */
function familiesOf(group: readonly EntityNode[], { byId }: ResolvedModel): EntityNode[][] {
  const above = new Map(
    group.map(entity => [entity.id, new Set(ancestorsOf(entity, id => byId.get(id)).map(({ id }) => id))]),
  )
  const isAbove = (parent: EntityNode, child: EntityNode) => above.get(child.id)?.has(parent.id) ?? false
  const families: EntityNode[][] = []
  for (let open = [...group]; open.length > 0;) {
    const derived = open.reduce((candidate, entity) => (isAbove(candidate, entity) ? entity : candidate))
    families.push([derived, ...open.filter(entity => isAbove(entity, derived))])
    open = open.filter(entity => entity !== derived && !isAbove(entity, derived))
  }
  return families
}

type Facts = ReadonlyMap<number, NameConflictFacts>

/**
 * The group that keeps the name: one that can be neither renamed nor removed; else, if names change, one that cannot be renamed; else the
 * first.
 */
function keepingFamily(
  families: readonly EntityNode[][],
  strategy: NameConflictStrategy,
  facts: Facts,
): EntityNode[] | undefined {
  const isBound = ({ id }: EntityNode) => facts.get(id)?.listedIn.some(({ locked }) => locked) ?? true
  const isLocked = ({ id }: EntityNode) => facts.get(id)?.locked !== undefined
  const immovable = families.find(family => family.some(entity => isBound(entity) && isLocked(entity)))
  const locked = strategy === 'leaveOut' ? undefined : families.find(family => family.some(isLocked))
  return immovable ?? locked ?? families[0]
}

type Step = {
  keeper: EntityNode
  strategy: NameConflictStrategy
  facts: Facts
  taken: Set<string>
  resolvedModel: ResolvedModel
}

function stepsOf(
  family: readonly EntityNode[],
  { keeper, strategy, facts, taken, resolvedModel }: Step,
): NameConflictStep[] {
  const assigned: { name: string; places: ReadonlySet<number> }[] = []
  return family.map(entity => {
    const entityFacts = facts.get(entity.id)
    const reason = entityFacts ? entityFacts.locked : messages.locked.default
    if (strategy !== 'leaveOut' && entityFacts && reason === undefined) {
      // Related entities get the same name, unless a manifest lists both.
      const again = assigned.find(before => isFree(before, entityFacts))?.name
      const name =
        again ??
        freeName(entity, strategy, resolvedModel, proposed => taken.has(proposed) || entityFacts.taken.has(proposed))
      assigned.push({ name, places: entityFacts.places })
      taken.add(foldName(name))
      return { entity, keeper, action: 'rename', name }
    }
    return leftOut(entity, keeper, entityFacts, strategy === 'leaveOut' ? undefined : reason)
  })
}

function isFree(
  { name, places }: { name: string; places: ReadonlySet<number> },
  entityFacts: NameConflictFacts,
): boolean {
  return !entityFacts.taken.has(foldName(name)) && ![...places].some(place => entityFacts.places.has(place))
}

function leftOut(
  entity: EntityNode,
  keeper: EntityNode,
  entityFacts: NameConflictFacts | undefined,
  reason: string | undefined,
): NameConflictStep {
  const from = entityFacts?.listedIn ?? []
  const bound = from.find(({ locked }) => locked)
  if (bound || from.length === 0)
    return { entity, keeper, action: 'none', reason: nameConflictTexts.bound(bound?.name ?? '') }
  const deletes = from.some(({ owns }) => owns)
  return { entity, keeper, action: 'leaveOut', from: from.map(({ id, name }) => ({ id, name })), deletes, reason }
}

function freeName(
  entity: EntityNode,
  strategy: NameConflictStrategy,
  resolvedModel: ResolvedModel,
  isTaken: (folded: string) => boolean,
): string {
  const name = identifier(entity.name) || 'Entity'
  const base = strategy === 'prefix' ? prefixed(folderNameOf(entity, resolvedModel), name) : name
  for (let number = strategy === 'prefix' ? 1 : 2; ; number++) {
    const ending = number === 1 ? '' : /\d$/.test(base) ? `_${number}` : String(number)
    const proposed = `${trimmed(base.slice(0, limits.entityName.max - ending.length))}${ending}`
    if (proposed.length >= limits.entityName.min && !isTaken(foldName(proposed))) return proposed
  }
}

/** The folder of an entity; for one without a manifest, the folder of the manifest that includes it. */
function folderNameOf({ id, path }: EntityNode, { owner, manifests }: ResolvedModel): string {
  const folder = folderOf(path).split('/').slice(1).at(-1)
  return folder ?? manifests.find(manifest => manifest.id === owner.get(id))?.name ?? ''
}

function prefixed(folder: string, name: string): string {
  const before = trimmed(identifier(folder).slice(0, Math.max(0, limits.entityName.max - name.length - 1)))
  return before === '' ? name : `${before}_${name}`
}

/** The part of a name that follows the name pattern. */
function identifier(name: string): string {
  return trimmed(
    name
      .slice(0, 2 * limits.entityName.max)
      .normalize('NFKD')
      .replace(/[^A-Za-z0-9]+/g, '_')
      .replace(/^[^A-Za-z]+/, ''),
  )
}

function trimmed(name: string): string {
  return name.endsWith('_') ? name.slice(0, -1) : name
}
