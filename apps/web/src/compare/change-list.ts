import { Package2, SlidersVertical, Table2, Workflow } from 'lucide-react'
import {
  type Comparison,
  type EntityChangeKind,
  type EntityComparison,
  entityChangeKinds,
} from '@cadmus/model/contract/comparison'
import { visibleText } from '@cadmus/model/display'
import { compareTexts as texts } from '@cadmus/model/messages/compare'
import { foldName } from '@cadmus/model/paths'
import type { Icon } from '../ui/Icon.ts'
import type { TreeRow } from '../ui/Tree.tsx'

/** A line of the list of changes. `count`: of its differences, 0 for what is on one side only. */
export type ChangeItem = {
  id: string
  label: string
  detail: string
  icon: Icon
  kinds: readonly EntityChangeKind[]
  count: number
  /** Name of the manifest that lists it; null for a line of the manifest itself. */
  group: string | null
  entity: EntityComparison | null
}

export type ChangeFilter = { kinds: ReadonlySet<EntityChangeKind>; search: string }

/** The lines of a comparison: those of the manifest itself, then its entities. */
export function changeItems({ manifest, subManifests, configuration, entities }: Comparison): ChangeItem[] {
  const own = (id: OwnId, kinds: readonly EntityChangeKind[], count: number): ChangeItem[] => {
    const { icon, label } = ownItems[id]
    return count === 0 ? [] : [{ id, label, detail: '', icon, kinds, count, group: null, entity: null }]
  }
  const kindsOfSubManifests = entityChangeKinds.filter(kind => subManifests.some(one => one.kind === kind))
  return [
    ...own('manifest', ['changed'], manifest.length),
    ...own('subManifests', kindsOfSubManifests, subManifests.length),
    ...own('configuration', ['changed'], configuration.length),
    ...entities.map(entityItem),
  ]
}

export type OwnId = keyof typeof ownItems
const ownItems = {
  manifest: { icon: Package2, label: texts.list.manifest },
  subManifests: { icon: Workflow, label: texts.list.subManifests },
  configuration: { icon: SlidersVertical, label: texts.list.configuration },
}

export function entityItemId(uid: string): string {
  return `entity ${uid}`
}

function entityItem(entity: EntityComparison): ChangeItem {
  const { uid, kinds, before, after, changes } = entity
  const place = after ?? before
  const isRenamed = before && after && before.name !== after.name
  return {
    id: entityItemId(uid),
    label: place?.name ?? '',
    detail: isRenamed ? texts.formerly(before.name) : '',
    icon: Table2,
    kinds,
    count: changes.length,
    group: place?.manifest ?? '',
    entity,
  }
}

/** How many lines have each kind. */
export function countKinds(items: readonly ChangeItem[]): ReadonlyMap<EntityChangeKind, number> {
  const counts = new Map<EntityChangeKind, number>()
  for (const kind of items.flatMap(({ kinds }) => kinds)) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  return counts
}

/** Lines of any of the chosen kinds, or of all, whose names contain the text. */
export function filteredItems(items: readonly ChangeItem[], { kinds, search }: ChangeFilter): ChangeItem[] {
  const term = foldName(search)
  const names = ({ label, entity }: ChangeItem) => [label, entity?.before?.name ?? '']
  return items.filter(
    item =>
      (kinds.size === 0 || item.kinds.some(kind => kinds.has(kind))) &&
      (term === '' || names(item).some(name => foldName(name).includes(term))),
  )
}

const groupId = (group: string) => `group ${group}`

/** The visible rows, below the manifests that list them if there are several. */
export function changeRows(items: readonly ChangeItem[], folded: ReadonlySet<string>): TreeRow[] {
  const own = items.filter(({ group }) => group === null)
  const groups = Map.groupBy(
    items.filter(({ group }) => group !== null),
    ({ group }) => group ?? '',
  )
  const hasHeads = groups.size > 1
  const setSize = own.length + (hasHeads ? groups.size : items.length - own.length)
  const first = own.map((item, index) => rowOf(item, 1, index + 1, setSize))
  if (!hasHeads)
    return [...first, ...[...groups.values()].flat().map((item, at) => rowOf(item, 1, own.length + at + 1, setSize))]
  const below = [...groups].flatMap(([group, members], at): TreeRow[] => {
    const id = groupId(group)
    const expanded = !folded.has(id)
    const head: TreeRow = {
      id,
      level: 1,
      label: group === '' ? texts.list.outside : group,
      kind: 'node',
      icon: Package2,
      expanded,
      posInSet: own.length + at + 1,
      setSize,
      count: members.length,
    }
    return [head, ...(expanded ? members.map((item, index) => rowOf(item, 2, index + 1, members.length)) : [])]
  })
  return [...first, ...below]
}

function rowOf(
  { id, label, detail, icon, count, kinds }: ChangeItem,
  level: number,
  posInSet: number,
  setSize: number,
): TreeRow {
  const words = kinds.map(kind => texts.kinds[kind]).join(', ')
  return {
    id,
    level,
    label,
    kind: 'node',
    icon,
    expanded: null,
    posInSet,
    setSize,
    title: [visibleText(label), detail, words].filter(Boolean).join(', '),
    ...(count > 0 ? { count } : {}),
    ...(detail === '' ? {} : { detail }),
  }
}
