import { type Check, isSameCondition } from '@cadmus/model/checks'
import type { EntityContent } from '@cadmus/model/entity'
import { type EntityAttribute, newEntityAttribute } from '@cadmus/model/entity-attribute'
import { isEqual } from '@cadmus/model/equal'
import type { Group } from '@cadmus/model/group'
import { foldName } from '@cadmus/model/paths'
import { isPrimaryKey, newTypeAttribute, type TypeAttribute } from '@cadmus/model/type-attribute'
import { columnTypeOf } from '@cadmus/sql/column-types'
import { databases, type ScriptDatabase } from '@cadmus/sql/databases'
import type { Omission } from '@cadmus/sql/read/omissions'

/** What was read: scripts of a database, or `isWhole` a file of this product, which has all fields. */
export type MergeSource = {
  database?: ScriptDatabase | undefined
  isWhole?: boolean
  omissions?: readonly Omission[] | undefined
}

/**
 * What an import makes of an existing entity, whose columns `read` has the uids of. What the file can state is taken as stated. What it may leave
 * unsaid, such as descriptions, stays unless it has a value of its own. Reading the same file again changes nothing.
 */
export function mergedContent(existing: EntityContent, read: EntityContent, source: MergeSource = {}): EntityContent {
  const { database, omissions = [] } = source
  const known = new Set(omissions.includes('foreignKeys') ? existing.entityAttributes.map(({ uid }) => uid) : [])
  const readAttributes = read.typeAttributes.filter(({ uid }) => !known.has(uid))
  const at = placesAfter(existing, read)
  const attributes = without(existing.typeAttributes, read.entityAttributes)
  const relationships = without(existing.entityAttributes, readAttributes)
  return {
    ...existing,
    name: sameName(existing.name, read.name),
    description: read.description || existing.description,
    extendsEntity: sameReference(existing.extendsEntity, read.extendsEntity) ?? existing.extendsEntity,
    referenceImportPaths: firstFilled(read.referenceImportPaths, existing.referenceImportPaths),
    traits: firstFilled(read.traits, existing.traits),
    groups: mergedGroups(existing.groups, read.groups),
    checks: mergedChecks(existing.checks, read.checks),
    typeAttributes: mergedItems(attributes, readAttributes, (own, other) => {
      const merged = mergedAttribute(own, other, database && keyedUids(read), database)
      return omissions.includes('indexes') ? { ...merged, indexed: own.indexed } : merged
    }).map(at),
    entityAttributes: mergedItems(relationships, read.entityAttributes, (own, other) =>
      mergedRelationship(own, other, source),
    ).map(at),
  }
}

function firstFilled<T>(...lists: readonly T[][]): T[] {
  return lists.find(list => list.length > 0) ?? []
}

/** A column that is the other kind of column in the file becomes that. */
function without<T extends { uid: string }>(items: readonly T[], others: readonly { uid: string }[]): T[] {
  const uids = new Set(others.map(({ uid }) => uid))
  return items.filter(({ uid }) => !uids.has(uid))
}

type Placed = { uid: string; position: number }

/** Existing columns stay at their places, new ones follow in their order. */
function placesAfter(existing: EntityContent, read: EntityContent): <T extends Placed>(item: T) => T {
  const columns = ({ typeAttributes, entityAttributes }: EntityContent): Placed[] => [
    ...typeAttributes,
    ...entityAttributes,
  ]
  const places = new Map(columns(existing).map(({ uid, position }) => [uid, position]))
  let next = columns(existing).reduce((last, { position }) => Math.max(last, position + 1), 0)
  for (const { uid } of columns(read).toSorted((a, b) => a.position - b.position))
    if (!places.has(uid)) places.set(uid, next++)
  return item => ({ ...item, position: places.get(item.uid) ?? item.position })
}

/** What the file says alone, under the identity and with the scopes of the existing entity. */
export function replacedContent(existing: EntityContent, read: EntityContent): EntityContent {
  const { uid, type, copiedFrom, operationScopes } = existing
  const own = new Map(existing.entityAttributes.map(item => [item.uid, item]))
  return {
    ...read,
    uid,
    type,
    copiedFrom,
    operationScopes,
    name: sameName(existing.name, read.name),
    extendsEntity: sameReference(existing.extendsEntity, read.extendsEntity),
    groups: read.groups.map(group => ({ ...group, uid: sameGroup(existing.groups, group)?.uid ?? group.uid })),
    checks: read.checks.map(check => ({ ...check, uid: sameCheck(existing.checks, check)?.uid ?? check.uid })),
    entityAttributes: read.entityAttributes.map(item => withSameTargets(own.get(item.uid), item)),
  }
}

