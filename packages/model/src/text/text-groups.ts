import { columnName, columnsOf } from '../columns.ts'
import type { EntityContent } from '../entity.ts'
import { isEqual } from '../equal.ts'
import type { Group, GroupMember } from '../group.ts'
import { groupTexts } from '../messages/groups.ts'
import { foldName } from '../paths.ts'
import { newUid } from '../uid.ts'
import { isGroup } from './group-line.ts'
import type { MatchedTable } from './match.ts'
import { NameReader } from './name-reader.ts'
import type { ParsedTable, Report, Setting } from './parsed-text.ts'
import { nameText, quoted } from './tokens.ts'

type Index = ParsedTable['indexes'][number]

/**
 * Groups that a text shows: not the order of a key, and none with attributes that its table does not have, which other readers of the
 * language refuse.
 */
function shownGroups(content: EntityContent): Group[] {
  const columns = columnsOf(content)
  const uids = new Set(columns.map(({ uid }) => uid))
  const names = new Set(columns.map(column => foldName(columnName(column))))
  const isOwn = ({ uid, name }: GroupMember) => (uid === '' ? names.has(foldName(name)) : uids.has(uid))
  return content.groups.filter(({ kind, members }) => kind !== 'key' && members.length > 1 && members.every(isOwn))
}

/** The block `indexes` of an entity; '' without groups. */
export function groupBlock(content: EntityContent): string {
  const names = new Map(columnsOf(content).map(column => [column.uid, columnName(column)]))
  const lines = shownGroups(content).map(({ kind, name, members }) => {
    const columns = members.map(member => nameText(names.get(member.uid) ?? member.name))
    const settings = [...(kind === 'unique' ? ['unique'] : []), ...(name === '' ? [] : [`name: ${quoted(name, "'")}`])]
    const written = settings.length === 0 ? '' : ` [${settings.join(', ')}]`
    return `    (${columns.join(', ')})${written}\n`
  })
  return lines.length === 0 ? '' : `  indexes {\n${lines.join('')}  }\n`
}

/** What the groups of a table mean, for comparisons. */
export function meaningOfGroups({ indexes }: Pick<ParsedTable, 'indexes'>): unknown[] {
  return indexes
    .filter(isGroup)
    .map(index => [isUnique(index), nameIn(index), index.columns.map(({ text }) => foldName(text))])
}

/**
 * The groups of an entity as its table writes them; those that mean what a former one means are the former ones. A name that a line had
 * before it was renamed stands for its column, and one of a deleted line for none.
 */
export function readGroups({ parsed, entity, columns }: MatchedTable, isSubtype: boolean, report: Report): Group[] {
  const former = entity?.content.groups ?? []
  const lines = parsed.indexes.filter(isGroup)
  if (lines.length === 0 && former.length === 0) return former
  const reader = new NameReader(columns, entity?.content)
  const shown = new Set(entity ? shownGroups(entity.content) : [])
  const open = [...shown].map(group => ({ group, ids: group.members.map(one => reader.idOf(one)) }))
  const groups = lines.flatMap(index => {
    const members = index.columns.flatMap(({ text }): GroupMember[] => {
      const column = reader.column(text)
      return column ? [{ ...column, descending: false }] : []
    })
    if (members.length < 2 && members.length < index.columns.length) return []
    const read: Group = { uid: '', kind: isUnique(index) ? 'unique' : 'index', name: nameIn(index), members }
    const known = formerOf(read, open, reader)
    if (known && former.includes(known)) return [known]
    const unknown = members.find(({ uid }) => uid === '')
    if (unknown && !isSubtype) report(index, groupTexts.unknown(unknown.name))
    return [known ?? { ...read, uid: newUid() }]
  })
  const all = [...groups, ...former.filter(group => !shown.has(group))]
  return all.length === former.length && all.every(group => former.includes(group)) ? former : all
}

type Former = { group: Group; ids: readonly string[] }

/** The former group that the text shows, with what was changed; it is taken out of the open ones. */
function formerOf(read: Group, open: Former[], reader: NameReader): Group | undefined {
  const ids = read.members.map(one => reader.idOf(one))
  const same = open.filter(({ group }) => group.kind === read.kind)
  const shown = same.filter(one => isEqual(one.ids, ids))
  const isNamed = ({ group }: Former) => group.name === read.name
  const one = shown.find(isNamed) ?? shown[0] ?? (read.name === '' ? undefined : same.find(isNamed))
  if (!one) return undefined
  open.splice(open.indexOf(one), 1)
  if (isNamed(one) && shown.includes(one)) return one.group
  const descending = new Set(one.ids.filter((_id, at) => one.group.members[at]?.descending))
  const members = read.members.map((member, at) => ({ ...member, descending: descending.has(ids[at] ?? '') }))
  return { ...one.group, name: read.name, members }
}

function isUnique({ settings }: Pick<Index, 'settings'>): boolean {
  return settings.some(({ key }) => key === 'unique')
}

function nameIn({ settings }: Pick<Index, 'settings'>): string {
  return textOf(settings.find(({ key }) => key === 'name'))
}

function textOf(setting: Setting | undefined): string {
  return setting?.value.map(({ text }) => text).join('') ?? ''
}
