import type { EntityListItem } from '@cadmus/model/contract/lists'
import { foldName } from '@cadmus/model/paths'
import { entityName } from '@cadmus/model/rules/entity-name'

/** What a person has gathered to put into a manifest: entities that exist, and names of new ones. */
export type MemberList = { existing: readonly EntityListItem[]; custom: readonly string[] }

export const emptyMembers: MemberList = { existing: [], custom: [] }

export function canAddExisting(list: MemberList, entity: Pick<EntityListItem, 'id'> | null): boolean {
  return entity !== null && !list.existing.some(member => member.id === entity.id)
}

export function addExisting(list: MemberList, entity: EntityListItem): MemberList {
  return canAddExisting(list, entity) ? { ...list, existing: [...list.existing, entity] } : list
}

/** What is wrong with a new name; undefined where it may be added. A name in the list is refused silently: the button is disabled. */
export function customNameProblem(name: string): string | undefined {
  return entityName(name)
}

export function canAddCustom(list: MemberList, name: string): boolean {
  const folded = foldName(name)
  const taken = [...list.custom, ...list.existing.map(member => member.name)]
  return customNameProblem(name) === undefined && !taken.some(other => foldName(other) === folded)
}

export function addCustom(list: MemberList, name: string): MemberList {
  return canAddCustom(list, name) ? { ...list, custom: [...list.custom, name.trim()] } : list
}

/** Removes rows by their key: an entity's id or a new name. */
export function removeMembers(list: MemberList, keys: ReadonlySet<string>): MemberList {
  return {
    existing: list.existing.filter(member => !keys.has(String(member.id))),
    custom: list.custom.filter(name => !keys.has(name)),
  }
}

/** Rows of the Name and Path table; a new entity has no path yet. */
export function memberRows(list: MemberList): { key: string; name: string; path: string }[] {
  const existing = list.existing.map(member => ({ key: String(member.id), name: member.name, path: member.location }))
  return [...existing, ...list.custom.map(name => ({ key: name, name, path: '' }))]
}
