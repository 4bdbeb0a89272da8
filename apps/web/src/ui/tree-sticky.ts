type Placed = { level: number }

/** Maximum number of sticky lines; more would hide the rows. */
export const maxSticky = 4

/**
 * The ancestors of the first rows in view, outermost first, which stick to the top. Computed line by line, because
 * each line covers a row and the row below it determines the next line.
 */
export function stickyParents(rows: readonly Placed[], first: number): number[] {
  const parents: number[] = []
  for (let line = 0; line < maxSticky; line++) {
    const parent = ancestorAt(rows, first + line, line + 1)
    if (parent === null || parent >= first + line) break
    parents.push(parent)
  }
  return parents
}

/** Number of rows covered when this row is the first in view: its number of ancestors. */
export function coveredAbove(row: Placed | undefined): number {
  return Math.min(maxSticky, Math.max(0, (row?.level ?? 1) - 1))
}

/** The ancestor of a row at a level; null if the row itself is at that level. */
function ancestorAt(rows: readonly Placed[], index: number, level: number): number | null {
  if ((rows[index]?.level ?? 0) <= level) return null
  for (let at = index - 1; at >= 0; at--) if (rows[at]?.level === level) return at
  return null
}
