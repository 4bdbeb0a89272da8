import { type Check, checksWith } from '../checks.ts'
import { type Column, columnName } from '../columns.ts'
import { attributesIn, withAttributes } from '../conditions/condition.ts'
import type { Constraints } from '../constraints.ts'
import type { EntityContent } from '../entity.ts'
import { limits } from '../limits.ts'
import { foldName } from '../paths.ts'
import type { EntityEdit } from './entity-edits.ts'
import { addGroupsEdits, movingGroups } from './group-edits.ts'

/** Adds the check, or replaces the one with its uid. */
export function putCheckEdits({ checks }: EntityContent, check: Check): EntityEdit[] {
  const isThere = checks.some(({ uid }) => uid === check.uid)
  const next = isThere ? checks.map(one => (one.uid === check.uid ? check : one)) : [...checks, check]
  return [{ kind: 'changeEntity', change: { checks: next } }]
}

export function removeCheckEdits({ checks }: EntityContent, uid: string): EntityEdit[] {
  const next = checks.filter(check => check.uid !== uid)
  return next.length === checks.length ? [] : [{ kind: 'changeEntity', change: { checks: next } }]
}

/** The groups and checks that move with columns, perhaps under other names: those of which all columns move. */
export function movingConstraints(content: Constraints, columns: readonly Column[]): Constraints {
  const names = new Map(columns.map(column => [column.uid, columnName(column)]))
  const checks = checksWith(content, new Set(names.keys()))
    .filter(({ condition }) => attributesIn(condition).every(({ uid }) => names.has(uid)))
    .map(check => ({
      ...check,
      condition: withAttributes(check.condition, one => ({ ...one, name: names.get(one.uid) ?? one.name })),
    }))
  return { groups: movingGroups(content, columns), checks }
}

/** Adds groups and checks that the entity does not have, without names that it has; beyond the limit they are left out. */
export function addConstraintsEdits(content: Constraints, { groups, checks: added }: Constraints): EntityEdit[] {
  const { checks } = content
  const [uids, names] = [new Set(checks.map(({ uid }) => uid)), new Set(checks.map(({ name }) => foldName(name)))]
  const next = added
    .filter(({ uid }) => !uids.has(uid))
    .map(check => (names.has(foldName(check.name)) ? { ...check, name: '' } : check))
    .slice(0, Math.max(0, limits.checks.max - checks.length))
  const edits = addGroupsEdits(content, groups)
  if (next.length > 0) edits.push({ kind: 'changeEntity', change: { checks: [...checks, ...next] } })
  return edits
}
