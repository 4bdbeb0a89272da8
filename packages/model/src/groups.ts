import { columnName, columnsOf } from './columns.ts'
import type { EntityContent, EntityNode } from './entity.ts'
import { hasSameItems, isEqual } from './equal.ts'
import { visibleText } from './display.ts'
import { hasPairs, withSettledPairs } from './key-pairs.ts'
import type { Group, GroupKind } from './group.ts'
import { ancestorsOf, resolvedByName, type EntityLookup, type ResolvedAttribute } from './inherit.ts'
import { groupTexts } from './messages/groups.ts'
import { foldName } from './paths.ts'
import { newUid } from './uid.ts'

type Columns = Pick<EntityContent, 'typeAttributes' | 'entityAttributes'>
type Grouped = Columns & Pick<EntityContent, 'groups'>

/** A group with the columns of its members, in order; members without a column are left out. */
export type ResolvedGroup = {
  group: Group
  members: readonly { column: ResolvedAttribute; descending: boolean }[]
  /** Whether all members have a column. */
  isWhole: boolean
}

/** Fewest members of a group. */
export const fewestMembers = 2

/**
 * The groups of an entity, those of the farthest ancestor first. A column that overrides an inherited one takes its place in inherited
 * groups.
 */
export function resolvedGroups(
  entity: EntityNode,
  lookup: EntityLookup,
  byName: ReadonlyMap<string, ResolvedAttribute> = resolvedByName(entity, lookup),
): ResolvedGroup[] {
  const line = [entity, ...ancestorsOf(entity, lookup)].toReversed()
  if (line.every(({ groups }) => groups.length === 0)) return []
  const names = new Map<string, string>()
  return line.flatMap(declaring => {
    for (const column of columnsOf(declaring)) names.set(column.uid, foldName(columnName(column)))
    return declaring.groups.map(group => {
      const members = new Map<ResolvedAttribute, ResolvedGroup['members'][number]>()
      let isWhole = true
      for (const { uid, name, descending } of group.members) {
        const column = byName.get((uid === '' ? foldName(name) : names.get(uid)) ?? '')
        if (!column) isWhole = false
        // Attributes whose names differ only in case are one column.
        else if (!members.has(column)) members.set(column, { column, descending })
      }
      return { group, members: [...members.values()], isWhole }
    })
  })
}

/** Columns that some group of the entity or its ancestors compares as a whole. */
export function groupedColumns(groups: readonly ResolvedGroup[]): ReadonlySet<ResolvedAttribute> {
  return new Set(groups.flatMap(({ members }) => members.map(({ column }) => column)))
}

/**
 * The content with current names and uids of members of groups and of further columns of foreign keys that are its own columns, without
 * those whose column `previous` had and the content has no more, and without groups that this leaves with one member. A group without uid
 * gets that of the former one of the same members.
 */
export function withSettledGroups<T extends Grouped>(content: T, previous?: Grouped): T {
  if (content.groups.length === 0 && !hasPairs(content)) return content
  const byUid = new Map(columnsOf(content).map(column => [column.uid, columnName(column)]))
  const byName = new Map(columnsOf(content).map(column => [foldName(columnName(column)), column.uid]))
  const before = new Set(previous ? columnsOf(previous).map(({ uid }) => uid) : [])
  const settled = <M extends { uid: string; name: string }>(member: M): M | undefined => {
    const uid = member.uid === '' ? (byName.get(foldName(member.name)) ?? '') : member.uid
    const name = byUid.get(uid) ?? member.name
    if (!byUid.has(uid) && before.has(uid)) return undefined
    return uid === member.uid && name === member.name ? member : { ...member, uid, name }
  }
  const freeUid = freeUids(content, previous)
  const seen = new Set([''])
  const groups = content.groups.flatMap(group => {
    const members = group.members.flatMap(member => settled(member) ?? [])
    if (members.length < group.members.length && members.length < fewestMembers) return []
    const uid = seen.has(group.uid) ? freeUid({ ...group, members }) : group.uid
    seen.add(group.uid)
    const isSame = uid === group.uid && hasSameItems(members, group.members)
    return [isSame ? group : { ...group, uid, members }]
  })
  const entityAttributes = withSettledPairs(content.entityAttributes, settled)
  if (hasSameItems(groups, content.groups))
    return entityAttributes === content.entityAttributes ? content : { ...content, entityAttributes }
  return { ...content, groups, entityAttributes }
}

