import { withAutomaticKey } from './apply-request.ts'
import type { EntityAttribute } from './entity-attribute.ts'
import { automaticKey, type EntityContent, type EntityNode } from './entity.ts'
import { isEqual, isRecord } from './equal.ts'
import { declaredAttributes, resolvedAttributes, type EntityLookup, type ResolvedAttribute } from './inherit.ts'
import { messages } from './messages.ts'
import { foldName } from './paths.ts'
import type { Problem } from './problem.ts'
import type { Purpose, TypeAttribute } from './type-attribute.ts'

// An entity that extends an entity with a key uses that key and has no other key.

type Subtype = Pick<EntityContent, 'typeAttributes' | 'entityAttributes'>

export type TwoKeys = { own: ResolvedAttribute; inherited: InheritedKey }
export type InheritedKey = Pick<ResolvedAttribute, 'name'> & { declaredBy: { name: string } }

/** Inherited keys that the subtype does not override by a column; `keys`: keys of its parent. */
function notOverridden<T extends { name: string }>(subtype: Subtype, keys: readonly T[]): T[] {
  const own = new Set(ownColumns(subtype).map(({ name }) => foldName(name)))
  return keys.filter(({ name }) => !own.has(foldName(name)))
}

/** An own key under another name in addition to an inherited one. */
export function twoKeysOf(subtype: Subtype, keys: readonly InheritedKey[]): TwoKeys | undefined {
  const names = new Set(keys.map(({ name }) => foldName(name)))
  const [inherited] = notOverridden(subtype, keys)
  const own = ownColumns(subtype).find(column => column.isPrimaryKey && !names.has(foldName(column.name)))
  return own && inherited && { own, inherited }
}

/** Key columns of an entity's parent. */
export function keysAbove(
  { extendsEntity }: Pick<EntityContent, 'extendsEntity'>,
  lookup: EntityLookup,
): ResolvedAttribute[] {
  const parent = extendsEntity && lookup(extendsEntity.id)
  return parent ? resolvedAttributes(parent, lookup).filter(column => column.isPrimaryKey) : []
}

export function twoKeys(entity: EntityNode, lookup: EntityLookup): TwoKeys | undefined {
  return twoKeysOf(entity, keysAbove(entity, lookup))
}

/** Whether an attribute is the unchanged automatic `id` of its entity, which the user did not choose. */
export function isAutomaticKey(attribute: TypeAttribute): boolean {
  const { uid, position, copiedFrom } = attribute
  return isEqual(attribute, { ...automaticKey(), uid, position, copiedFrom })
}

/**
 * Removes the automatic key, also one of the same name, in favour of an inherited key; the same object without an
 * automatic key or if it overrides the inherited key.
 */
export function withoutSecondKey<T extends Subtype>(subtype: T, keys: readonly InheritedKey[]): T {
  const [own, ...others] = ownColumns(subtype).filter(column => column.isPrimaryKey)
  if (own?.kind !== 'type' || others.length > 0 || !isAutomaticKey(own.attribute)) return subtype
  const isInherited =
    notOverridden(subtype, keys).length > 0 || keys.some(({ name }) => foldName(name) === foldName(own.name))
  return isInherited
    ? { ...subtype, typeAttributes: subtype.typeAttributes.filter(({ uid }) => uid !== own.attribute.uid) }
    : subtype
}

/** Turns own keys into ordinary columns in favour of the inherited key; the same object with one key. */
function withoutOwnKeys<T extends Subtype>(subtype: T, keys: readonly InheritedKey[]): T {
  if (!twoKeysOf(subtype, keys)) return subtype
  const names = new Set(keys.map(({ name }) => foldName(name)))
  const isSecond = ({ name, isPrimaryKey: isKey }: ResolvedAttribute) => isKey && !names.has(foldName(name))
  const uids = new Set(ownColumns(subtype).filter(isSecond).map(uidOf))
  const demoted = <C extends KeyColumn>(item: C) => (uids.has(item.uid) ? demoteKey(item, uids.size) : item)
  return {
    ...subtype,
    typeAttributes: subtype.typeAttributes.map(demoted),
    entityAttributes: subtype.entityAttributes.map(demoted),
  }
}

type KeyColumn = TypeAttribute | EntityAttribute

/**
 * Turns a key into an ordinary column. `columns`: number of columns of the key; the only column of a key stays unique,
 * because foreign keys require it.
 */
export function demoteKey<T extends KeyColumn>(item: T, columns: number, purpose: Purpose = 'hasA'): T {
  const ordinary = {
    unique: item.unique || columns === 1,
    traits: item.traits.filter(one => !identifies(one)),
  }
  return 'purpose' in item ? { ...item, ...ordinary, purpose } : { ...item, ...ordinary, foreignKeyPurpose: purpose }
}

/**
 * Imported content with one key: the automatic key is removed if unreferenced, any other key becomes an ordinary
 * column. `message` states which; undefined with one key.
 */