function mergedItems<T extends { uid: string }>(
  existing: readonly T[],
  read: readonly T[],
  merged: (existing: T, read: T) => T,
): T[] {
  const byUid = new Map(read.map(item => [item.uid, item]))
  const known = new Set(existing.map(({ uid }) => uid))
  return [
    ...existing.map(item => {
      const change = byUid.get(item.uid)
      return change ? merged(item, change) : item
    }),
    ...read.filter(({ uid }) => !known.has(uid)),
  ]
}

/** Fields that the type of a column says. */
const typeFields = ['dataType', 'format', 'maxLength', 'precision', 'scale'] as const

/** Fields that every file states of an attribute. */
const statedOfAttribute = [
  ...typeFields,
  'purpose',
  'nullable',
  'choices',
  'defaultValue',
  'defaultKind',
  'unique',
  'indexed',
] as const satisfies readonly (keyof TypeAttribute)[]

/** The columns of a key or an index, whose texts databases limit. */
function keyedUids({ typeAttributes, groups }: EntityContent): ReadonlySet<string> {
  const keyed = typeAttributes.filter(item => isPrimaryKey(item) || item.unique || item.indexed)
  return new Set([...keyed, ...groups.flatMap(({ members }) => members)].map(({ uid }) => uid))
}

/** Whether the attribute has this very column in the database, so that a script does not say otherwise. */
function hasSameColumn(
  existing: TypeAttribute,
  read: TypeAttribute,
  keyed: ReadonlySet<string>,
  database: ScriptDatabase,
): boolean {
  const { typeName } = databases[database].export
  return typeName(columnTypeOf(existing, keyed.has(read.uid))) === typeName(columnTypeOf(read, false))
}

function mergedAttribute(
  existing: TypeAttribute,
  read: TypeAttribute,
  keyed: ReadonlySet<string> = new Set(),
  database?: ScriptDatabase,
): TypeAttribute {
  const plain = newTypeAttribute({ name: read.name, position: read.position })
  const merged = { ...existing, ...changedFields(read, plain), name: sameName(existing.name, read.name) }
  for (const field of statedOfAttribute) Object.assign(merged, { [field]: read[field] })
  if (database && hasSameColumn(existing, read, keyed, database))
    for (const field of typeFields) Object.assign(merged, { [field]: existing[field] })
  return { ...merged, uid: existing.uid, position: existing.position, copiedFrom: existing.copiedFrom }
}

const statedOfRelationship = [
  'associatedEntity',
  'associatedEntityTypeAttribute',
  'associatedEntityTypeAttributeUid',
  'foreignKeyPurpose',
  'foreignKeyDataType',
  'nullable',
  'unique',
] as const satisfies readonly (keyof EntityAttribute)[]

/** Further ones that scripts and files of this product state. */
const actionsAndColumns = ['onDelete', 'onUpdate', 'alsoBy'] as const satisfies readonly (keyof EntityAttribute)[]

function mergedRelationship(
  existing: EntityAttribute,
  read: EntityAttribute,
  { database, isWhole = false }: MergeSource,
): EntityAttribute {
  const same = withSameTargets(existing, read)
  const plain = newEntityAttribute(read)
  const fresh = newEntityAttribute({
    associatedEntity: read.associatedEntity,
    associatedEntityTypeAttribute: read.associatedEntityTypeAttribute,
    foreignKeyTypeAttribute: read.foreignKeyTypeAttribute,
    position: plain.position,
  })
  const name = sameName(existing.foreignKeyTypeAttribute, read.foreignKeyTypeAttribute)
  const merged = { ...existing, ...changedFields(same, fresh), foreignKeyTypeAttribute: name }
  const stated = database || isWhole ? [...statedOfRelationship, ...actionsAndColumns] : statedOfRelationship
  for (const field of stated) Object.assign(merged, { [field]: same[field] })
  if (isSameKey(existing, merged)) merged.alsoBy = existing.alsoBy
  return { ...merged, uid: existing.uid, position: existing.position, copiedFrom: existing.copiedFrom }
}

