import type { ResolvedModel } from '@cadmus/model/resolved-model'
import type { EntityAttribute } from '@cadmus/model/entity-attribute'
import type { EntityNode } from '@cadmus/model/entity'
import { resolvedChecks, type ResolvedCheck } from '@cadmus/model/checks'
import { groupedColumns, resolvedGroups, type ResolvedGroup } from '@cadmus/model/groups'
import { resolvedByName, type EntityLookup, type ResolvedAttribute } from '@cadmus/model/inherit'
import { type ResolvedPair, resolvedPairs } from '@cadmus/model/key-pairs'
import { Lineages, type Lineage } from '@cadmus/model/lineages'
import { foldName } from '@cadmus/model/paths'

export type ForeignKeyAttribute = ResolvedAttribute & { kind: 'foreignKey' }

/** An entity with its resolved attributes, from which its table is made. */
export type Draft = {
  readonly entity: EntityNode
  readonly attributes: readonly ResolvedAttribute[]
  readonly foreignKeys: readonly ForeignKeyAttribute[]
  readonly byName: ReadonlyMap<string, ResolvedAttribute>
  readonly key: readonly ResolvedAttribute[]
  readonly groups: readonly ResolvedGroup[]
  readonly checks: readonly ResolvedCheck[]
  /** The further columns of foreign keys, by their relationship. */
  readonly further: ReadonlyMap<EntityAttribute, readonly ResolvedPair[]>
  /** Attributes in a group, and further columns of foreign keys. */
  readonly grouped: ReadonlySet<ResolvedAttribute>
}

/** Returns the draft of an entity in one state of a model; creates each draft once. */
export function draftsOf({ byId }: ResolvedModel): (entity: EntityNode) => Draft {
  const drafts = new Map<number, Draft>()
  const lookup: EntityLookup = id => byId.get(id)
  return entity => {
    const known = drafts.get(entity.id)
    if (known) return known
    const draft = newDraft(entity, lookup)
    drafts.set(entity.id, draft)
    return draft
  }
}

/**
 * Caches drafts over successive states of a model: reused while an entity and all that it extends are the same objects.
 */
export class DraftCache {
  readonly #lineages = new Lineages()
  readonly #cache = new WeakMap<Lineage, Draft>()

  /** A function that returns the drafts of the given state. */
  at({ byId }: ResolvedModel): (entity: EntityNode) => Draft {
    const lookup: EntityLookup = id => byId.get(id)
    const lineageOf = this.#lineages.at(lookup)
    return entity => {
      const lineage = lineageOf(entity)
      const draft = this.#cache.get(lineage) ?? newDraft(entity, lookup)
      this.#cache.set(lineage, draft)
      return draft
    }
  }
}

function newDraft(entity: EntityNode, lookup: EntityLookup): Draft {
  const byName = resolvedByName(entity, lookup)
  const attributes = [...byName.values()]
  const groups = resolvedGroups(entity, lookup, byName)
  const foreignKeys = attributes.filter(attribute => attribute.kind === 'foreignKey')
  const further = furtherColumns(entity, foreignKeys, lookup, byName)
  const paired = [...further.values()].flat().flatMap(({ column }) => column ?? [])
  const grouped = groupedColumns(groups)
  return {
    entity,
    attributes,
    foreignKeys,
    byName,
    key: inKeyOrder(
      attributes.filter(attribute => attribute.isPrimaryKey),
      groups,
    ),
    groups,
    checks: resolvedChecks(entity, lookup, byName),
    further,
    grouped: paired.length === 0 ? grouped : new Set([...grouped, ...paired]),
  }
}

function furtherColumns(
  entity: EntityNode,
  foreignKeys: readonly ForeignKeyAttribute[],
  lookup: EntityLookup,
  byName: Draft['byName'],
): Draft['further'] {
  const withPairs = foreignKeys.filter(({ relationship }) => relationship.alsoBy.length > 0)
  return new Map(
    withPairs.map(({ relationship }) => [
      relationship,
      resolvedPairs(relationship, entity, lookup, name => byName.get(foldName(name))),
    ]),
  )
}

/** The columns of the key in the order of the nearest group of kind 'key' that has exactly these. */
function inKeyOrder(key: readonly ResolvedAttribute[], groups: readonly ResolvedGroup[]): readonly ResolvedAttribute[] {
  const order = groups
    .filter(({ group }) => group.kind === 'key')
    .findLast(({ members }) => members.length === key.length && members.every(({ column }) => key.includes(column)))
  return order ? order.members.map(({ column }) => column) : key
}

/** The attributes in the order of the key, or of the unique group, that has exactly these; undefined without one. */
export function keyOfExactly(
  { key, groups }: Draft,
  attributes: readonly ResolvedAttribute[],
): readonly ResolvedAttribute[] | undefined {
  const chosen = new Set(attributes)
  if (chosen.size < attributes.length || attributes.some(isObject)) return undefined
  const isExactly = (columns: readonly ResolvedAttribute[]) =>
    columns.length === chosen.size && columns.every(column => chosen.has(column))
  if (isExactly(key)) return key
  const unique = groups.filter(({ group, isWhole }) => group.kind === 'unique' && isWhole)
  return unique.map(({ members }) => members.map(({ column }) => column)).find(isExactly)
}

/** Whether at most one row has a given value: it is the whole primary key or declared unique. */
export function isUnique(draft: Draft, attribute: ResolvedAttribute): boolean {
  if (draft.key.length === 1 && draft.key[0] === attribute) return !isObject(attribute)
  return isDeclaredUnique(attribute) && !isObject(attribute)
}

export function isDeclaredUnique(attribute: ResolvedAttribute): boolean {
  return attribute.kind === 'type' ? attribute.attribute.unique : attribute.relationship.unique
}

function isObject(attribute: ResolvedAttribute): boolean {
  return attribute.dataType === 'object'
}