/** Gives a group the uid of a former one of the same kind and members that is not in use; otherwise a new one. */
function freeUids({ groups }: Grouped, previous: Grouped | undefined): (group: Group) => string {
  const used = new Set(groups.map(({ uid }) => uid))
  const idOf = ({ kind, members }: Group) =>
    JSON.stringify([kind, ...members.map(({ uid, name }) => uid || foldName(name))])
  const former = Map.groupBy(previous?.groups.filter(({ uid }) => !used.has(uid)) ?? [], idOf)
  return group => former.get(idOf(group))?.shift()?.uid ?? newUid()
}

/** The groups with other uids of columns, as after a replacement of uids. */
export function withColumnUids(groups: readonly Group[], uidOf: (uid: string) => string | undefined): Group[] {
  return groups.map(group => ({
    ...group,
    members: group.members.map(member => ({ ...member, uid: uidOf(member.uid) ?? member.uid })),
  }))
}

/** Copies of the groups, with the uids of the copied columns. */
export function copiedGroups(groups: readonly Group[], uidOf: (uid: string) => string | undefined): Group[] {
  return withColumnUids(groups, uidOf).map(group => ({ ...group, uid: newUid() }))
}

/** Groups of an entity that have one of its columns as a member. */
export function groupsWith({ groups }: Pick<EntityContent, 'groups'>, uids: ReadonlySet<string>): Group[] {
  return groups.filter(({ members }) => members.some(({ uid }) => uids.has(uid)))
}

/** The groups without members that only the parent had, and without groups that this leaves with one member. */
export function groupsWithoutParent(content: Grouped): Group[] {
  const own = new Set(columnsOf(content).map(column => foldName(columnName(column))))
  const groups = content.groups.flatMap(group => {
    const members = group.members.filter(({ uid, name }) => uid !== '' || own.has(foldName(name)))
    if (members.length === group.members.length) return [group]
    return members.length < fewestMembers ? [] : [{ ...group, members }]
  })
  return hasSameItems(groups, content.groups) ? content.groups : groups
}

/** The display name of a group: its own, or its columns. */
export function groupName({ name, members }: Group): string {
  return name === '' ? members.map(member => member.name).join(', ') : name
}

/** A group as a line of text: `Index ix_line: orderNo, price descending`. */
export function groupLine(group: Group): string {
  return visibleText(`${headOf(group, groupTexts.labels)}: ${columnsIn(group)}`)
}

/** A group in a list of groups: `index ix_line (orderNo, price descending)`. */
export function groupInList(group: Group): string {
  return visibleText(`${headOf(group, groupTexts.kinds)} (${columnsIn(group)})`)
}

function headOf({ kind, name }: Group, kinds: Readonly<Record<GroupKind, string>>): string {
  return name === '' ? kinds[kind] : `${kinds[kind]} ${name}`
}

function columnsIn({ members }: Group): string {
  return members.map(one => (one.descending ? groupTexts.descendingMember(one.name) : one.name)).join(', ')
}

/** Whether both lists have the same groups; names of columns with a uid do not count. */
export function isSameGroups(groups: readonly Group[], others: readonly Group[]): boolean {
  return isEqual(groups.map(withoutNames), others.map(withoutNames))
}

function withoutNames({ members, ...group }: Group): object {
  return { ...group, members: members.map(({ uid, name, descending }) => [uid || foldName(name), descending]) }
}
