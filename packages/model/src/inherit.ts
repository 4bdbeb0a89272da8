import type { EntityAttribute } from './entity-attribute.ts'
import type { EntityNode } from './entity.ts'
import { foldName } from './paths.ts'
import { type DataType, isPrimaryKey, type TypeAttribute } from './type-attribute.ts'

export type EntityLookup = (id: number) => EntityNode | undefined

/** A column including inherited ones: a type attribute or the foreign key of a relationship, with its declaring entity. */
export type ResolvedAttribute = {
  name: string
  dataType: DataType
  isPrimaryKey: boolean
  nullable: boolean
  maxLength: number | null
  choices: readonly string[]
  origin: 'own' | 'inherited'
  declaredBy: { id: number; name: string; path: string }
} & ({ kind: 'type'; attribute: TypeAttribute } | { kind: 'foreignKey'; relationship: EntityAttribute })

/** Ancestors of an entity, nearest first. Stops at a repetition, so a cycle ends. */
export function ancestorsOf(entity: EntityNode, lookup: EntityLookup): EntityNode[] {
  const ancestors: EntityNode[] = []
  const passed = new Set([entity.id])
  let parent = entity.extendsEntity && lookup(entity.extendsEntity.id)
  while (parent && !passed.has(parent.id)) {
    passed.add(parent.id)
    ancestors.push(parent)
    parent = parent.extendsEntity && lookup(parent.extendsEntity.id)
  }
  return ancestors
}

/** Whether making `parent` the parent of `child` would close a cycle. */
export function closesExtendsCycle(child: Pick<EntityNode, 'id'>, parent: EntityNode, lookup: EntityLookup): boolean {
  return parent.id === child.id || ancestorsOf(parent, lookup).some(ancestor => ancestor.id === child.id)
}

/**
 * All attributes of an entity: those of the farthest ancestor first, its own last; type attributes and foreign keys by their common
 * position. A repeated name is overridden by the nearer declaration in the earlier place. Only the nearest key is a primary key: an
 * inherited one counts if the entity has no own key.
 */
export function resolvedAttributes(
  entity: EntityNode,
  lookup: EntityLookup,
  declaredOf: DeclaredOf = declaredAttributes,
): ResolvedAttribute[] {
  return [...resolvedByName(entity, lookup, declaredOf).values()]
}

type DeclaredOf = (entity: EntityNode, origin: 'own' | 'inherited') => readonly ResolvedAttribute[]

/** Resolved attributes by folded name. */
export function resolvedByName(
  entity: EntityNode,
  lookup: EntityLookup,
  declaredOf: DeclaredOf = declaredAttributes,
): Map<string, ResolvedAttribute> {
  const byName = new Map<string, ResolvedAttribute>()
  // Names of the current keys; keys of the same declaring entity do not demote each other.
  let keys: string[] = []
  for (const declaring of [entity, ...ancestorsOf(entity, lookup)].toReversed()) {
    const declared = declaredOf(declaring, declaring.id === entity.id ? 'own' : 'inherited')
    const own: string[] = []
    for (const attribute of declared) {
      const name = foldName(attribute.name)
      if (attribute.isPrimaryKey) {
        demote(byName, keys)
        keys = []
        own.push(name)
      }
      byName.set(name, attribute)
    }
    for (const name of own) if (byName.get(name)?.isPrimaryKey) keys.push(name)
  }
  return byName
}

/** Own attributes and foreign keys, by position. */
export function declaredAttributes(
  entity: Pick<EntityNode, 'id' | 'name' | 'path' | 'typeAttributes' | 'entityAttributes'>,
  origin: 'own' | 'inherited' = 'own',
): ResolvedAttribute[] {
  const declaredBy = { id: entity.id, name: entity.name, path: entity.path }
  const own = entity.typeAttributes.map(attribute => ofType(attribute, origin, declaredBy))
  const keys = entity.entityAttributes.map(relationship => ofForeignKey(relationship, origin, declaredBy))
  return [...own, ...keys].sort((a, b) => positionOf(a) - positionOf(b))
}

function positionOf(attribute: ResolvedAttribute): number {
  return attribute.kind === 'type' ? attribute.attribute.position : attribute.relationship.position
}

function ofType(
  attribute: TypeAttribute,
  origin: 'own' | 'inherited',
  declaredBy: ResolvedAttribute['declaredBy'],
): ResolvedAttribute {
  const { name, dataType, nullable, maxLength, choices } = attribute
  return {
    kind: 'type',
    name,
    dataType,
    isPrimaryKey: isPrimaryKey(attribute),
    nullable,
    maxLength,
    choices,
    origin,
    declaredBy,
    attribute,
  }
}

function ofForeignKey(
  relationship: EntityAttribute,
  origin: 'own' | 'inherited',
  declaredBy: ResolvedAttribute['declaredBy'],
): ResolvedAttribute {
  const { foreignKeyTypeAttribute: name, foreignKeyDataType: dataType, nullable } = relationship
  const isKey = relationship.foreignKeyPurpose === 'identifiedBy'
  return {
    kind: 'foreignKey',
    name,
    dataType,
    isPrimaryKey: isKey,
    nullable,
    maxLength: null,
    choices: [],
    origin,
    declaredBy,
    relationship,
  }
}

function demote(byName: Map<string, ResolvedAttribute>, keys: readonly string[]): void {
  for (const name of keys) {
    const attribute = byName.get(name)
    if (attribute?.isPrimaryKey) byName.set(name, { ...attribute, isPrimaryKey: false })
  }
}

/** Ids whose value was added, removed or replaced. */
export function changedIn<T>(before: ReadonlyMap<number, T>, now: ReadonlyMap<number, T>): Set<number> {
  const changed = new Set<number>()
  let commonCount = 0
  for (const [id, one] of now) {
    const other = before.get(id)
    if (other !== undefined) commonCount += 1
    if (other !== one) changed.add(id)
  }
  if (commonCount < before.size) for (const id of before.keys()) if (!now.has(id)) changed.add(id)
  return changed
}

/** Adds the ids of an entity and all its ancestors, existing or not. */
export function addLine(id: number, lookup: EntityLookup, ids: Set<number>): void {
  for (let next: number | undefined = id; next !== undefined && !ids.has(next);) {
    ids.add(next)
    next = lookup(next)?.extendsEntity?.id
  }
}

export function hasAny(ids: readonly number[], among: ReadonlySet<number>): boolean {
  return among.size > 0 && ids.some(id => among.has(id))
}
