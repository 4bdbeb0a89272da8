import { type Column, columnName } from './columns.ts'
import { visibleText } from './display.ts'
import type { EntityAttribute } from './entity-attribute.ts'
import type { EntityContent, EntityNode } from './entity.ts'
import { hasSameItems } from './equal.ts'
import { ancestorsOf, declaredAttributes, type EntityLookup, type ResolvedAttribute } from './inherit.ts'
import type { KeyPair } from './key-pair.ts'
import { foldName } from './paths.ts'

export function hasPairs({ entityAttributes }: Pick<EntityContent, 'entityAttributes'>): boolean {
  return entityAttributes.some(({ alsoBy }) => alsoBy.length > 0)
}

type UidOf = (uid: string) => string | undefined

/** The column with other uids of the columns that its foreign key has further, as after a replacement of uids. */
export function withPairUids<T extends Column>(column: T, uidOf: UidOf): T {
  if (!('alsoBy' in column) || column.alsoBy.length === 0) return column
  return { ...column, alsoBy: column.alsoBy.map(pair => ({ ...pair, uid: uidOf(pair.uid) ?? pair.uid })) }
}

/**
 * Columns that are added to others, moved or as copies: foreign keys keep the further columns that are among all of them, or copied along.
 */
export function withPairsAmong<T extends Column>(added: readonly T[], others: readonly Column[]): T[] {
  if (!added.some(column => 'alsoBy' in column && column.alsoBy.length > 0)) return [...added]
  const copies = new Map(added.map(column => [column.copiedFrom, column]))
  const all = new Map([...others, ...added].map(column => [column.uid, column]))
  return added.map(column => {
    if (!('alsoBy' in column)) return column
    const alsoBy = column.alsoBy.flatMap(pair => {
      const isCopy = column.copiedFrom !== null && copies.has(pair.uid)
      const further = isCopy ? copies.get(pair.uid) : all.get(pair.uid)
      return further ? [{ ...pair, uid: further.uid, name: columnName(further) }] : []
    })
    return { ...column, alsoBy }
  })
}

/**
 * The relationships with their pairs settled; the same list if nothing changes. `settled`: the pair with its current uid and name, or
 * undefined if its column is gone.
 */
export function withSettledPairs(
  relationships: EntityAttribute[],
  settled: (pair: KeyPair) => KeyPair | undefined,
): EntityAttribute[] {
  const all = relationships.map(item => {
    const alsoBy = item.alsoBy.flatMap(pair => settled(pair) ?? [])
    return hasSameItems(alsoBy, item.alsoBy) ? item : { ...item, alsoBy }
  })
  return hasSameItems(all, relationships) ? relationships : all
}

/** Relationships of whose key some columns go and others stay. `isMove`: whether the key itself may go without its further columns. */
export function dividedRelationships(
  { entityAttributes }: Pick<EntityContent, 'entityAttributes'>,
  uids: ReadonlySet<string>,
  isMove = false,
): EntityAttribute[] {
  return entityAttributes.filter(({ uid, alsoBy }) => {
    const goes = uids.has(uid)
    return (isMove || !goes) && alsoBy.some(pair => uids.has(pair.uid) !== goes)
  })
}

function isSameColumn(pair: KeyPair, other: KeyPair): boolean {
  return pair.uid !== '' && other.uid !== '' ? pair.uid === other.uid : foldName(pair.name) === foldName(other.name)
}

/**
 * The pairs as sent, with the targets of those that are as before: they may have been renamed since they were read. Otherwise the uid
 * counts, or the name, whose uid is resolved on storing.
 */
export function pairsFrom(sent: readonly KeyPair[], before: readonly KeyPair[]): KeyPair[] {
  return sent.map(pair => {
    const old = before.find(one => isSameColumn(one, pair))
    if (!old) return pair
    const isSame = pair.targetUid === null ? pair.target === old.target : pair.targetUid === old.targetUid
    if (isSame) return { ...pair, target: old.target, targetUid: old.targetUid }
    return { ...pair, targetUid: pair.targetUid === old.targetUid ? null : pair.targetUid }
  })
}

/** The pairs where a changed name of an attribute takes precedence over its old uid. */
export function retargetedPairs(pairs: KeyPair[], before: readonly KeyPair[]): KeyPair[] {
  const retargeted = pairs.map(pair => {
    const old = before.find(one => isSameColumn(one, pair))
    const isAnother = old && old.targetUid === pair.targetUid && old.target !== pair.target && pair.targetUid !== null
    return isAnother ? { ...pair, targetUid: null } : pair
  })
  return hasSameItems(retargeted, pairs) ? pairs : retargeted
}

/** The further columns as texts: `lineNo → OrderLine.no`. */
export function pairTexts({ alsoBy, associatedEntity }: EntityAttribute): string[] {
  return alsoBy.map(({ name, target }) => visibleText(`${name} → ${associatedEntity.name}.${target}`))
}

/** All columns of a foreign key with the attributes that they refer to, the main one first. `column`: undefined if it does not exist. */
export type ResolvedPair = { name: string; column: ResolvedAttribute | undefined; target: string }

/**
 * The further columns of an entity's foreign key, own or inherited. A column that overrides an inherited one takes its place. `columnOf`: a
 * column of the entity by name.
 */
export function resolvedPairs(
  relationship: EntityAttribute,
  entity: EntityNode,
  lookup: EntityLookup,
  columnOf: (name: string) => ResolvedAttribute | undefined,
): ResolvedPair[] {
  if (relationship.alsoBy.length === 0) return []
  const names = new Map<string, string>()
  for (const declaring of [entity, ...ancestorsOf(entity, lookup)].toReversed())
    for (const column of declaredAttributes(declaring))
      names.set(column.kind === 'type' ? column.attribute.uid : column.relationship.uid, column.name)
  return relationship.alsoBy.map(({ uid, name, target }) => {
    const current = uid === '' ? name : names.get(uid)
    const column = current === undefined ? undefined : columnOf(current)
    return { name: column?.name ?? name, column, target }
  })
}

/** Whether a key of these attributes, in any order, identifies one record at most: they are the whole key, or a unique group. */
export function isOneRecord(
  targets: readonly ResolvedAttribute[],
  key: readonly ResolvedAttribute[],
  uniqueGroups: Iterable<readonly ResolvedAttribute[]>,
): boolean {
  const chosen = new Set(targets)
  const isExactly = (columns: readonly ResolvedAttribute[]) =>
    columns.length === chosen.size && columns.every(column => chosen.has(column))
  if (chosen.size !== targets.length) return false
  if (isExactly(key)) return true
  for (const columns of uniqueGroups) if (isExactly(columns)) return true
  return false
}
