export type PressedKeys = { ctrlKey: boolean; metaKey: boolean; shiftKey: boolean }

/** The selection after a click: the row alone; with Ctrl or ⌘ toggled; with Shift extended to the row; with both added. */
export function pressed(
  order: readonly string[],
  selected: ReadonlySet<string>,
  anchor: string | null,
  id: string,
  { ctrlKey, metaKey, shiftKey }: PressedKeys,
): Set<string> {
  const isAdded = ctrlKey || metaKey
  if (shiftKey && anchor !== null && order.includes(anchor))
    return new Set([...(isAdded ? selected : []), ...ranged(order, anchor, id)])
  return isAdded ? toggled(selected, id) : new Set([id])
}

/** The rows between both, inclusive; without an anchor only the row itself. */
export function ranged(order: readonly string[], anchor: string | null, id: string): Set<string> {
  const [from = -1, to = -1] = [order.indexOf(anchor ?? ''), order.indexOf(id)].toSorted((one, other) => one - other)
  return from < 0 ? new Set([id]) : new Set(order.slice(from, to + 1))
}

export function toggled(selected: ReadonlySet<string>, id: string): Set<string> {
  const next = new Set(selected)
  if (!next.delete(id)) next.add(id)
  return next
}

/** The new order after moving an id before or after another; null if nothing changes. */
export function moved(order: readonly string[], id: string, target: string, edge: 'top' | 'bottom'): string[] | null {
  if (id === target || !order.includes(id) || !order.includes(target)) return null
  const rest = order.filter(other => other !== id)
  const next = rest.toSpliced(rest.indexOf(target) + (edge === 'bottom' ? 1 : 0), 0, id)
  return next.every((other, index) => other === order[index]) ? null : next
}

/** The new order after moving each of the ids up (-1) or down (1); null at the ends. */
export function stepped(order: readonly string[], ids: ReadonlySet<string>, step: 1 | -1): string[] | null {
  const places = order.flatMap((id, at) => (ids.has(id) ? at : []))
  if (step === 1) places.reverse()
  const [first] = places
  if (first === undefined || order[first + step] === undefined) return null
  return places.reduce<string[]>(
    (next, at) => next.toSpliced(at, 1).toSpliced(at + step, 0, next[at] ?? ''),
    [...order],
  )
}

/** The rows of a page and the text of the paging control; with `pages` 1 the control is hidden. */
export function pageOf<Row>(rows: readonly Row[], page: number, size: number) {
  const pages = Math.max(1, Math.ceil(rows.length / size))
  const shown = Math.min(page, pages - 1)
  return { rows: rows.slice(shown * size, shown * size + size), page: shown, pages, first: shown * size + 1 }
}

const rowKeys = ['ArrowDown', 'ArrowUp', 'Home', 'End'] as const

export function isRowKey(key: string): key is (typeof rowKeys)[number] {
  return rowKeys.some(rowKey => rowKey === key)
}

/** The row that a key moves to; at the ends the same row. */
export function rowAfter(order: readonly string[], id: string, key: (typeof rowKeys)[number]): string {
  const at = order.indexOf(id)
  const place = { ArrowDown: at + 1, ArrowUp: Math.max(0, at - 1), Home: 0, End: order.length - 1 }[key]
  return order[place] ?? id
}
