import type { EntityListItem } from '@cadmus/model/contract/lists'
import { messages } from '@cadmus/model/messages'
import { entityName, isTaken, takenNames } from '@cadmus/model/rules/names'

/**
 * Entities collected for a manifest: existing ones and names of new ones. `picked` and `typed`: input of the rows that
 * add them; Finish includes it.
 */
export type MemberList = {
  existing: readonly EntityListItem[]
  custom: readonly string[]
  picked: readonly EntityListItem[]
  typed: string
}

export const emptyMembers: MemberList = { existing: [], custom: [], picked: [], typed: '' }

export function hasMembers({ existing, custom, picked, typed }: MemberList): boolean {
  return existing.length + custom.length + picked.length > 0 || typed.trim() !== ''
}

export function withPending(list: MemberList): MemberList {
  return addCustom(addPicked(list), list.typed)
}

/** Reason why the typed name is invalid; undefined if it is valid or empty. */
export function pendingProblem(list: MemberList): string | undefined {
  return list.typed.trim() === '' ? undefined : customProblem(addPicked(list), list.typed)
}

export function addPicked(list: MemberList): MemberList {
  return { ...list.picked.reduce(addExisting, list), picked: [] }
}

export function canAddExisting(list: MemberList, entity: Pick<EntityListItem, 'id'> | null): boolean {
  return entity !== null && !list.existing.some(member => member.id === entity.id)
}

export function addExisting(list: MemberList, entity: EntityListItem): MemberList {
  return canAddExisting(list, entity) ? { ...list, existing: [...list.existing, entity] } : list
}

/** Why no new entity of that name can be added to the list; undefined if it can. */
export function customProblem(list: MemberList, name: string): string | undefined {
  const taken = [...list.custom, ...list.existing.map(member => member.name)]
  return entityName(name) ?? (isTaken(name, takenNames(taken)) ? messages.alreadyInList : undefined)
}

export function addCustom(list: MemberList, name: string): MemberList {
  return customProblem(list, name) === undefined ? { ...list, custom: [...list.custom, name.trim()], typed: '' } : list
}

export function removeMembers(list: MemberList, keys: ReadonlySet<string>): MemberList {
  return {
    ...list,
    existing: list.existing.filter(member => !keys.has(String(member.id))),
    custom: list.custom.filter(name => !keys.has(name)),
  }
}

/** Rows of the Name and Path table; a new entity has no path. */
export function memberRows(list: MemberList): { key: string; name: string; path: string }[] {
  const existing = list.existing.map(member => ({ key: String(member.id), name: member.name, path: member.location }))
  return [...existing, ...list.custom.map(name => ({ key: name, name, path: '' }))]
}
