import {
  attributesIn,
  type AttributeOperand,
  type Check,
  checkSchema,
  type Condition,
  withAttributes,
} from './conditions/condition.ts'
import { conditionText } from './conditions/text.ts'
import { columnName, columnsOf } from './columns.ts'
import { visibleText } from './display.ts'
import type { EntityContent, EntityNode } from './entity.ts'
import { hasSameItems, isEqual } from './equal.ts'
import { ancestorsOf, resolvedByName, type EntityLookup, type ResolvedAttribute } from './inherit.ts'
import { foldName } from './paths.ts'
import { newUid } from './uid.ts'

type Columns = Pick<EntityContent, 'typeAttributes' | 'entityAttributes'>
type Checked = Columns & Pick<EntityContent, 'checks'>

/** A check with a way from its columns to those of the entity; undefined for a column that is gone. */
export type ResolvedCheck = {
  check: Check
  columnOf(attribute: AttributeOperand): ResolvedAttribute | undefined
}

/** The checks of an entity, those of the farthest ancestor first. A column that overrides an inherited one takes its place. */
export function resolvedChecks(
  entity: EntityNode,
  lookup: EntityLookup,
  byName: ReadonlyMap<string, ResolvedAttribute> = resolvedByName(entity, lookup),
): ResolvedCheck[] {
  const line = [entity, ...ancestorsOf(entity, lookup)].toReversed()
  if (line.every(({ checks }) => checks.length === 0)) return []
  const names = new Map<string, string>()
  for (const declaring of line)
    for (const column of columnsOf(declaring)) names.set(column.uid, foldName(columnName(column)))
  const columnOf = ({ uid, name }: AttributeOperand) => byName.get((uid === '' ? foldName(name) : names.get(uid)) ?? '')
  return line.flatMap(({ checks }) => checks.map(check => ({ check, columnOf })))
}

/**
 * The content with current names and uids of the columns in its checks, without checks of a column that `previous` had and the content has no
 * more. A check without uid gets that of the former one of the same name or condition.
 */
export function withSettledChecks<T extends Checked>(content: T, previous?: Checked): T {
  if (content.checks.length === 0) return content
  const byUid = new Map(columnsOf(content).map(column => [column.uid, columnName(column)]))
  const byName = new Map(columnsOf(content).map(column => [foldName(columnName(column)), column.uid]))
  const before = new Set(previous ? columnsOf(previous).map(({ uid }) => uid) : [])
  const settled = (attribute: AttributeOperand): AttributeOperand => {
    const uid = attribute.uid === '' ? (byName.get(foldName(attribute.name)) ?? '') : attribute.uid
    const name = byUid.get(uid) ?? attribute.name
    return uid === attribute.uid && name === attribute.name ? attribute : { ...attribute, uid, name }
  }
  const freeUid = freeUids(content, previous)
  const seen = new Set([''])
  const checks = content.checks.flatMap(check => {
    const condition = withAttributes(check.condition, settled)
    if (attributesIn(condition).some(({ uid }) => !byUid.has(uid) && before.has(uid))) return []
    const uid = seen.has(check.uid) ? freeUid({ ...check, condition }) : check.uid
    seen.add(uid)
    return [uid === check.uid && condition === check.condition ? check : { ...check, uid, condition }]
  })
  return hasSameItems(checks, content.checks) ? content : { ...content, checks }
}

/** Gives a check the uid of a former one of the same name, or without names of the same condition, that is not in use; otherwise a new one. */
function freeUids({ checks }: Checked, previous: Checked | undefined): (check: Check) => string {
  const used = new Set(checks.map(({ uid }) => uid))
  const idOf = ({ name, condition }: Check) => (name === '' ? conditionKey(condition) : `name ${foldName(name)}`)
  const former = Map.groupBy(previous?.checks.filter(({ uid }) => !used.has(uid)) ?? [], idOf)
  return check => former.get(idOf(check))?.shift()?.uid ?? newUid()
}

/** Equal for conditions of the same meaning; names of columns with a uid do not count. */
export function conditionKey(condition: Condition): string {
  return conditionText(withAttributes(condition, one => ({ ...one, name: one.uid || foldName(one.name) })))
}

/** Whether they mean the same; names of columns with a uid do not count. */
export function isSameCondition(condition: Condition, other: Condition): boolean {
  return conditionKey(condition) === conditionKey(other)
}

/** The checks with other uids of columns, as after a replacement of uids. */
export function checksWithColumnUids(checks: readonly Check[], uidOf: (uid: string) => string | undefined): Check[] {
  return checks.map(check => ({
    ...check,
    condition: withAttributes(check.condition, one => ({ ...one, uid: uidOf(one.uid) ?? one.uid })),
  }))
}

/** Copies of the checks, with the uids of the copied columns. */
export function copiedChecks(checks: readonly Check[], uidOf: (uid: string) => string | undefined): Check[] {
  return checksWithColumnUids(checks, uidOf).map(check => ({ ...check, uid: newUid() }))
}

/** Checks of an entity that have one of its columns. */
export function checksWith({ checks }: Pick<EntityContent, 'checks'>, uids: ReadonlySet<string>): Check[] {
  return checks.filter(({ condition }) => attributesIn(condition).some(({ uid }) => uids.has(uid)))
}

/** The checks without those of columns that only the parent had. */
export function checksWithoutParent(content: Checked): Check[] {
  const own = new Set(columnsOf(content).map(column => foldName(columnName(column))))
  const checks = content.checks.filter(({ condition }) =>
    attributesIn(condition).every(({ uid, name }) => uid !== '' || own.has(foldName(name))),
  )
  return checks.length === content.checks.length ? content.checks : checks
}

/** The display name of a check: its own, or its condition. */
export function checkName({ name, condition }: Check): string {
  return name === '' ? conditionText(condition) : name
}

/** A check as a line of text: `ck_price: price >= 0 (A price is positive.)`. */
export function checkLine({ name, condition, message }: Check): string {
  const text = conditionText(condition)
  return visibleText(`${name === '' ? '' : `${name}: `}${text}${message === '' ? '' : ` (${message})`}`)
}

/** Whether both lists have the same checks; names of columns with a uid do not count. */
export function isSameChecks(checks: readonly Check[], others: readonly Check[]): boolean {
  const key = ({ condition, ...check }: Check) => ({ ...check, condition: conditionKey(condition) })
  return isEqual(checks.map(key), others.map(key))
}

export { checkSchema, type Check }
