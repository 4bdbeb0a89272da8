import { isEqual } from '@cadmus/model/equal'
import { addLine, type ResolvedAttribute } from '@cadmus/model/inherit'
import type { ResolvedModel } from '@cadmus/model/resolved-model'
import type { EntityAttribute } from '@cadmus/model/entity-attribute'
import type { EntityNode } from '@cadmus/model/entity'
import { foldName } from '@cadmus/model/paths'
import { columnTypeOf, isIndexable, isSameType, keyedLength } from './column-types.ts'
import { isUnique, keyOfExactly, type Draft, type ForeignKeyAttribute } from './drafts.ts'
import type { TableEntities } from './name-conflicts.ts'
import type { ColumnType } from './tree.ts'

/** The target of a relationship's foreign key, or the reason why there is no constraint. */
type Target =
  | { kind: 'missing' }
  | { kind: 'missingAttribute'; draft: Draft }
  | { kind: 'external' | 'notUnique' | 'constrained'; draft: Draft; attribute: ResolvedAttribute }

/** The properties of a foreign key's target that its table depends on. */
export type Link = {
  readonly kind: Target['kind']
  /** Names of the entity and the attribute; '' for a missing attribute. */
  readonly entity: string
  readonly attribute: string
  readonly type: ColumnType
  /** Whether the type is the type of a table's column. */
  readonly isFollowed: boolean
  /** Whether the type could not be resolved because of a cycle of foreign keys. */
  readonly isCyclic: boolean
  /** The columns of a foreign key over several with their targets, in the order of the key that they refer to; null for one column. */
  readonly pairs: KeyPairs | null
  /** Whether the column is a text that gets a default length, and no other note reports it. */
  readonly hasDefaultLength: boolean
}

/** `problem`: why there is no constraint, with the column that it is about. */
export type KeyPairs =
  | { readonly problem: null; readonly columns: readonly string[]; readonly targets: readonly string[] }
  | { readonly problem: 'gone' | 'targetGone' | 'type' | 'notUnique'; readonly name: string; readonly target: string }

/** Resolves relationships of one state of a model to columns; each type is computed once. */
export class Targets {
  readonly #resolvedModel: ResolvedModel
  readonly #standsFor: TableEntities['standsFor']
  readonly #draftOf: (entity: EntityNode) => Draft
  readonly #keysTo: (id: number) => Iterable<ForeignKeyAttribute>
  readonly #targets = new Map<EntityAttribute, Target>()
  readonly #types = new Map<ResolvedAttribute, ColumnType>()
  readonly #cyclic = new Set<ResolvedAttribute>()
  readonly #referenced = new Map<Draft, ReadonlySet<ResolvedAttribute>>()
  readonly lookup = (id: number): EntityNode | undefined => this.#resolvedModel.byId.get(id)

  constructor(
    resolvedModel: ResolvedModel,
    standsFor: TableEntities['standsFor'],
    draftOf: (entity: EntityNode) => Draft,
    keysTo: (id: number) => Iterable<ForeignKeyAttribute>,
  ) {
    this.#resolvedModel = resolvedModel
    this.#standsFor = standsFor
    this.#draftOf = draftOf
    this.#keysTo = keysTo
  }

  /** Whether a cycle of foreign keys was found. */
  get isCyclic(): boolean {
    return this.#cyclic.size > 0
  }

