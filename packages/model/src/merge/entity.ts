import { type Column, columnsOf, isKey, isRelationship, isTypeAttribute, purposeOf } from '../columns.ts'
import { attributeFields, ownFields, relationshipFields, scopeFields } from '../edits/entity-edits.ts'
import type { EntityAttribute } from '../entity-attribute.ts'
import type { EntityContent } from '../entity.ts'
import { isEqual } from '../equal.ts'
import { shapeFields } from '../fields/type-attribute.ts'
import {
  inOrder,
  isSameReference,
  type Item,
  labelOf,
  type Merge,
  mergeItems,
  Merging,
  three,
  type Three,
} from './items.ts'
import { mergeConstraints } from './constraints.ts'
import { demoteKey } from '../one-key.ts'
import { foldName } from '../paths.ts'
import { isSameTarget } from '../references.ts'
import { shapeProblems } from '../rules/entity.ts'
import type { TypeAttribute } from '../type-attribute.ts'

/**
 * Three-way merge of an entity by uid and field. A change of one side, or the same change of both, is applied; a field changed differently
 * by both sides is a conflict, and so is a deletion of an item edited by the other side. Check the result with `entityProblems`.
 */
export function mergeEntity(base: EntityContent, mine: EntityContent, theirs: EntityContent): Merge<EntityContent> {
  const merging = new Merging()
  return merging.answer(mergeInto(merging, { base, mine, theirs }))
}

/** The same merge, resolving all conflicts in favour of theirs. */
export function mergeTakingTheirs(base: EntityContent, mine: EntityContent, theirs: EntityContent): EntityContent {
  return mergeInto(new Merging('theirs'), { base, mine, theirs })
}

function mergeInto(merging: Merging, sides: Three<EntityContent>): EntityContent {
  const { base, mine, theirs } = sides
  const content = merging.fields('', mergedOwnFields, base, mine, theirs)
  const scopes = three(sides, side => side.operationScopes)
  const operationScopes = merging.fields('operationScopes', scopeFields, scopes.base, scopes.mine, scopes.theirs)
  findOtherUse(merging, sides)
  const attributes = three(sides, side => side.typeAttributes)
  const relationships = three(sides, side => side.entityAttributes)
  const all: Column[] = [
    ...soundShapes(merging, mergeItems(merging, 'typeAttributes', attributeFields, attributes), attributes),
    ...mergeRelationships(merging, relationships),
  ]
  findSameNames(merging, all, sides)
  findTwoKeys(merging, all, sides)
  const items = merging.takes === 'theirs' ? withTheirs(all, sides) : all
  const placed = inOrder(merging, '', items, three(sides, columnsOf))
  const isTheirKey = merging.takes === 'theirs' && givesKeyUp(base, mine) && keysIn(items) > 0
  const merged = {
    ...content,
    ...(isTheirKey ? { extendsEntity: theirs.extendsEntity } : {}),
    operationScopes,
    typeAttributes: placed.filter(isTypeAttribute),
    entityAttributes: placed.filter(isRelationship),
  }
  return mergeConstraints(merging, merged, sides)
}

const mergedOwnFields = ownFields.filter(name => name !== 'groups' && name !== 'checks')

/** Resolves conflicts between several items (use, names, key) in favour of theirs. */
function withTheirs(items: readonly Column[], sides: Three<EntityContent>): Column[] {
  const columns = three(sides, columnsOf)
  const resolveNames = (all: readonly Column[]) =>
    preferTheirs(all, columns, (a, b) => isTypeAttribute(a) === isTypeAttribute(b))
  const left = resolveNames(items)
  if (keysIn(left) <= maxKeys(sides)) return left
  const there = new Map(columns.theirs.map(item => [item.uid, item]))
  const isInherited = givesKeyUp(sides.base, sides.theirs)
  const keyed = left.map(item => {
    if (!isKey(item)) return item
    const other = there.get(item.uid)
    if (other && (!isInherited || isKey(other))) return other
    // The column is kept but is no longer the key.
    return demoteKey(item, keysIn(columns.mine), other && purposeOf(other))
  })
  // A column in their form takes their name, which may collide again.
  return resolveNames(keyed)
}

const mergedRelationshipFields = relationshipFields.filter(name => name !== 'associatedEntityTypeAttributeUid')

/**
 * Name and uid of the target attribute are one field. A new name of the same attribute, or an added uid, is not a
 * change. Entity, attribute and further columns belong together: it is a conflict if each side changed one of them.
 */
