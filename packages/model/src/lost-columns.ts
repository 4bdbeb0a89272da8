import { asAttribute, columnsOfTargets, type OnReferences } from './detach.ts'
import type { AlternativeTarget, EntityAttribute } from './entity-attribute.ts'
import type { EntityContent, EntityNode } from './entity.ts'
import { ancestorsOf, declaredAttributes, resolvedAttributes, type EntityLookup } from './inherit.ts'
import { hasSameItems } from './equal.ts'
import type { KeyPair } from './key-pair.ts'
import { foldName } from './paths.ts'
import { pairTarget, targetColumn, type TargetColumn } from './references.ts'
import { isKeyDataType } from './rules/type-attribute.ts'
import type { DataType, TypeAttribute } from './type-attribute.ts'

type Column = { uid: string; name: string; dataType: DataType }

/** Columns that a change removes from an entity, or gives a type that foreign keys cannot have; by uid. */
export type Loss = ReadonlyMap<string, { name: string; isGone: boolean }>

/** A lost column as seen by a referring item. `now`: the current column of its name that can replace it; null without one. */
export type LostColumn = { uid: string; name: string; now: TargetColumn | null }

/** Quick check whether a change can remove columns; compares only the two states. */
export function mayLoseColumns(before: EntityContent, after: EntityContent): boolean {
  if ((before.extendsEntity?.id ?? 0) !== (after.extendsEntity?.id ?? 0)) return true
  const there = new Map(ownColumns(after).map(column => [column.uid, column]))
  return ownColumns(before).some(column => isLost(column, there.get(column.uid)))
}

/** Own or inherited columns that the entity no longer has. `lookup` finds the ancestors of both states. */
export function lostColumns(before: EntityNode, after: EntityNode, lookup: EntityLookup): Loss {
  const there = new Map(allColumns(after, lookup).map(column => [column.uid, column]))
  const lost = allColumns(before, lookup).filter(column => isLost(column, there.get(column.uid)))
  return new Map(lost.map(({ uid, name }) => [uid, { name, isGone: !there.has(uid) }]))
}

/** A loss as seen by the changed entity and its subtypes; `before` and `after` find them and their ancestors. */
export type View = { loss: Loss; before: EntityLookup; after: EntityLookup }

export class LossView {
  readonly #loss: Loss
  readonly #before: EntityLookup
  readonly #after: EntityLookup
  readonly #byName: ReadonlyMap<string, string>
  readonly #now = new Map<number, ReadonlyMap<string, Column>>()

  constructor({ loss, before, after }: View) {
    this.#loss = loss
    this.#before = before
    this.#after = after
    this.#byName = new Map([...loss].map(([uid, { name }]) => [foldName(name), uid]))
  }

