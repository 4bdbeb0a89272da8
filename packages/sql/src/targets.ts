import type { Closure } from '@cadmus/model/closure'
import type { EntityAttribute } from '@cadmus/model/entity-attribute'
import type { EntityNode } from '@cadmus/model/entity'
import { resolvedAttributes, type ResolvedAttribute } from '@cadmus/model/inherit'
import { foldName } from '@cadmus/model/paths'
import { columnTypeOf, isIndexable, keyedLength } from './column-types.ts'
import type { TableEntities } from './namesakes.ts'
import type { ColumnType } from './tree.ts'

/** An entity on its way to a table: its attributes by folded name and its key. */
export type Draft = {
  entity: EntityNode
  attributes: readonly ResolvedAttribute[]
  byName: ReadonlyMap<string, ResolvedAttribute>
  key: readonly ResolvedAttribute[]
}

/** What a relationship's foreign key points at, or why it has no constraint. */
export type Target =
  | { kind: 'missing' }
  | { kind: 'missingAttribute'; draft: Draft }
  | { kind: 'external' | 'notUnique' | 'constrained'; draft: Draft; attribute: ResolvedAttribute }

/** Follows relationships to their columns; each entity is resolved once and each type found once. */
export class Targets {
  readonly #closure: Closure
  readonly #standsFor: TableEntities['standsFor']
  readonly #drafts = new Map<number, Draft>()
  readonly #types = new Map<ResolvedAttribute, ColumnType>()
  readonly #cyclic = new Set<ResolvedAttribute>()
  readonly #referenced = new Set<ResolvedAttribute>()

  constructor(closure: Closure, { tables, standsFor }: TableEntities) {
    this.#closure = closure
    this.#standsFor = standsFor
    for (const entity of tables) this.#markReferenced(this.draftOf(entity))
  }

  draftOf(entity: EntityNode): Draft {
    const known = this.#drafts.get(entity.id)
    if (known) return known
    const draft = newDraft(entity, this.#closure)
    this.#drafts.set(entity.id, draft)
    return draft
  }

  targetOf({ associatedEntity, associatedEntityTypeAttribute }: EntityAttribute): Target {
    const entity = this.#entityOf(associatedEntity.id)
    if (!entity) return { kind: 'missing' }
    const draft = this.draftOf(entity)
    const attribute = draft.byName.get(foldName(associatedEntityTypeAttribute))
    if (!attribute) return { kind: 'missingAttribute', draft }
    if (!this.#standsFor.has(associatedEntity.id)) return { kind: 'external', draft, attribute }
    return { kind: isUnique(draft, attribute) ? 'constrained' : 'notUnique', draft, attribute }
  }

  /** The type of an attribute's column: of a foreign key exactly its target's, however many keys lead there. */
  typeOf(draft: Draft, attribute: ResolvedAttribute): ColumnType {
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
        const type = columnTypeOf(at.attribute, this.#isKeyed(at, owner))
        this.#types.set(at, type)
        return type
      }
      const target = this.targetOf(at.relationship)
      if (followed.has(at)) this.#cyclic.add(at)
      if (followed.has(at) || !('attribute' in target)) return plainKeyType(at.relationship)
      followed.add(at)
      ;[at, owner] = [target.attribute, target.draft]
    }
  }

  /** The column of a table whose type the foreign key has, if it has one's. */
  followed(draft: Draft, attribute: ResolvedAttribute): { table: string; column: string } | undefined {
    if (attribute.kind === 'type') return undefined
    const target = this.targetOf(attribute.relationship)
    if (target.kind !== 'constrained' && target.kind !== 'notUnique') return undefined
    if (this.typeOf(draft, attribute) !== this.typeOf(target.draft, target.attribute)) return undefined
    return { table: target.draft.entity.name.trim(), column: target.attribute.name.trim() }
  }

  /** Whether a foreign key's type could not be followed to a column that is none. */
  isCyclic(attribute: ResolvedAttribute): boolean {
    return this.#cyclic.has(attribute)
  }

  /**
   * Whether the column is a text without a max length of its own that gets one to be compared as a whole. A foreign key is one
   * where it follows nothing, or nothing that becomes a table and would say so itself.
   */
  isGivenLength(draft: Draft, attribute: ResolvedAttribute): boolean {
    const type = this.typeOf(draft, attribute)
    if (type.kind !== 'varchar') return false
    if (attribute.kind === 'type') return attribute.attribute.maxLength === null && attribute.choices.length === 0
    const target = this.targetOf(attribute.relationship)
    if (type === anyKeyType || target.kind !== 'external') return type === anyKeyType
    const { attribute: other } = target
    return other.kind === 'type' && other.attribute.maxLength === null && other.choices.length === 0
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
    const draft = node && this.draftOf(node)
    const attribute = draft?.byName.get(foldName(name))
    if (!draft || attribute?.kind !== 'type') return true
    return JSON.stringify(this.typeOf(draft, attribute)) === JSON.stringify(type)
  }

  #isKeyed(attribute: ResolvedAttribute & { kind: 'type' }, draft: Draft): boolean {
    if (draft.key.includes(attribute) || this.#referenced.has(attribute)) return true
    return attribute.attribute.unique || attribute.attribute.indexed
  }

  #markReferenced(draft: Draft): void {
    for (const attribute of draft.attributes) {
      if (attribute.kind !== 'foreignKey') continue
      const target = this.targetOf(attribute.relationship)
      if ('attribute' in target) this.#referenced.add(target.attribute)
    }
  }
}

type ForeignKeyAttribute = ResolvedAttribute & { kind: 'foreignKey' }

/** What holds the key of any entity, as text. */
const anyKeyType: ColumnType = { kind: 'varchar', length: keyedLength }

function newDraft(entity: EntityNode, closure: Closure): Draft {
  const attributes = resolvedAttributes(entity, id => closure.byId.get(id))
  const byName = new Map(attributes.map(attribute => [foldName(attribute.name), attribute]))
  return { entity, attributes, byName, key: attributes.filter(attribute => attribute.isPrimaryKey) }
}

/** Whether at most one row has a given value: the whole primary key, or unique by its own word. */
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

function plainKeyType(relationship: EntityAttribute): ColumnType {
  if (relationship.foreignKeyDataType === 'integer') return { kind: 'integer', bits: 64 }
  return anyKeyType
}
