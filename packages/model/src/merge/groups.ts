import type { EntityContent } from '../entity.ts'
import type { Group } from '../group.ts'
import { groupName, withSettledGroups } from '../groups.ts'
import { inOrder, mergeItems, type Merging, three, type Three } from './items.ts'

type Placed = Group & { position: number }

/**
 * The merged content with the merged groups, by uid and field. A group that one side added or changed, and of which the other side deleted a
 * column, is a conflict; other groups lose the column.
 */
export function mergeGroups(merging: Merging, content: EntityContent, sides: Three<EntityContent>): EntityContent {
  if ([sides.base, sides.mine, sides.theirs].every(({ groups }) => groups.length === 0)) return content
  const placed = three(sides, ({ groups }) => groups.map((group, position): Placed => ({ ...group, position })))
  const merged = mergeItems(merging, 'groups', ['kind', 'name', 'members'], placed)
  const groups = inOrder(merging, 'groups', merged, placed).map(({ position: _position, ...group }) => group)
  const whole = { ...content, groups }
  const all = [sides.base, sides.mine, sides.theirs]
  const settled = withSettledGroups(whole, {
    groups: sides.base.groups,
    typeAttributes: all.flatMap(side => side.typeAttributes),
    entityAttributes: all.flatMap(side => side.entityAttributes),
  })
  findLostMembers(merging, whole, settled, sides)
  return settled
}

function findLostMembers(
  merging: Merging,
  before: EntityContent,
  after: EntityContent,
  { base, mine, theirs }: Three<EntityContent>,
): void {
  const left = new Map(after.groups.map(group => [group.uid, group.members.length]))
  const byUid = [base, mine, theirs].map(({ groups }) => new Map(groups.map(group => [group.uid, group])))
  const uidsOf = (group: Group | undefined) => new Set(group?.members.map(({ uid }) => uid))
  for (const group of before.groups) {
    if (left.get(group.uid) === group.members.length) continue
    const [b, m, t] = byUid.map(groups => groups.get(group.uid))
    const old = uidsOf(b)
    if (group.members.every(({ uid }) => old.has(uid))) continue
    const name = groupName(b ?? group)
    merging.conflicts.push({
      path: `groups.${name}`,
      field: 'members',
      base: b ?? null,
      mine: m ?? null,
      theirs: t ?? null,
    })
  }
}
