import type { EntityNode } from '@cadmus/model/entity'
import type { Group, GroupKind } from '@cadmus/model/group'
import { groupName, type ResolvedGroup } from '@cadmus/model/groups'
import type { ResolvedAttribute } from '@cadmus/model/inherit'
import { isIndexable } from './column-types.ts'
import type { Draft } from './drafts.ts'
import { type Notes, noteTexts } from './notes.ts'
import type { Column, EntitySource, Index, Key } from './tree.ts'

/**
 * The constraints and indexes of an entity's groups. `keys`: its other keys; a set of columns gets one of them only, because some databases
 * refuse a second.
 */
export function groupConstraints(
  { groups, entity }: Draft,
  columns: readonly { attribute: ResolvedAttribute; column: Column }[],
  keys: readonly Pick<Key, 'columns'>[],
  source: EntitySource,
  notes: Notes,
): { uniques: Key[]; indexes: Index[] } {
  const [uniques, indexes]: [Key[], Index[]] = [[], []]
  const byAttribute = new Map(columns.map(column => [column.attribute, column.column]))
  const sets = new Set(keys.map(key => setOf(key.columns)))
  // The index of a key serves for its columns in this order; Oracle refuses a second.
  const orders = new Set(keys.map(key => orderOf(key)))
  // Unique ones first, because their indexes replace others.
  for (const { group, members, isWhole } of uniquesFirst(groups)) {
    if (group.kind === 'key') continue
    const parts = members.flatMap(({ column }) => byAttribute.get(column) ?? [])
    const unfit = parts.find(({ type }) => !isIndexable(type))
    if (!isWhole || parts.length < 2) {
      notes.about('groupIncomplete', noteTexts.groupIncomplete(groupName(group)), source)
    } else if (unfit) {
      notes.about('groupType', noteTexts.groupType(groupName(group), unfit.name), source, unfit.source)
    } else {
      const names = parts.map(({ name }) => name)
      const isUnique = group.kind === 'unique'
      const name = nameOf(group, entity, names)
      const key = { name, columns: names, sources: parts.map(part => part.source) }
      const index = { ...key, unique: false, onlyPresent: false, ...descendingOf(members) }
      const isNew = isUnique ? !sets.has(setOf(names)) : !orders.has(orderOf(index))
      if (isNew && isUnique) uniques.push(key)
      else if (isNew) indexes.push(index)
      if (isUnique) sets.add(setOf(names))
      if (isNew) orders.add(orderOf(index))
    }
  }
  return { uniques, indexes }
}

/** In the table of a subtype, an inherited name is followed by the table's: constraints of several tables differ in their names. */
function nameOf(group: Group, { name: entityName, groups }: EntityNode, columns: readonly string[]): string {
  const [name, table] = [group.name.trim(), entityName.trim()]
  if (name === '') return automaticGroupName(group.kind, table, columns)
  return groups.includes(group) ? name : `${name}_${table}`
}

/** The name of the constraint or index of a group without one. */
export function automaticGroupName(kind: GroupKind, table: string, columns: readonly string[]): string {
  return `${kind === 'unique' ? 'uq' : 'ix'}_${table}_${columns.join('_')}`
}

function uniquesFirst(groups: readonly ResolvedGroup[]): ResolvedGroup[] {
  const isUnique = ({ group }: ResolvedGroup) => group.kind === 'unique'
  return [...groups.filter(isUnique), ...groups.filter(one => !isUnique(one))]
}

function setOf(columns: readonly string[]): string {
  return JSON.stringify(columns.toSorted())
}

function orderOf({ columns, descending = [] }: Pick<Index, 'columns' | 'descending'>): string {
  return JSON.stringify(columns.map((column, at) => [column, descending[at] ?? false]))
}

function descendingOf(members: readonly { descending: boolean }[]): Pick<Index, 'descending'> {
  return members.some(({ descending }) => descending) ? { descending: members.map(one => one.descending) } : {}
}
