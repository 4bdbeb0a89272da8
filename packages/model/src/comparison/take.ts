import { type Column, columnName, columnsInOrder, isRelationship, isTypeAttribute } from '../columns.ts'
import type { ComparedChange } from '../contract/comparison.ts'
import { type EntityEdit, entityEditsBetween, scopeFields } from '../edits/entity-edits.ts'
import type { EntityAttribute, EntityReference } from '../entity-attribute.ts'
import type { EntityContent } from '../entity.ts'
import { entityFields } from '../fields/entity.ts'
import { constraintsWithUids, withSettledConstraints } from '../constraints.ts'
import { withPairUids } from '../key-pairs.ts'
import { comparedNames } from '../fields/field.ts'
import { relationshipFields } from '../fields/relationship.ts'
import { typeAttributeFields } from '../fields/type-attribute.ts'
import { isSameReference, unmovedKeys } from '../merge/items.ts'
import { comparisonSideTexts } from '../messages/comparison-sides.ts'
import { newUid } from '../uid.ts'

/** `reason`: why nothing can be taken. */
type Taken = { edits: EntityEdit[]; reason?: undefined } | { edits?: undefined; reason: string }

/**
 * The edits that give `current` what `other` has in one change of their comparison, in whichever direction they were compared, or in all.
 * Other columns remain as they are, but for positions behind an added column. Uid, type and origin of the entity are never taken. Refused
 * if a parent or target is taken that does not exist now. `copies`: added columns are copies with their own uids, because they come from
 * another entity.
 */
export function editsToTake(
  current: EntityContent,
  other: EntityContent,
  change: ComparedChange | 'all',
  { copies = false }: { copies?: boolean } = {},
): Taken {
  const source = copies ? withCopiedColumns(current, other) : other
  const taken = change === 'all' ? whole(current, source) : withChange(current, source, change, other)
  // Groups and checks refer neither to columns that are not taken nor to those whose removal is.
  const target = withSettledConstraints(taken, {
    groups: source.groups,
    checks: source.checks,
    typeAttributes: [...current.typeAttributes, ...source.typeAttributes],
    entityAttributes: [...current.entityAttributes, ...source.entityAttributes],
  })
  const missing = missingReference(current, target)
  if (missing) return { reason: comparisonSideTexts.missingTarget(missing.name) }
  return { edits: entityEditsBetween(current, target) }
}

function whole({ uid, type, copiedFrom }: EntityContent, other: EntityContent): EntityContent {
  return { ...other, uid, type, copiedFrom }
}

/** `original`: with the uids that the change has. */
function withChange(
  current: EntityContent,
  other: EntityContent,
  change: ComparedChange,
  original: EntityContent,
): EntityContent {
  if ('step' in change && change.step !== null) {
    const { uid } = change.step
    const index = columnsInOrder(original).findIndex(column => column.uid === uid)
    return withColumn(current, columnsInOrder(other), { change, uid, source: columnsInOrder(other)[index] })
  }
  if (change.kind === 'renamed') return { ...current, name: other.name }
  if (change.kind !== 'changed') return current
  const scope = scopeFields.find(field => field === change.field)
  if (scope) {
    const { operationScopes } = other
    return { ...current, operationScopes: { ...current.operationScopes, [scope]: operationScopes[scope] } }
  }
  return { ...current, ...picked(other, takenFields, change.field) }
}

const takenFields = comparedNames(entityFields).filter(field => field !== 'type')
const attributeFields = comparedNames(typeAttributeFields)
const targetFields = [
  'associatedEntity',
  'associatedEntityTypeAttribute',
  'associatedEntityTypeAttributeUid',
  'alsoBy',
] as const satisfies (keyof EntityAttribute)[]
const ownRelationshipFields = comparedNames(relationshipFields)

/** The field's value; nothing for a field that is not taken alone. */
function picked<T extends object>(from: T, fields: readonly (keyof T)[], field: string): Partial<T> {
  const values: Partial<T> = {}
  for (const one of fields) if (one === field) values[one] = from[one]
  return values
}

/** `source`: the column of the other state, undefined if it has none. */
type ColumnChange = { change: ComparedChange; uid: string; source: Column | undefined }

function withColumn(
  current: EntityContent,
  order: readonly Column[],
  { change, uid, source }: ColumnChange,
): EntityContent {
  const columns = columnsInOrder(current)
  const own = columns.find(column => column.uid === uid)
  if (!source || !own) {
    if (change.kind !== 'added' && change.kind !== 'removed') return current
    if (own) return withColumns(current, columns.toSpliced(columns.indexOf(own), 1))
    return source ? withColumns(current, spaced(inserted(columns, source, order), source)) : current
  }
  switch (change.kind) {
    case 'moved': {
      const rest = columns.filter(column => column !== own)
      return withColumns(current, withPositions(inserted(rest, own, order), columns))
    }
    case 'converted':
      return withReplaced(current, columns, own, { ...source, position: own.position })
    case 'renamed':
      return withReplaced(current, columns, own, withName(own, columnName(source)))
    case 'changed':
      return withReplaced(current, columns, own, withField(own, source, change.field))
    default:
      return current
  }
}

