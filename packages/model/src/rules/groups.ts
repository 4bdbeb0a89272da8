import { type Column, columnName, columnsOf, isKey, isTypeAttribute } from '../columns.ts'
import type { EntityContent } from '../entity.ts'
import type { Group, GroupMember } from '../group.ts'
import { fewestMembers, groupName } from '../groups.ts'
import { limits } from '../limits.ts'
import { groupTexts } from '../messages/groups.ts'
import { foldName } from '../paths.ts'

type Content = Pick<EntityContent, 'groups' | 'typeAttributes' | 'entityAttributes' | 'extendsEntity'>

/** Every fault of the groups, each with its group's name; faults that the previous content had are accepted. */
export function groupFaults(content: Content, previous?: Content): string[] {
  const before = new Set(previous ? allFaults(previous).map(keyOf) : [])
  return allFaults(content)
    .filter(fault => !before.has(keyOf(fault)))
    .map(({ group, message }) => groupTexts.inGroup(groupName(group), message))
}

type Fault = { group: Group; message: string }

function keyOf({ group, message }: Fault): string {
  return JSON.stringify([group.uid, message])
}

function allFaults(content: Content): Fault[] {
  if (content.groups.length === 0) return []
  const columns = new Columns(content)
  return content.groups.flatMap((group, at) => {
    const others = content.groups.slice(0, at)
    return [...memberFaults(group, columns), ...sameFaults(group, others, columns)].map(message => ({ group, message }))
  })
}

/** The fault of one group that is being edited, among the others of its entity; undefined if it has none. */
export function groupFault(group: Group, content: Content): string | undefined {
  const others = content.groups.filter(({ uid }) => uid !== group.uid)
  const columns = new Columns(content)
  return [...memberFaults(group, columns), ...sameFaults(group, others, columns)][0]
}

/** Own columns by uid and name. Those that are inherited are unknown here. */
class Columns {
  readonly all: readonly Column[]
  readonly isSubtype: boolean
  readonly #byUid: ReadonlyMap<string, Column>
  readonly #byName: ReadonlyMap<string, Column>

  constructor(content: Content) {
    this.all = columnsOf(content)
    this.isSubtype = content.extendsEntity !== null
    this.#byUid = new Map(this.all.map(column => [column.uid, column]))
    this.#byName = new Map(this.all.map(column => [foldName(columnName(column)), column]))
  }

  of({ uid, name }: GroupMember): Column | undefined {
    return uid === '' ? this.#byName.get(foldName(name)) : this.#byUid.get(uid)
  }

  /** The identity of a member, known or not. */
  idOf(member: GroupMember): string {
    return this.of(member)?.uid ?? (member.uid || foldName(member.name))
  }
}

function memberFaults({ kind, name, members }: Group, columns: Columns): string[] {
  const faults: string[] = []
  if (name.length > limits.groups.name || /\p{Cc}/u.test(name)) faults.push(groupTexts.name)
  if (members.length < fewestMembers) faults.push(groupTexts.tooFew)
  if (members.length > limits.groups.members) faults.push(groupTexts.tooMany)
  if (kind !== 'index' && members.some(({ descending }) => descending)) faults.push(groupTexts.descending)
  const seen = new Set<string>()
  for (const member of members) {
    const column = columns.of(member)
    const id = columns.idOf(member)
    if (seen.has(id)) faults.push(groupTexts.twice(member.name))
    seen.add(id)
    if (!column && !columns.isSubtype) faults.push(groupTexts.unknown(member.name || member.uid))
    if (column && isTypeAttribute(column) && column.dataType === 'object')
      faults.push(groupTexts.object(columnName(column)))
  }
  if (kind === 'key') faults.push(...keyFaults(seen, columns))
  return faults
}

function keyFaults(members: ReadonlySet<string>, { all, isSubtype }: Columns): string[] {
  const key = all.filter(isKey)
  if (isSubtype && key.length === 0) return []
  const isKeyGroup = key.length === members.size && key.every(({ uid }) => members.has(uid))
  return isKeyGroup ? [] : [groupTexts.notTheKey]
}

/** Databases refuse or waste a second group of the same columns, and of the same name. */
function sameFaults(group: Group, others: readonly Group[], columns: Columns): string[] {
  const idsOf = ({ members }: Group) => members.map(member => columns.idOf(member))
  const sameKind = others.filter(({ kind }) => kind === group.kind)
  const faults: string[] = []
  if (group.name !== '' && others.some(({ name }) => foldName(name) === foldName(group.name)))
    faults.push(groupTexts.sameName(group.name))
  if (group.kind === 'key' && sameKind.length > 0) faults.push(groupTexts.sameKey)
  if (group.kind === 'unique') {
    const set = JSON.stringify(idsOf(group).toSorted())
    if (sameKind.some(other => JSON.stringify(idsOf(other).toSorted()) === set)) faults.push(groupTexts.sameUnique)
  }
  if (group.kind === 'index') {
    const order = orderOf(group, columns)
    if (sameKind.some(other => orderOf(other, columns) === order)) faults.push(groupTexts.sameIndex)
  }
  return faults
}

function orderOf({ members }: Group, columns: Columns): string {
  return JSON.stringify(members.map(member => [columns.idOf(member), member.descending]))
}
