import { checkName } from '../checks.ts'
import { attributesIn, type Check } from '../conditions/condition.ts'
import { type Constraints, withSettledConstraints } from '../constraints.ts'
import type { EntityContent } from '../entity.ts'
import type { Group } from '../group.ts'
import { groupName } from '../groups.ts'
import { inOrder, mergeItems, type Merging, three, type Three } from './items.ts'

/**
 * The merged content with the merged groups and checks, by uid and field. One that one side added or changed, and of which the other side
 * deleted a column, is a conflict; other groups lose the column, and other checks go.
 */
export function mergeConstraints(merging: Merging, content: EntityContent, sides: Three<EntityContent>): EntityContent {
  const all = [sides.base, sides.mine, sides.theirs]
  if (all.every(({ groups, checks }) => groups.length + checks.length === 0)) return content
  const whole = {
    ...content,
    groups: mergeList(merging, 'groups', ['kind', 'name', 'members'], three(sides, listOf<Group>('groups'))),
    checks: mergeList(merging, 'checks', ['name', 'message', 'condition'], three(sides, listOf<Check>('checks'))),
  }
  const settled = withSettledConstraints(whole, {
    groups: sides.base.groups,
    checks: sides.base.checks,
    typeAttributes: all.flatMap(side => side.typeAttributes),
    entityAttributes: all.flatMap(side => side.entityAttributes),
  })
  findLost(merging, [whole, settled], sides, {
    list: 'groups',
    field: 'members',
    nameOf: groupName,
    columnsOf: ({ members }: Group) => members,
  })
  findLost(merging, [whole, settled], sides, {
    list: 'checks',
    field: 'condition',
    nameOf: checkName,
    columnsOf: ({ condition }: Check) => attributesIn(condition),
  })
  return settled
}

type List = keyof Constraints
type ItemOf = { groups: Group; checks: Check }

function listOf<T extends { uid: string }>(list: List): (content: EntityContent) => readonly T[] {
  return content => content[list] as unknown as readonly T[]
}

function mergeList<T extends { uid: string }>(
  merging: Merging,
  list: List,
  keys: readonly (keyof T & string)[],
  sides: Three<readonly T[]>,
): T[] {
  const placed = three(sides, items => items.map((item, position) => ({ ...item, position })))
  const merged = mergeItems(merging, list, keys, placed)
  return inOrder(merging, list, merged, placed).map(({ position: _position, ...item }) => item as unknown as T)
}

function findLost<L extends List>(
  merging: Merging,
  [before, after]: readonly [EntityContent, EntityContent],
  sides: Three<EntityContent>,
  {
    list,
    field,
    nameOf,
    columnsOf,
  }: {
    list: L
    field: string
    nameOf(item: ItemOf[L]): string
    columnsOf(item: ItemOf[L]): readonly { uid: string }[]
  },
): void {
  const of = listOf<ItemOf[L]>(list)
  const left = new Map(of(after).map(item => [item.uid, columnsOf(item).length]))
  const { base, mine, theirs } = three(sides, side => new Map(of(side).map(item => [item.uid, item])))
  for (const item of of(before)) {
    if (left.get(item.uid) === columnsOf(item).length) continue
    const former = base.get(item.uid)
    const old = new Set(former ? columnsOf(former).map(({ uid }) => uid) : [])
    if (columnsOf(item).every(({ uid }) => old.has(uid))) continue
    merging.conflicts.push({
      path: `${list}.${nameOf(former ?? item)}`,
      field,
      base: former ?? null,
      mine: mine.get(item.uid) ?? null,
      theirs: theirs.get(item.uid) ?? null,
    })
  }
}
