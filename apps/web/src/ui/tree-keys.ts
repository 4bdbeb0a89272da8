type Row = { level: number; expanded: boolean | null; label: string }
export type TreeMove = { kind: 'focus'; index: number } | { kind: 'toggle' } | { kind: 'open' }

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
