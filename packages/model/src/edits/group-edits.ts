import { type Column, columnName } from '../columns.ts'
import type { EntityContent } from '../entity.ts'
import type { Group, GroupKind } from '../group.ts'
import { newUid } from '../uid.ts'
import type { EntityEdit } from './entity-edits.ts'

/** A new group of these columns, in their order. */
export function groupOfColumns(kind: GroupKind, columns: readonly Column[]): Group {
  const members = columns.map(column => ({ uid: column.uid, name: columnName(column), descending: false }))
  return { uid: newUid(), kind, name: '', members }
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