  /** The loss of a relationship to that column; undefined if the column still exists for it. */
  target(entityId: number, column: TargetColumn): LostColumn | undefined {
    const lostColumn = this.#find(column)
    if (!lostColumn || this.#isThere(entityId, lostColumn.uid)) return undefined
    const here = this.#columns(entityId).get(foldName(lostColumn.name))
    const now = here && isKeyDataType(here.dataType) ? { name: here.name, uid: here.uid } : null
    // A reference without uid refers to any column of the name.
    return now && column.uid === undefined ? undefined : { ...lostColumn, now }
  }

  /** The loss of an item that only reads the column, such as a query: any type is accepted. */
  named(entityId: number, column: TargetColumn): LostColumn | undefined {
    const lostColumn = this.#find(column)
    if (!lostColumn || this.#loss.get(lostColumn.uid)?.isGone === false) return undefined
    const here = this.#columns(entityId).get(foldName(lostColumn.name))
    return { ...lostColumn, now: here ? { name: here.name, uid: here.uid } : null }
  }

  #find({ uid, name }: TargetColumn): { uid: string; name: string } | undefined {
    const knownUid = uid ?? this.#byName.get(foldName(name))
    const lost = knownUid === undefined ? undefined : this.#loss.get(knownUid)
    return knownUid !== undefined && lost ? { uid: knownUid, name: lost.name } : undefined
  }

  /** A column no longer inherited still exists in its declaring entity: relationships to that entity lose nothing. */
  #isThere(entityId: number, uid: string): boolean {
    const after = this.#after(entityId)
    if (!after) return false
    return allColumns(after, this.#after).some(column => column.uid === uid && isKeyDataType(column.dataType))
  }

  /** Current columns by folded name. A renamed column replaces no other. */
  #columns(entityId: number): ReadonlyMap<string, Column> {
    const cached = this.#now.get(entityId)
    if (cached) return cached
    const [before, after] = [this.#before(entityId), this.#after(entityId)]
    const names = new Map(before && allColumns(before, this.#before).map(({ uid, name }) => [uid, foldName(name)]))
    const columns = after ? resolvedAttributes(after, this.#after).map(columnOf) : []
    const taking = columns.filter(({ uid, name }) => (names.get(uid) ?? foldName(name)) === foldName(name))
    const now = new Map(taking.map(column => [foldName(column.name), column]))
    this.#now.set(entityId, now)
    return now
  }
}

export type Release = {
  view: LossView
  /** Finds the targets before the change. */
  before: EntityLookup
  onReferences: (uid: string) => OnReferences | undefined
}

/**
 * The content without references to lost columns: a relationship follows the name if a column has it, otherwise it
 * becomes an attribute or is removed, and a further column leaves its key; without a choice it is unchanged. The same object if nothing changes.
 */
export function releaseReferences(content: EntityContent, release: Release): EntityContent {
  const keyOf = columnsOfTargets(release.before)
  const attributes: TypeAttribute[] = []
  let isChanged = false
  const entityAttributes = content.entityAttributes.flatMap(relationship => {
    const lost = release.view.target(relationship.associatedEntity.id, targetColumn(relationship))
    const choice = lost && !lost.now ? release.onReferences(lost.uid) : undefined
    if (choice === 'keep') attributes.push(asAttribute(relationship, keyOf(relationship)))
    const stays = choice
      ? []
      : [withAlternatives(withPairs(lost?.now ? withTarget(relationship, lost.now) : relationship, release), release)]
    if (stays[0] !== relationship) isChanged = true
    return stays
  })
  if (!isChanged) return content
  const typeAttributes = [...content.typeAttributes, ...attributes].toSorted((a, b) => a.position - b.position)
  return { ...content, entityAttributes, typeAttributes }
}

/** A further column whose target is lost no longer belongs to the foreign key; it stays a column. */
function withPairs(relationship: EntityAttribute, { view, onReferences }: Release): EntityAttribute {
  if (relationship.alsoBy.length === 0) return relationship
  const alsoBy = relationship.alsoBy.flatMap((pair): KeyPair[] => {
    const lost = view.target(relationship.associatedEntity.id, pairTarget(pair))
    if (lost?.now) return [{ ...pair, target: lost.now.name, targetUid: lost.now.uid ?? null }]
    return lost && onReferences(lost.uid) ? [] : [pair]
  })
  return hasSameItems(alsoBy, relationship.alsoBy) ? relationship : { ...relationship, alsoBy }
}

function withAlternatives(relationship: EntityAttribute, { view, onReferences }: Release): EntityAttribute {
  const targets = relationship.alternativeTargets.flatMap((target): AlternativeTarget[] => {
    const lost = view.target(target.entity.id, { name: target.attribute, uid: target.attributeUid })
    if (lost?.now) return [{ ...target, attribute: lost.now.name, attributeUid: lost.now.uid }]
    return lost && onReferences(lost.uid) ? [] : [target]
  })
  const isSame = targets.length === relationship.alternativeTargets.length
  return isSame && targets.every((target, index) => target === relationship.alternativeTargets[index])
    ? relationship
    : { ...relationship, alternativeTargets: targets }
}

function withTarget(relationship: EntityAttribute, { name, uid }: TargetColumn): EntityAttribute {
  return { ...relationship, associatedEntityTypeAttribute: name, associatedEntityTypeAttributeUid: uid ?? null }
}

function isLost(before: Column, after: Column | undefined): boolean {
  return !after || (isKeyDataType(before.dataType) && !isKeyDataType(after.dataType))
}

function ownColumns({ typeAttributes, entityAttributes }: EntityContent): Column[] {
  return [
    ...typeAttributes.map(({ uid, name, dataType }) => ({ uid, name, dataType })),
    ...entityAttributes.map(item => ({
      uid: item.uid,
      name: item.foreignKeyTypeAttribute,
      dataType: item.foreignKeyDataType,
    })),
  ]
}

/** Own columns and all declared by ancestors, including overridden ones, because references by uid mean those. */
function allColumns(entity: EntityNode, lookup: EntityLookup): Column[] {
  return [entity, ...ancestorsOf(entity, lookup)].flatMap(node => declaredAttributes(node).map(columnOf))
}

function columnOf(column: ReturnType<typeof declaredAttributes>[number]): Column {
  const { uid } = column.kind === 'type' ? column.attribute : column.relationship
  return { uid, name: column.name, dataType: column.dataType }
}