export function withInheritedKey<T extends Subtype>(
  subtype: T,
  { name, keys, isReferredTo }: { name: string; keys: readonly InheritedKey[]; isReferredTo: (uid: string) => boolean },
): { subtype: T; message?: string } {
  const bothKeys = twoKeysOf(subtype, keys)
  if (!bothKeys) return { subtype }
  const { own, inherited } = bothKeys
  const without = isReferredTo(uidOf(own)) ? subtype : withoutSecondKey(subtype, keys)
  const say = without === subtype ? messages.keyNotTaken : messages.keyLeftOut
  const message = say(own.name, name, inherited.name, inherited.declaredBy.name)
  return { subtype: without === subtype ? withoutOwnKeys(subtype, keys) : without, message }
}

type State = { entity: EntityNode; lookup: EntityLookup }
type Columns = Pick<EntityContent, 'typeAttributes' | 'entityAttributes'>

/**
 * Columns after a change of inheritance: an inherited key replaces the automatic one, which is restored once no key is
 * inherited. Undefined if unchanged.
 */
export function settleColumns(before: State, after: State): Columns | undefined {
  const { entity, lookup } = after
  const [was, is] = [keysAbove(before.entity, before.lookup), keysAbove(entity, lookup)]
  const inherited = (subtype: Subtype, keys: ResolvedAttribute[]) => [
    namesOf(keys),
    namesOf(notOverridden(subtype, keys)),
  ]
  if (isEqual(inherited(before.entity, was), inherited(entity, is))) return undefined
  const hadTwo = twoKeysOf(before.entity, was) !== undefined
  const next = losesKey(before, after) ? withOwnKey(after) : hadTwo ? entity : withoutSecondKey(entity, is)
  return changedColumns(entity, next)
}

/** Columns after changes of other entities: the automatic key also replaces an own key that was removed with them. */
export function columnsWithKey(before: State, after: State): Columns | undefined {
  if (!losesKey(before, after)) return settleColumns(before, after)
  return changedColumns(after.entity, withOwnKey(after))
}

function losesKey(before: State, after: State): boolean {
  const hasKey = ({ entity, lookup }: State) => resolvedAttributes(entity, lookup).some(column => column.isPrimaryKey)
  return hasKey(before) && !hasKey(after)
}

/** Adds the automatic key, unless it would override an inherited column. */
function withOwnKey({ entity, lookup }: State): EntityNode {
  const isTaken = resolvedAttributes(entity, lookup).some(({ name }) => foldName(name) === automaticKey().name)
  return isTaken ? entity : withRestoredKey(entity)
}

function changedColumns(before: Columns, { typeAttributes, entityAttributes }: Columns): Columns | undefined {
  const isSame = typeAttributes === before.typeAttributes && entityAttributes === before.entityAttributes
  return isSame ? undefined : { typeAttributes, entityAttributes }
}

/** Quick check whether a change can affect own, inherited or subtypes' keys. */
export function touchesKeys(before: EntityContent, after: EntityContent): boolean {
  if (before.extendsEntity?.id !== after.extendsEntity?.id) return true
  const keys = (content: EntityContent) => namesOf(ownColumns(content).filter(column => column.isPrimaryKey))
  const names = (content: EntityContent) => ownColumns(content).map(({ name }) => foldName(name))
  if (!isEqual(keys(before), keys(after))) return true
  return after.extendsEntity !== null && new Set(names(before)).symmetricDifference(new Set(names(after))).size > 0
}

export function inheritsKey(subtype: Subtype, keys: readonly InheritedKey[]): boolean {
  return notOverridden(subtype, keys).length > 0 && !ownColumns(subtype).some(column => column.isPrimaryKey)
}

/** Adds the automatic key; returns the same object if a column has its name. */
export function withRestoredKey<T extends EntityContent>(content: T): T {
  const { name: automatic } = automaticKey()
  const isTaken = ownColumns(content).some(({ name }) => foldName(name) === automatic)
  return isTaken ? content : { ...content, ...withAutomaticKey(content) }
}

function identifies(trait: unknown): boolean {
  return (isRecord(trait) ? trait['traitReference'] : trait) === 'is.identifiedBy'
}

/** Problem of an entity that a change gives a second key; undefined if it has one key, or had two before. */
export function twoKeysProblem(before: State | undefined, { entity, lookup }: State): Problem | undefined {
  const bothKeys = twoKeys(entity, lookup)
  if (!bothKeys || (before && twoKeys(before.entity, before.lookup))) return undefined
  const path = [{ kind: 'entity' as const, id: entity.id, name: entity.name }]
  const message = twoKeysMessage(entity, bothKeys)
  return { severity: 'error', code: 'invalid.extendsEntity', message, path, field: 'extendsEntity' }
}

export function twoKeysMessage({ name: entity }: { name: string }, { own, inherited }: TwoKeys): string {
  return messages.twoKeys({ entity, own: own.name, parent: inherited.declaredBy.name, inherited: inherited.name })
}

function ownColumns({ typeAttributes, entityAttributes }: Subtype): ResolvedAttribute[] {
  const place = { id: -1, path: '', name: '' }
  return declaredAttributes({ typeAttributes, entityAttributes, ...place })
}

function namesOf(keys: readonly ResolvedAttribute[]): string[] {
  return keys.map(column => `${uidOf(column)} ${foldName(column.name)}`).toSorted()
}

function uidOf(column: ResolvedAttribute): string {
  return column.kind === 'type' ? column.attribute.uid : column.relationship.uid
}