function mergeRelationships(merging: Merging, { base, mine, theirs }: Three<readonly EntityAttribute[]>) {
  const bases = alike(base, theirs)
  const sides = { base: bases, mine: alike(alike(mine, bases), theirs), theirs }
  const { base: before, mine: left, theirs: right } = three(sides, side => new Map(side.map(item => [item.uid, item])))
  return mergeItems(merging, 'entityAttributes', mergedRelationshipFields, sides).map(item => {
    const candidates = [right.get(item.uid), left.get(item.uid)].flatMap(side => side ?? [])
    const source = candidates.find(side => isSamePlace(side, item))
    if (source) return withTarget(item, source)
    const [theirs, mine] = candidates
    if (!theirs || !mine) return item
    findHalfTargets(merging, { base: before.get(item.uid), mine, theirs })
    const taken = merging.takes === 'theirs' ? theirs : mine
    return { ...withTarget(item, taken), associatedEntity: taken.associatedEntity, alsoBy: taken.alsoBy }
  })
}

function findHalfTargets(
  merging: Merging,
  { base, mine, theirs }: { base: EntityAttribute | undefined; mine: EntityAttribute; theirs: EntityAttribute },
): void {
  const path = `entityAttributes.${labelOf(base ?? mine)}`
  const fields = ['associatedEntity', 'associatedEntityTypeAttribute', 'alsoBy'] as const
  for (const field of fields) {
    if (field === 'alsoBy' && isSameReference(mine.alsoBy, theirs.alsoBy)) continue
    merging.conflicts.push({ path, field, base: base?.[field] ?? null, mine: mine[field], theirs: theirs[field] })
  }
}

/** Whether both refer to the attributes of those names of the same entity. */
function isSamePlace(a: EntityAttribute, b: EntityAttribute): boolean {
  return (
    a.associatedEntityTypeAttribute === b.associatedEntityTypeAttribute &&
    isSameReference(a.alsoBy, b.alsoBy) &&
    isSameReference(a.associatedEntity, b.associatedEntity)
  )
}

/** Replaces target attributes by those of `others` that refer to the same attribute. */
function alike(items: readonly EntityAttribute[], others: readonly EntityAttribute[]): EntityAttribute[] {
  const byUid = new Map(others.map(item => [item.uid, item]))
  return items.map(item => {
    const other = byUid.get(item.uid)
    const isSame = other && isSameReference(item.associatedEntity, other.associatedEntity) && isSameTarget(item, other)
    return isSame ? withTarget(item, other) : item
  })
}

function withTarget(item: EntityAttribute, source: EntityAttribute): EntityAttribute {
  const { associatedEntityTypeAttribute, associatedEntityTypeAttributeUid } = source
  return { ...item, associatedEntityTypeAttribute, associatedEntityTypeAttributeUid }
}

/**
 * One side converted an attribute to a foreign key (or the reverse), which keeps its uid, and the other side deleted
 * it.
 */
function findOtherUse(merging: Merging, sides: Three<EntityContent>): void {
  const { base, mine, theirs } = three(sides, side => new Map(columnsOf(side).map(item => [item.uid, item])))
  for (const [uid, item] of base) {
    const [m, t] = [mine.get(uid), theirs.get(uid)]
    const left = m ?? t
    if (!left || (m && t) || isTypeAttribute(left) === isTypeAttribute(item)) continue
    const path = `${isTypeAttribute(item) ? 'typeAttributes' : 'entityAttributes'}.${labelOf(item)}`
    merging.conflicts.push({ path, field: 'deleted', base: item, mine: m ?? null, theirs: t ?? null })
  }
}

/**
 * Names valid on either side may collide: both added `email`, or one side renamed an attribute to a name that the other
 * side added.
 */
function findSameNames(merging: Merging, merged: readonly Column[], sides: Three<EntityContent>): void {
  const { mine, theirs } = three(sides, columnsOf)
  const alreadyRepeated = new Set([...repeatedNames(mine), ...repeatedNames(theirs)])
  const repeated = repeatedNames(merged).filter(name => !alreadyRepeated.has(name))
  const [all, left, right] = [firstByName(merged), firstByName(mine), firstByName(theirs)]
  for (const name of repeated) {
    const path = `typeAttributes.${labelOf(all.get(name))}`
    const values = { mine: left.get(name) ?? null, theirs: right.get(name) ?? null }
    merging.conflicts.push({ path, field: 'name', base: null, ...values })
  }
}

function firstByName(items: readonly Column[]): Map<string, Column> {
  return new Map(items.toReversed().map(item => [foldName(labelOf(item)), item]))
}

function findTwoKeys(merging: Merging, merged: readonly Column[], sides: Three<EntityContent>): void {
  if (keysIn(merged) > maxKeys(sides))
    merging.conflicts.push({ path: '', field: 'primaryKey', ...three(sides, keyNameOf) })
}

export function keysIn(items: readonly Column[]): number {
  return items.filter(isKey).length
}

