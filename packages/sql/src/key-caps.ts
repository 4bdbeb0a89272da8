import type { KeyGraph, KeyColumn, KeyGroup } from './key-graph.ts'

/** Maximum lengths of columns in databases that limit the length of keys, and the referenced columns. */
export type KeyCaps = {
  capOf(table: string, column: string): number | null
  isReferenced(table: string, column: string): boolean
  /** Whether the column, or one of the same type group, exceeds its declared length. */
  isWidened(table: string, column: string): boolean
  /** Everything that the other functions depend on for a table, for comparison item by item. */
  tableState(table: string): readonly unknown[]
}

/**
 * The strings of a key share its maximum length. Columns connected by relationships have the same type, so the smallest
 * share applies to the whole group. `limit` counts characters; null: no limit. `wide`: columns that exceed their
 * declared length.
 */
export function keyCaps(
  graph: KeyGraph,
  limit: number | null,
  wide: readonly (readonly [table: string, column: string])[],
): KeyCaps {
  // A column without connections is its own group.
  const partOf = (table: string, column: string) => graph.find(table, column)?.group ?? `${table}\0${column}`
  const widened = new Set(wide.map(([table, column]) => partOf(table, column)))
  const isWidened = (table: string, column: string) => widened.size > 0 && widened.has(partOf(table, column))
  const capOf = (keyColumn: KeyColumn | undefined) =>
    limit === null || !keyColumn ? null : groupCap(keyColumn.group, limit)
  return {
    capOf: (table, column) => (limit === null ? null : capOf(graph.find(table, column))),
    isReferenced: (table, column) => graph.find(table, column)?.isReferenced ?? false,
    isWidened,
    tableState: table => {
      const state: unknown[] = []
      for (const keyColumn of graph.columnsOf(table)) {
        state.push(keyColumn.column, capOf(keyColumn), keyColumn.isReferenced, isWidened(table, keyColumn.column))
      }
      return state
    },
  }
}

function groupCap({ shapes }: KeyGroup, limit: number): number | null {
  let cap: number | null = null
  for (const { strings, others } of shapes.values()) {
    const share = Math.floor((limit - 10 * others) / strings)
    cap = cap === null ? share : Math.min(cap, share)
  }
  return cap
}
