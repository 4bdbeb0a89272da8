import { checksWith, checksWithColumnUids, checksWithoutParent, copiedChecks, withSettledChecks } from './checks.ts'
import type { EntityContent } from './entity.ts'
import { copiedGroups, groupsWith, groupsWithoutParent, withColumnUids, withSettledGroups } from './groups.ts'

/** The groups and checks of an entity, which refer to its columns. */
export type Constraints = Pick<EntityContent, 'groups' | 'checks'>
type Constrained = Constraints & Pick<EntityContent, 'typeAttributes' | 'entityAttributes'>

/** The content with groups and checks that follow its columns; see `withSettledGroups` and `withSettledChecks`. */
export function withSettledConstraints<T extends Constrained>(content: T, previous?: Constrained): T {
  return withSettledChecks(withSettledGroups(content, previous), previous)
}

export function constraintsWithUids(
  { groups, checks }: Constraints,
  uidOf: (uid: string) => string | undefined,
): Constraints {
  return { groups: withColumnUids(groups, uidOf), checks: checksWithColumnUids(checks, uidOf) }
}

export function copiedConstraints(
  { groups, checks }: Constraints,
  uidOf: (uid: string) => string | undefined,
): Constraints {
  return { groups: copiedGroups(groups, uidOf), checks: copiedChecks(checks, uidOf) }
}

/** Those that have one of the columns. */
export function constraintsWith(content: Constraints, uids: ReadonlySet<string>): Constraints {
  return { groups: groupsWith(content, uids), checks: checksWith(content, uids) }
}

/** What changes if the entity has no parent any more. */
export function constraintsWithoutParent(content: Constrained): Partial<Constraints> {
  const [groups, checks] = [groupsWithoutParent(content), checksWithoutParent(content)]
  return {
    ...(groups === content.groups ? {} : { groups }),
    ...(checks === content.checks ? {} : { checks }),
  }
}
