import { type Column, columnName } from '../columns.ts'
import type { EntityContent } from '../entity.ts'
import type { Group, GroupKind } from '../group.ts'
import { limits } from '../limits.ts'
import { foldName } from '../paths.ts'
import { newUid } from '../uid.ts'
import type { EntityEdit } from './entity-edits.ts'

/** A new group of these columns, in their order. */
export function groupOfColumns(kind: GroupKind, columns: readonly Column[]): Group {
  const members = columns.map(column => ({ uid: column.uid, name: columnName(column), descending: false }))
  return { uid: newUid(), kind, name: '', members }
}

/**
 * The groups that move with columns, perhaps under other names: those of which all members move. The order of a key stays, because the other
 * entity has its own.
 */
export function movingGroups({ groups }: Pick<EntityContent, 'groups'>, columns: readonly Column[]): Group[] {
  const names = new Map(columns.map(column => [column.uid, columnName(column)]))
  return groups
    .filter(({ kind, members }) => kind !== 'key' && members.every(({ uid }) => names.has(uid)))
    .map(group => ({ ...group, members: group.members.map(one => ({ ...one, name: names.get(one.uid) ?? one.name })) }))
}

/** Adds groups that the entity does not have, without names that it has; beyond the limit they are left out. */
export function addGroupsEdits({ groups }: Pick<EntityContent, 'groups'>, added: readonly Group[]): EntityEdit[] {
  const [uids, names] = [new Set(groups.map(({ uid }) => uid)), new Set(groups.map(({ name }) => foldName(name)))]
  const next = added
    .filter(({ uid }) => !uids.has(uid))
    .map(group => (names.has(foldName(group.name)) ? { ...group, name: '' } : group))
    .slice(0, Math.max(0, limits.groups.max - groups.length))
  return next.length === 0 ? [] : [{ kind: 'changeEntity', change: { groups: [...groups, ...next] } }]
}

/** Adds the group, or replaces the one with its uid. */
export function putGroupEdits({ groups }: EntityContent, group: Group): EntityEdit[] {
  const isThere = groups.some(({ uid }) => uid === group.uid)
  const next = isThere ? groups.map(one => (one.uid === group.uid ? group : one)) : [...groups, group]
  return [{ kind: 'changeEntity', change: { groups: next } }]
}

export function removeGroupEdits({ groups }: EntityContent, uid: string): EntityEdit[] {
  const next = groups.filter(group => group.uid !== uid)
  return next.length === groups.length ? [] : [{ kind: 'changeEntity', change: { groups: next } }]
}