function withName(column: Column, name: string): Column {
  return isTypeAttribute(column) ? { ...column, name } : { ...column, foreignKeyTypeAttribute: name }
}

/** A target is taken with its attribute, which the entity of the other target may lack. */
function withField(own: Column, source: Column, field: string): Column {
  if (isTypeAttribute(own)) return isTypeAttribute(source) ? { ...own, ...picked(source, attributeFields, field) } : own
  if (isTypeAttribute(source)) return own
  if (!targetFields.some(one => one === field)) return { ...own, ...picked(source, ownRelationshipFields, field) }
  return targetFields.reduce<EntityAttribute>((column, one) => ({ ...column, ...picked(source, [one], one) }), own)
}

function withReplaced(content: EntityContent, columns: readonly Column[], old: Column, by: Column): EntityContent {
  return withColumns(
    content,
    columns.map(column => (column === old ? by : column)),
  )
}

function withColumns(content: EntityContent, columns: readonly Column[]): EntityContent {
  return {
    ...content,
    typeAttributes: columns.filter(isTypeAttribute),
    entityAttributes: columns.filter(isRelationship),
  }
}

/** The columns with one more, behind the nearest column that precedes it in the other order, among those that both orders agree on. */
function inserted(columns: readonly Column[], added: Column, order: readonly Column[]): Column[] {
  const uids = columns.map(({ uid }) => uid)
  const otherUids = order.map(({ uid }) => uid)
  const at = otherUids.indexOf(added.uid)
  const anchors = unmovedKeys(
    uids,
    otherUids.filter(uid => uid !== added.uid),
  )
  const previous = otherUids.slice(0, at).findLast(uid => anchors.has(uid))
  if (previous !== undefined) return columns.toSpliced(uids.indexOf(previous) + 1, 0, added)
  const next = otherUids.slice(at + 1).find(uid => anchors.has(uid))
  return columns.toSpliced(next === undefined ? columns.length : uids.indexOf(next), 0, added)
}

/** Positions that rise from the added column on, changing as few as possible. */
function spaced(columns: readonly Column[], added: Column): Column[] {
  const at = columns.indexOf(added)
  let position = columns[at - 1]?.position ?? -1
  return columns.map((column, index) => {
    if (index < at) return column
    position = index === at ? position + 1 : Math.max(column.position, position + 1)
    return column.position === position ? column : { ...column, position }
  })
}

/** The columns in the positions that they have together, which rise. */
function withPositions(columns: readonly Column[], before: readonly Column[]): Column[] {
  let last = -1
  return columns.map((column, index) => {
    last = Math.max(before[index]?.position ?? 0, last + 1)
    return column.position === last ? column : { ...column, position: last }
  })
}

function withCopiedColumns(current: EntityContent, other: EntityContent): EntityContent {
  const own = new Set(columnsInOrder(current).map(({ uid }) => uid))
  const fresh = columnsInOrder(other).filter(({ uid }) => !own.has(uid))
  const uids = new Map(fresh.map(({ uid }) => [uid, newUid()]))
  return withColumns(
    { ...other, ...constraintsWithUids(other, uid => uids.get(uid)) },
    columnsInOrder(other).map(column => {
      const uid = uids.get(column.uid)
      const own = withPairUids(column, one => uids.get(one))
      return uid === undefined ? own : { ...own, uid, copiedFrom: column.uid }
    }),
  )
}

/** The first parent or target that is taken and does not exist now. */
function missingReference(current: EntityContent, target: EntityContent): EntityReference | undefined {
  const before = new Map(current.entityAttributes.map(item => [item.uid, item]))
  const pairs = target.entityAttributes.map(item => [before.get(item.uid), item] as const)
  const taken = [
    ...takenReferences(parentOf(current), parentOf(target)),
    ...pairs.flatMap(([was, is]) => takenReferences(targetsOf(was), targetsOf(is))),
  ]
  return taken.find(({ id }) => id < 1)
}

function parentOf({ extendsEntity }: EntityContent): EntityReference[] {
  return extendsEntity ? [extendsEntity] : []
}

function targetsOf(item: EntityAttribute | undefined): EntityReference[] {
  return item ? [item.associatedEntity, ...item.alternativeTargets.map(({ entity }) => entity)] : []
}

function takenReferences(before: readonly EntityReference[], after: readonly EntityReference[]): EntityReference[] {
  return after.filter(reference => !before.some(one => isSameReference(one, reference)))
}
