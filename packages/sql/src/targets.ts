import { addLine } from '@cadmus/model/changed'
import type { Closure } from '@cadmus/model/closure'
import type { EntityAttribute } from '@cadmus/model/entity-attribute'
import type { EntityNode } from '@cadmus/model/entity'
import type { ResolvedAttribute } from '@cadmus/model/inherit'
import { foldName } from '@cadmus/model/paths'
import { columnTypeOf, isIndexable, isSameType, keyedLength } from './column-types.ts'
import { isUnique, type Draft, type ForeignKeyAttribute } from './drafts.ts'
import type { TableEntities } from './namesakes.ts'
import type { Referrers } from './referrers.ts'
import type { ColumnType } from './tree.ts'

/** What a relationship's foreign key points at, or why it has no constraint. */
type Target =
  | { kind: 'missing' }
  | { kind: 'missingAttribute'; draft: Draft; isMember: boolean }
  | { kind: 'external' | 'notUnique' | 'constrained'; draft: Draft; isMember: boolean; attribute: ResolvedAttribute }

/** All that a table says of what one of its foreign keys refers to. */
export type Link = {
  readonly kind: Target['kind']
  /** What the entity and the attribute are called; '' for an attribute that is not there. */
  readonly entity: string
  readonly attribute: string
  readonly type: ColumnType
  /** Whether the type is that of a column of a table. */
  readonly isFollowed: boolean
  /** Whether the key's type could not be followed to a column that is none. */
  readonly isCyclic: boolean
  /** Whether the column is a text that gets a length to be compared as a whole, and nobody else would say so. */
  readonly isGivenLength: boolean
}

/** What was found of relationships in one state of a model, for the next. */
export type KnownTargets = {
  readonly targets: WeakMap<EntityAttribute, Target>
  readonly links: WeakMap<ForeignKeyAttribute, { target: Target; link: Link }>
}

/** Follows relationships to their columns; each type is found once. */
export class Targets {
  readonly #closure: Closure
  readonly #standsFor: TableEntities['standsFor']
  readonly #draftOf: (entity: EntityNode) => Draft
  readonly #referrers: Referrers
  readonly #known: KnownTargets
  readonly #targets = new Map<EntityAttribute, Target>()
  readonly #types = new Map<ResolvedAttribute, ColumnType>()
  readonly #cyclic = new Set<ResolvedAttribute>()
  readonly #referenced = new Map<Draft, ReadonlySet<ResolvedAttribute>>()
  readonly lookup = (id: number): EntityNode | undefined => this.#closure.byId.get(id)

  constructor(
    closure: Closure,
    standsFor: TableEntities['standsFor'],
    draftOf: (entity: EntityNode) => Draft,
    referrers: Referrers,
    known: KnownTargets,
  ) {
    this.#closure = closure
    this.#standsFor = standsFor
    this.#draftOf = draftOf
    this.#referrers = referrers
    this.#known = known
  }

  /** Whether keys were met that refer to each other in a circle. */
  get isCyclic(): boolean {
    return this.#cyclic.size > 0
  }

  /** Those of the draft's attributes that foreign keys of tables refer to. */
  referencedOf(draft: Draft): ReadonlySet<ResolvedAttribute> {
    const known = this.#referenced.get(draft)
    if (known) return known
    const referenced = new Set<ResolvedAttribute>()
    for (const { foreignKeys } of this.#referrers.of(draft.entity.id)) {
      for (const { relationship } of foreignKeys) {
        const target = this.#targetOf(relationship)
        if ('attribute' in target && target.draft === draft) referenced.add(target.attribute)
      }
    }
    this.#referenced.set(draft, referenced)
    return referenced
  }

  /**
   * Adds the ids of the entities that the key's link comes from: its targets, and what they extend. A table's own keys come from
   * others in turn, which is known of that; of an entity that is no table they are added here, to the end: of what only it refers to,
   * nothing is known.
   */
  addNeeds(key: ForeignKeyAttribute, needs: Set<number>): void {
    const followed = new Set([key])
    // New ones are added at the end while they are walked.
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

  /** The same object as before where it says the same of the same target. */
  linkOf(draft: Draft, key: ForeignKeyAttribute): Link {
    const target = this.#targetOf(key.relationship)
    const known = this.#known.links.get(key)
    // All that it says is in the target, which is a column of its own type, and that is as long as others refer to it.
    if (known?.target === target && isItsOwn(key, target)) return known.link
    const link = this.#newLink(draft, key, target)
    this.#known.links.set(key, { target, link })
    return link
  }

  #newLink(draft: Draft, key: ForeignKeyAttribute, target: Target): Link {
    const type = this.#typeOf(draft, key)
    return {
      kind: target.kind,
      entity: 'draft' in target ? target.draft.entity.name.trim() : key.relationship.associatedEntity.name,
      attribute: 'attribute' in target ? target.attribute.name.trim() : '',
      type,
      isFollowed: this.#isFollowed(target, type),
      isCyclic: this.#cyclic.has(key),
      isGivenLength: isGivenLength(target, type),
    }
  }