  /** The draft's attributes to which foreign keys of tables refer. */
  #referencedOf(draft: Draft): ReadonlySet<ResolvedAttribute> {
    const cached = this.#referenced.get(draft)
    if (cached) return cached
    const referenced = new Set<ResolvedAttribute>()
    for (const { relationship } of this.#keysTo(draft.entity.id)) {
      const target = this.#targetOf(relationship)
      if (!('attribute' in target) || target.draft !== draft) continue
      referenced.add(target.attribute)
      for (const pair of relationship.alsoBy) {
        const attribute = draft.byName.get(foldName(pair.target))
        if (attribute) referenced.add(attribute)
      }
    }
    this.#referenced.set(draft, referenced)
    return referenced
  }

  /**
   * Adds the ids of the entities on which the key's link depends: its targets, and all that they extend. Targets that
   * are tables track their own dependencies; for other entities, the chain is followed to its end here.
   */
  addNeeds(key: ForeignKeyAttribute, needs: Set<number>): void {
    const followed = new Set([key])
    // The set grows during the iteration.
    for (const one of followed) {
      const { relationship } = one
      const { associatedEntity, alternativeTargets } = relationship
      for (const { id } of [associatedEntity, ...alternativeTargets.map(({ entity }) => entity)]) {
        addLine(id, this.lookup, needs)
        const member = this.#standsFor.get(id)
        if (member) addLine(member.id, this.lookup, needs)
      }
      const target = this.#targetOf(relationship)
      const isOutside = target.kind === 'external' || one !== key
      if (isOutside && 'attribute' in target && target.attribute.kind === 'foreignKey') followed.add(target.attribute)
    }
  }

  /** The dependencies between a table's columns and other tables, in both directions. */
  linksOf(draft: Draft): { referenced: ReadonlySet<ResolvedAttribute>; links: readonly Link[] } {
    const links = draft.foreignKeys.map(key => this.#linkOf(draft, key))
    return { referenced: this.#referencedOf(draft), links }
  }

  #linkOf(draft: Draft, key: ForeignKeyAttribute): Link {
    const target = this.#targetOf(key.relationship)
    const type = this.#typeOf(draft, key)
    return {
      kind: target.kind,
      entity: 'draft' in target ? target.draft.entity.name.trim() : key.relationship.associatedEntity.name,
      attribute: 'attribute' in target ? target.attribute.name.trim() : '',
      type,
      isFollowed: this.#isFollowed(target, type),
      isCyclic: this.#cyclic.has(key),
      hasDefaultLength: hasDefaultLength(target, type),
      pairs: this.#pairsOf(draft, key, target),
    }
  }

  #pairsOf(draft: Draft, key: ForeignKeyAttribute, target: Target): KeyPairs | null {
    const further = draft.further.get(key.relationship)
    if (!further || !('attribute' in target)) return null
    const [columns, targets]: [ResolvedAttribute[], ResolvedAttribute[]] = [[key], [target.attribute]]
    for (const { name, column, target: other } of further) {
      const attribute = target.draft.byName.get(foldName(other))
      if (!column) return { problem: 'gone', name, target: other }
      if (!attribute) return { problem: 'targetGone', name, target: other }
      if (!isSameType(this.#typeOf(draft, column), this.#typeOf(target.draft, attribute)))
        return { problem: 'type', name, target: attribute.name.trim() }
      columns.push(column)
      targets.push(attribute)
    }
    const order = keyOfExactly(target.draft, targets)
    if (!order) return { problem: 'notUnique', name: key.name, target: target.attribute.name.trim() }
    const ordered = order.map(attribute => columns[targets.indexOf(attribute)]?.name.trim() ?? '')
    return { problem: null, columns: ordered, targets: order.map(({ name }) => name.trim()) }
  }

  #targetOf(relationship: EntityAttribute): Target {
    const known = this.#targets.get(relationship)
    if (known) return known
    const { id } = relationship.associatedEntity
    const entity = this.#entityOf(id)
    const target = entity ? newTarget(relationship, this.#draftOf(entity), this.#standsFor.has(id)) : missing
    this.#targets.set(relationship, target)
    return target
  }

  /** The type of an attribute's column; a foreign key has exactly the type at the end of its chain. */
  #typeOf(draft: Draft, attribute: ResolvedAttribute): ColumnType {
    const known = this.#types.get(attribute)
    if (known) return known
    const followed = new Set<ForeignKeyAttribute>()
    let type = this.#endType(draft, attribute, followed)
    for (const key of [...followed].toReversed()) {
      type = this.#foreignKeyType(key, type)
      this.#types.set(key, type)
    }
    return type
  }

  /**
   * The type at the end of the chain of foreign keys that starts with the attribute; adds them to `followed` in order.
   */
  #endType(draft: Draft, attribute: ResolvedAttribute, followed: Set<ForeignKeyAttribute>): ColumnType {
    for (let [at, owner] = [attribute, draft]; ;) {
      const cached = this.#types.get(at)
      if (cached) return cached
      if (at.kind === 'type') {
        const type = columnTypeOf(at.attribute, isKeyed(at, owner, this.#referencedOf(owner)))
        this.#types.set(at, type)
        return type
      }
      const target = this.#targetOf(at.relationship)
      if (followed.has(at)) this.#cyclic.add(at)
      if (followed.has(at) || !('attribute' in target)) return plainKeyType(at.relationship)
      followed.add(at)
      ;[at, owner] = [target.attribute, target.draft]
    }
  }

  #isFollowed(target: Target, type: ColumnType): boolean {
    if (target.kind !== 'constrained' && target.kind !== 'notUnique') return false
    return type === this.#typeOf(target.draft, target.attribute)
  }

  #entityOf(id: number): EntityNode | undefined {
    return this.#standsFor.get(id) ?? this.#resolvedModel.byId.get(id)
  }

  #foreignKeyType({ relationship }: ForeignKeyAttribute, followed: ColumnType): ColumnType {
    const type = isIndexable(followed) || followed.kind === 'text' ? followed : plainKeyType(relationship)
    return relationship.alternativeTargets.every(alternative => this.#fits(alternative, type)) ? type : anyKeyType
  }

  /** Whether an alternative target's key has the same type; a missing one does not matter. */
  #fits({ entity, attribute: name }: EntityAttribute['alternativeTargets'][number], type: ColumnType): boolean {
    const node = this.#entityOf(entity.id)
    const draft = node && this.#draftOf(node)
    const attribute = draft?.byName.get(foldName(name))
    if (!draft || attribute?.kind !== 'type') return true
    return isSameType(this.#typeOf(draft, attribute), type)
  }
}

