type Placed = { level: number }

/** More lines than this over the rows would hide what they are about. */
export const mostSticky = 4

/**
 * The rows above the first one in view that it stands below, outermost first: they stay in sight at the top. Line by line,
 * because each of them covers a row, and the row under the next one counts.
 */
export function stickyParents(rows: readonly Placed[], first: number): number[] {
  const parents: number[] = []
  for (let line = 0; line < mostSticky; line++) {
    const parent = ancestorAt(rows, first + line, line + 1)
    if (parent === null || parent >= first + line) break
    parents.push(parent)
  }
  return parents
}

/** Rows that are covered when this one is the first in view: as many as it has parents. */
export function coveredAbove(row: Placed | undefined): number {
  return Math.min(mostSticky, Math.max(0, (row?.level ?? 1) - 1))
}

/** The row of a level that a row stands below; null where it is of that level itself. */
function ancestorAt(rows: readonly Placed[], index: number, level: number): number | null {
  if ((rows[index]?.level ?? 0) <= level) return null
  for (let at = index - 1; at >= 0; at--) if (rows[at]?.level === level) return at
  return null
}