/** Equal further columns are known by their uids in the existing entity only. */
function isSameKey(a: Pick<EntityAttribute, 'alsoBy'>, b: Pick<EntityAttribute, 'alsoBy'>): boolean {
  const pairsOf = ({ alsoBy }: Pick<EntityAttribute, 'alsoBy'>) =>
    alsoBy.map(({ name, target }) => [foldName(name), foldName(target)])
  return isEqual(pairsOf(a), pairsOf(b))
}

/** The fields of an item that differ from those of a plain one. */
function changedFields<T extends object>(item: T, plain: T): Partial<T> {
  const entries = Object.entries(item).filter(([name, value]) => !isEqual(value, Reflect.get(plain, name)))
  return Object.fromEntries(entries) as Partial<T>
}

/** Equal targets are known by their uids in the existing entity only. */
function withSameTargets(existing: EntityAttribute | undefined, read: EntityAttribute): EntityAttribute {
  if (!existing) return read
  const isSame =
    isSameEntity(existing.associatedEntity, read.associatedEntity) &&
    foldName(existing.associatedEntityTypeAttribute) === foldName(read.associatedEntityTypeAttribute)
  const { associatedEntity, associatedEntityTypeAttribute, associatedEntityTypeAttributeUid } = existing
  const target = { associatedEntity, associatedEntityTypeAttribute, associatedEntityTypeAttributeUid }
  const alternativeTargets = read.alternativeTargets.map(
    target =>
      existing.alternativeTargets.find(
        one => isSameEntity(one.entity, target.entity) && foldName(one.attribute) === foldName(target.attribute),
      ) ?? target,
  )
  return { ...read, alternativeTargets, ...(isSame && target) }
}

type Reference = EntityAttribute['associatedEntity']

/** Entities that are missing are the same by name. */
function isSameEntity(a: Reference, b: Reference): boolean {
  return a.id > 0 || b.id > 0 ? a.id === b.id : foldName(a.name) === foldName(b.name)
}

function sameReference(existing: Reference | null, read: Reference | null): Reference | null {
  return existing && read && isSameEntity(existing, read) ? existing : read
}

/** Names that differ only in case are the same. */
function sameName(existing: string, read: string): string {
  return foldName(existing) === foldName(read) ? existing : read
}

function mergedGroups(existing: readonly Group[], read: readonly Group[]): Group[] {
  const changed = new Map<Group, Group>()
  const added: Group[] = []
  for (const group of read) {
    const same = sameGroup(existing, group)
    if (!same) added.push(group)
    else if (!hasSameMembers(same, group)) changed.set(same, { ...group, uid: same.uid })
  }
  return [...existing.map(group => changed.get(group) ?? group), ...added]
}

function mergedChecks(existing: readonly Check[], read: readonly Check[]): Check[] {
  const changed = new Map<Check, Check>()
  const added: Check[] = []
  for (const check of read) {
    const same = sameCheck(existing, check)
    if (!same) added.push(check)
    else if (!isSameCondition(same.condition, check.condition))
      changed.set(same, { ...same, condition: check.condition, message: check.message || same.message })
  }
  return [...existing.map(check => changed.get(check) ?? check), ...added]
}

/** A check is known by its condition, or by its name. */
function sameCheck(checks: readonly Check[], { name, condition }: Check): Check | undefined {
  return (
    checks.find(check => isSameCondition(check.condition, condition)) ??
    checks.find(check => name !== '' && foldName(check.name) === foldName(name))
  )
}

/** A group is known by its members, by its name, or as the only order of the key. */
function sameGroup(groups: readonly Group[], { kind, name, members }: Group): Group | undefined {
  const alike = groups.filter(group => group.kind === kind)
  return (
    alike.find(group => hasSameMembers(group, { members })) ??
    alike.find(group => kind === 'key' || (name !== '' && foldName(group.name) === foldName(name)))
  )
}

function hasSameMembers(a: Pick<Group, 'members'>, b: Pick<Group, 'members'>): boolean {
  const keyOf = ({ members }: Pick<Group, 'members'>) =>
    members.map(({ uid, name, descending }) => [uid === '' ? foldName(name) : uid, descending])
  return isEqual(keyOf(a), keyOf(b))
}