export function isSameLink(a: Link, b: Link | undefined): boolean {
  if (!b || a.kind !== b.kind || a.entity !== b.entity || a.attribute !== b.attribute) return false
  if (a.isFollowed !== b.isFollowed || a.isCyclic !== b.isCyclic || a.hasDefaultLength !== b.hasDefaultLength)
    return false
  return isSameType(a.type, b.type) && isEqual(a.pairs, b.pairs)
}

/** Whether the attribute's values are compared as a whole: it is a key, unique, indexed, in a group or referenced. */
export function isKeyed(
  attribute: ResolvedAttribute & { kind: 'type' },
  { key, grouped }: Draft,
  referenced: ReadonlySet<ResolvedAttribute>,
): boolean {
  if (key.includes(attribute) || referenced.has(attribute) || grouped.has(attribute)) return true
  return attribute.attribute.unique || attribute.attribute.indexed
}

const missing: Target = { kind: 'missing' }

function newTarget(
  { associatedEntityTypeAttribute: name, alsoBy }: EntityAttribute,
  draft: Draft,
  isMember: boolean,
): Target {
  const attribute = draft.byName.get(foldName(name))
  if (!attribute) return { kind: 'missingAttribute', draft }
  if (!isMember) return { kind: 'external', draft, attribute }
  const isKey = alsoBy.length > 0 || isUnique(draft, attribute)
  return { kind: isKey ? 'constrained' : 'notUnique', draft, attribute }
}

/** A type that can store the key of any entity as text. */
const anyKeyType: ColumnType = { kind: 'varchar', length: keyedLength }

/**
 * Whether a foreign key's column is a text that gets a default length. True if it has no target, or one that is not a
 * table, for which no note is given.
 */
function hasDefaultLength(target: Target, type: ColumnType): boolean {
  if (type.kind !== 'varchar') return false
  if (type === anyKeyType || target.kind !== 'external') return type === anyKeyType
  return hasNoLength(target.attribute)
}

/** Whether neither a max length nor choices limit the attribute's texts. */
export function hasNoLength(attribute: ResolvedAttribute): boolean {
  return attribute.kind === 'type' && attribute.attribute.maxLength === null && attribute.choices.length === 0
}

function plainKeyType(relationship: EntityAttribute): ColumnType {
  const { foreignKeyDataType: dataType } = relationship
  if (dataType === 'integer') return { kind: 'integer', bits: 64 }
  if (dataType === 'string') return anyKeyType
  return dataType === 'dateTime' ? { kind: 'timestamp' } : { kind: dataType === 'float' ? 'double' : dataType }
}