  #targetOf(relationship: EntityAttribute): Target {
    const found = this.#targets.get(relationship)
    if (found) return found
    const target = this.#findTarget(relationship)
    this.#targets.set(relationship, target)
    this.#known.targets.set(relationship, target)
    return target
  }

  #findTarget(relationship: EntityAttribute): Target {
    const { id } = relationship.associatedEntity
    const member = this.#standsFor.get(id)
    const entity = member ?? this.#closure.byId.get(id)
    if (!entity) return missing
    const draft = this.#draftOf(entity)
    const known = this.#known.targets.get(relationship)
    const isKnown = known && 'draft' in known && known.draft === draft && known.isMember === (member !== undefined)
    return isKnown ? known : newTarget(relationship, draft, member !== undefined)
  }

  /** The type of an attribute's column: of a foreign key exactly its target's, however many keys lead there. */
  #typeOf(draft: Draft, attribute: ResolvedAttribute): ColumnType {
    const followed = new Set<ForeignKeyAttribute>()
    let type = this.#endType(draft, attribute, followed)
    for (const key of [...followed].toReversed()) {
      type = this.#foreignKeyType(key, type)
      this.#types.set(key, type)
    }
    return type
  }

  /** The type at the end of the keys that start with the attribute; they are added to `followed` in their order. */
  #endType(draft: Draft, attribute: ResolvedAttribute, followed: Set<ForeignKeyAttribute>): ColumnType {
    for (let [at, owner] = [attribute, draft]; ;) {
      const known = this.#types.get(at)
      if (known) return known
      if (at.kind === 'type') {
        const type = columnTypeOf(at.attribute, isKeyed(at, owner, this.referencedOf(owner)))
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
    return this.#standsFor.get(id) ?? this.#closure.byId.get(id)
  }

  #foreignKeyType({ relationship }: ForeignKeyAttribute, followed: ColumnType): ColumnType {
    const type = isIndexable(followed) || followed.kind === 'text' ? followed : plainKeyType(relationship)
    return relationship.alternativeTargets.every(alternative => this.#fits(alternative, type)) ? type : anyKeyType
  }

  /** Whether another target's key has the type too; one that is not there says nothing. */
  #fits({ entity, attribute: name }: EntityAttribute['alternativeTargets'][number], type: ColumnType): boolean {
    const node = this.#entityOf(entity.id)
    const draft = node && this.#draftOf(node)
    const attribute = draft?.byName.get(foldName(name))
    if (!draft || attribute?.kind !== 'type') return true
    return isSameType(this.#typeOf(draft, attribute), type)
  }
}

/** Whether two links say the same of their keys. */
export function isSameLink(a: Link, b: Link | undefined): boolean {
  if (!b || a.kind !== b.kind || a.entity !== b.entity || a.attribute !== b.attribute) return false
  if (a.isFollowed !== b.isFollowed || a.isCyclic !== b.isCyclic || a.isGivenLength !== b.isGivenLength) return false
  return isSameType(a.type, b.type)
}

/** Whether whole values of the attribute are compared: it is a key, unique, indexed or a foreign key's target. */
export function isKeyed(
  attribute: ResolvedAttribute & { kind: 'type' },
  { key }: Draft,
  referenced: ReadonlySet<ResolvedAttribute>,
): boolean {
  if (key.includes(attribute) || referenced.has(attribute)) return true
  return attribute.attribute.unique || attribute.attribute.indexed
}

const missing: Target = { kind: 'missing' }

function newTarget({ associatedEntityTypeAttribute: name }: EntityAttribute, draft: Draft, isMember: boolean): Target {
  const attribute = draft.byName.get(foldName(name))
  if (!attribute) return { kind: 'missingAttribute', draft, isMember }
  if (!isMember) return { kind: 'external', draft, isMember, attribute }
  return { kind: isUnique(draft, attribute) ? 'constrained' : 'notUnique', draft, isMember, attribute }
}

/** Whether a key's type is that of its target alone: neither that of other keys nor one that several targets share. */
function isItsOwn({ relationship }: ForeignKeyAttribute, target: Target): boolean {
  return 'attribute' in target && target.attribute.kind === 'type' && relationship.alternativeTargets.length === 0
}

/** What holds the key of any entity, as text. */
const anyKeyType: ColumnType = { kind: 'varchar', length: keyedLength }

/**
 * Whether a foreign key's column is a text without a max length of its own that gets one. It is where it follows nothing, or nothing
 * that becomes a table and would say so itself.
 */
function isGivenLength(target: Target, type: ColumnType): boolean {
  if (type.kind !== 'varchar') return false
  if (type === anyKeyType || target.kind !== 'external') return type === anyKeyType
  return hasNoLength(target.attribute)
}

/** Whether nothing says how long the attribute's texts are. */
export function hasNoLength(attribute: ResolvedAttribute): boolean {
  return attribute.kind === 'type' && attribute.attribute.maxLength === null && attribute.choices.length === 0
}

function plainKeyType(relationship: EntityAttribute): ColumnType {
  if (relationship.foreignKeyDataType === 'integer') return { kind: 'integer', bits: 64 }
  return anyKeyType
}
