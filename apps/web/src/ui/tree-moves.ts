type Row = { level: number; expanded: boolean | null; label: string }
type TreeMove = { kind: 'focus'; index: number } | { kind: 'toggle' } | { kind: 'open' }

/** The effect of a key at the row `index` of a tree; null if the key has none. */
export function treeMove(rows: readonly Row[], index: number, key: string): TreeMove | null {
  const row = rows[index]
  if (!row) return null
  switch (key) {
    case 'ArrowDown':
      return focus(rows, index + 1)
    case 'ArrowUp':
      return focus(rows, index - 1)
    case 'Home':
      return focus(rows, 0)
    case 'End':
      return focus(rows, rows.length - 1)
    case 'ArrowRight':
      if (row.expanded === null) return null
      return row.expanded ? focus(rows, index + 1) : { kind: 'toggle' }
    case 'ArrowLeft':
      return row.expanded ? { kind: 'toggle' } : focus(rows, parentOf(rows, index))
    case 'Enter':
    case ' ':
      return { kind: 'open' }
    default:
      return key.length === 1 ? focus(rows, startingWith(rows, index, key)) : null
  }
}

function focus(rows: readonly Row[], index: number): TreeMove | null {
  return index >= 0 && index < rows.length ? { kind: 'focus', index } : null
}

function parentOf(rows: readonly Row[], index: number): number {
  const level = rows[index]?.level ?? 1
  return rows.findLastIndex((row, at) => at < index && row.level < level)
}

/** The next row whose label starts with the letter, wrapping around. */
function startingWith(rows: readonly Row[], index: number, letter: string): number {
  const prefix = letter.toLowerCase()
  const fits = (row: Row) => row.label.toLowerCase().startsWith(prefix)
  const after = rows.findIndex((row, at) => at > index && fits(row))
  return after >= 0 ? after : rows.findIndex(fits)
}

type Placed = { level: number }

/** Maximum number of sticky lines; more would hide the rows. */
const maxSticky = 4

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

/** Moves the focus from a side panel's search to the row that Tab would focus. */
export function toTree(field: HTMLElement): void {
  field.closest('[data-region]')?.querySelector<HTMLElement>('[role=treeitem][tabindex="0"]')?.focus()
}
