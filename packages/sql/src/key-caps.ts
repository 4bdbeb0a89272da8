import type { KeyTies, Tied, TiedGroup } from './key-ties.ts'

/** How many characters a column may have where a key's length is limited, and which columns foreign keys refer to. */
export type KeyCaps = {
  capOf(table: string, column: string): number | null
  isReferenced(table: string, column: string): boolean
  /** Whether the column, or one that has its type, needs more room than its length says. */
  isWidened(table: string, column: string): boolean
  /** All that the others answer about a table: where it is the same, item by item, they answer the same. */
  aboutTable(table: string): readonly unknown[]
}

/**
 * A key's strings share the limit of its length. Columns tied by relationships have one type, with a constraint or without one, so
 * the smallest share of a chain of them is everyone's. `limit` counts characters; null = no limit. `wide` are columns that need more
 * room than their length says.
 */
export function keyCaps(
  ties: KeyTies,
  limit: number | null,
  wide: readonly (readonly [table: string, column: string])[],
): KeyCaps {
  // A column that is tied to none stands for itself.
  const partOf = (table: string, column: string) => ties.of(table, column)?.group ?? `${table}\0${column}`
  const widened = new Set(wide.map(([table, column]) => partOf(table, column)))
  const isWidened = (table: string, column: string) => widened.size > 0 && widened.has(partOf(table, column))
  const capOf = (tied: Tied | undefined) => (limit === null || !tied ? null : groupCap(tied.group, limit))
  return {
    capOf: (table, column) => (limit === null ? null : capOf(ties.of(table, column))),
    isReferenced: (table, column) => ties.of(table, column)?.isReferenced ?? false,
    isWidened,
    aboutTable: table => {
      const about: unknown[] = []
      for (const tied of ties.tiedIn(table)) {
        about.push(tied.column, capOf(tied), tied.isReferenced, isWidened(table, tied.column))
      }
      return about
    },
  }
}

function groupCap({ shapes }: TiedGroup, limit: number): number | null {
  let cap: number | null = null
  for (const { strings, others } of shapes.values()) {
    const share = Math.floor((limit - 10 * others) / strings)
    cap = cap === null ? share : Math.min(cap, share)
  }
  return cap
}