function keyNameOf(content: EntityContent): string | null {
  const key = columnsOf(content).find(isKey)
  return key ? labelOf(key) : null
}

/** Whether a side replaced its own key by setting a parent. */
export function givesKeyUp(base: EntityContent, side: EntityContent): boolean {
  const isOther = side.extendsEntity !== null && side.extendsEntity.id !== base.extendsEntity?.id
  return isOther && keysIn(columnsOf(base)) > 0 && keysIn(columnsOf(side)) === 0
}

function maxKeys({ base, mine, theirs }: Three<EntityContent>): number {
  if (givesKeyUp(base, mine) || givesKeyUp(base, theirs)) return 0
  return Math.max(1, ...[base, mine, theirs].map(side => keysIn(columnsOf(side))))
}

function repeatedNames(items: readonly Column[]): string[] {
  const seen = new Set<string>()
  return items.map(item => foldName(labelOf(item))).filter(name => seen.size === seen.add(name).size)
}

/**
 * Two valid attributes may break a rule once merged: one side made it an integer, the other set the default 'x'. The differing fields are
 * then a conflict, and all are taken from one side.
 */
function soundShapes(
  merging: Merging,
  merged: readonly TypeAttribute[],
  { base, mine, theirs }: Three<readonly TypeAttribute[]>,
): TypeAttribute[] {
  const conflicting = new Set(merging.conflicts.map(({ path, field }) => JSON.stringify([path, field])))
  const before = three({ base, mine, theirs }, items => new Map(items.map(item => [item.uid, item])))
  return merged.map(item => {
    const { base: b, mine: m, theirs: t } = three(before, items => items.get(item.uid))
    if (!b || !m || !t || !isBroken(item, { base: b, mine: m, theirs: t })) return item
    const path = `typeAttributes.${labelOf(b)}`
    const fields = shapeFields.filter(field => !isEqual(m[field], t[field]))
    for (const field of fields) {
      if (!conflicting.has(JSON.stringify([path, field])))
        merging.conflicts.push({ path, field, base: b[field], mine: m[field], theirs: t[field] })
    }
    return withFields(item, merging.takes === 'mine' ? m : t, fields)
  })
}

/** The attribute with these fields of another attribute. */
export function withFields(
  item: TypeAttribute,
  from: TypeAttribute,
  fields: readonly (keyof TypeAttribute)[],
): TypeAttribute {
  return { ...item, ...Object.fromEntries(fields.map(field => [field, from[field]])) }
}

function isBroken(item: TypeAttribute, { base, mine, theirs }: Three<TypeAttribute>): boolean {
  // Most items have the shape of one side, which is valid.
  const differs = (side: TypeAttribute) => shapeFields.some(field => !isEqual(side[field], item[field]))
  if (!differs(mine) || !differs(theirs)) return false
  const own = new Set(shapeProblems(mine, base).map(({ message }) => message))
  return shapeProblems(item, theirs).some(({ message }) => !own.has(message))
}

/**
 * Resolves conflicting uses (attribute or relationship) and name conflicts in favour of theirs: keeps their item, or
 * none if they removed it. `isAlike`: whether two items belong to the same list.
 */
function preferTheirs<T extends Item>(
  items: readonly T[],
  { base, theirs }: Pick<Three<readonly T[]>, 'base' | 'theirs'>,
  isAlike: (a: T, b: T) => boolean,
): T[] {
  const before = new Set(base.map(item => item.uid))
  const there = new Map(theirs.map(item => [item.uid, item]))
  const remaining = items.filter(item => {
    const other = there.get(item.uid)
    return other ? isAlike(item, other) : !before.has(item.uid)
  })
  return preferNamesOf(theirs, remaining, (_item, other) => other)
}

/**
 * Resolves name conflicts in favour of one side: renames of the other side take its names, additions of the other side are dropped.
 * `renamed`: returns an item of the other side with the name that it has in this side.
 */
export function preferNamesOf<T extends Item>(
  side: readonly T[],
  items: readonly T[],
  renamed: (item: T, own: T) => T,
): T[] {
  const own = new Map(side.map(item => [item.uid, item]))
  let left = [...items]
  for (;;) {
    const names = Map.groupBy(left, nameOf)
    const givesWay = (item: T) => {
      if ((names.get(nameOf(item))?.length ?? 0) < 2) return false
      const existing = own.get(item.uid)
      return !existing || nameOf(existing) !== nameOf(item)
    }
    const giving = new Set(left.filter(givesWay))
    if (giving.size === 0) return left
    left = left.flatMap(item => {
      if (!giving.has(item)) return [item]
      const existing = own.get(item.uid)
      return existing ? [renamed(item, existing)] : []
    })
  }
}

function nameOf(item: Item): string {
  return foldName(labelOf(item))
}
