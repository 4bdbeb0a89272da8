import { type Column, columnName, columnsOf, isKey, isTypeAttribute } from '../columns.ts'
import type { EntityContent } from '../entity.ts'
import type { Group, GroupMember } from '../group.ts'
import { fewestMembers, groupName } from '../groups.ts'
import { limits } from '../limits.ts'
import { groupTexts } from '../messages/groups.ts'
import { foldName } from '../paths.ts'

type Content = Pick<EntityContent, 'groups' | 'typeAttributes' | 'entityAttributes' | 'extendsEntity'>

/**
 * Every fault of the groups, each with its group's name; faults that the previous content had are accepted. Too many groups are a fault of
 * the entity, and are not examined.
 */
export function groupFaults(content: Content, previous?: Content): string[] {
  if (content.groups.length > Math.max(limits.groups.max, previous?.groups.length ?? 0)) return []
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
  const earlier = new EarlierGroups(columns)
  return content.groups.flatMap(group => {
    const messages = [...memberFaults(group, columns), ...earlier.faultsOf(group)]
    earlier.add(group)
    return messages.map(message => ({ group, message }))
  })
}

/** The fault of one group that is being edited, among the others of its entity; undefined if it has none. */
export function groupFault(group: Group, content: Content): string | undefined {
  const columns = new Columns(content)
  const others = new EarlierGroups(columns)
  for (const other of content.groups) if (other.uid !== group.uid) others.add(other)
  return [...memberFaults(group, columns), ...others.faultsOf(group)][0]
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

  /** Whether an unknown member may be inherited: it has a name only. */
  mayInherit({ uid, name }: GroupMember): boolean {
    return this.isSubtype && uid === '' && foldName(name) !== ''
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
  if (members.length > limits.groups.members) return [...faults, groupTexts.tooMany]
  if (kind !== 'index' && members.some(({ descending }) => descending)) faults.push(groupTexts.descending)
  const seen = new Set<string>()
  for (const member of members) {
    const column = columns.of(member)
    const id = columns.idOf(member)
    if (seen.has(id)) faults.push(groupTexts.twice(member.name))
    seen.add(id)
    if (!column && !columns.mayInherit(member)) faults.push(groupTexts.unknown(member.name || member.uid))
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

const sameTexts = { key: groupTexts.sameKey, unique: groupTexts.sameUnique, index: groupTexts.sameIndex } as const

/** Databases refuse or waste a second group of the same columns, and of the same name. */
class EarlierGroups {
  readonly #columns: Columns
  readonly #names = new Set<string>()
  readonly #identities = new Set<string>()

  constructor(columns: Columns) {
    this.#columns = columns
  }

  add(group: Group): void {
    if (group.name !== '') this.#names.add(foldName(group.name))
    this.#identities.add(this.#identityOf(group))
  }

  faultsOf(group: Group): string[] {
    const faults: string[] = []
    if (group.name !== '' && this.#names.has(foldName(group.name))) faults.push(groupTexts.sameName(group.name))
    if (this.#identities.has(this.#identityOf(group))) faults.push(sameTexts[group.kind])
    return faults
  }

  /** Equal for groups of which an entity has one. */
  #identityOf({ kind, members }: Group): string {
    if (kind === 'key') return kind
    const ids = members.map(member => this.#columns.idOf(member))
    return JSON.stringify(
      kind === 'unique' ? [kind, ids.toSorted()] : [kind, ids, members.map(({ descending }) => descending)],
    )
  }
}
