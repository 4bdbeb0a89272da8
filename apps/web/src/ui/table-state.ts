/** Which rows are chosen after a press: alone, with the modifier key one more or less, with Shift all up to it. */
export function pressed(
  order: readonly string[],
  selected: ReadonlySet<string>,
  anchor: string | null,
  id: string,
  keys: { toggle: boolean; range: boolean },
): Set<string> {
  if (keys.range && anchor !== null) {
    const [from, to] = [order.indexOf(anchor), order.indexOf(id)].toSorted((one, other) => one - other)
    if (from !== undefined && to !== undefined && from >= 0) return new Set(order.slice(from, to + 1))
  }
  if (keys.toggle) return toggled(selected, id)
  return new Set([id])
}

export function toggled(selected: ReadonlySet<string>, id: string): Set<string> {
  const next = new Set(selected)
  if (!next.delete(id)) next.add(id)
  return next
}

/** The ids in their new order when one is put before or after another; null when nothing moves. */
export function moved(order: readonly string[], id: string, target: string, edge: 'top' | 'bottom'): string[] | null {
  if (id === target || !order.includes(id) || !order.includes(target)) return null
  const rest = order.filter(other => other !== id)
  const next = rest.toSpliced(rest.indexOf(target) + (edge === 'bottom' ? 1 : 0), 0, id)
  return next.every((other, index) => other === order[index]) ? null : next
}

/** The ids in their new order when one goes a place up (-1) or down (1); null at the ends. */
export function stepped(order: readonly string[], id: string, step: 1 | -1): string[] | null {
  const at = order.indexOf(id)
  const neighbour = order[at + step]
  if (at < 0 || neighbour === undefined) return null
  return moved(order, id, neighbour, step === 1 ? 'bottom' : 'top')
}

/** The page's rows and what its control says; `pages` 1: no control is shown. */
export function pageOf<Row>(rows: readonly Row[], page: number, size: number) {
  const pages = Math.max(1, Math.ceil(rows.length / size))
  const shown = Math.min(page, pages - 1)
  return { rows: rows.slice(shown * size, shown * size + size), page: shown, pages, first: shown * size + 1 }
}
