import type { Column, Schema, Table } from './tree.ts'

/** How many characters a column may have where a key's length is limited, and which columns foreign keys refer to. */
export type KeyCaps = {
  capOf(table: string, column: string): number | null
  isReferenced(table: string, column: string): boolean
  /** Whether the column, or one that has its type, needs more room than its length says. */
  isWidened(table: string, column: string): boolean
}

/**
 * A key's strings share the limit of its length. Columns tied by relationships have one type, with a constraint or without one, so the smallest share of a chain
 * of them is everyone's. `limit` counts characters; null = no limit.
 */
export function keyCaps(schema: Schema, limit: number | null, isWide: (column: Column) => boolean): KeyCaps {
  const referenced = new Set<string>()
  for (const table of schema.tables) {
    for (const { references } of table.foreignKeys) {
      for (const column of references.columns) referenced.add(placeKey(references.table, column))
    }
  }
  const ties = tiesOf(schema)
  const caps = limit === null ? new Map<string, number>() : spread(ties, ownCaps(schema, limit))
  const widened = tiedTo(ties, widePlaces(schema, isWide))
  return {
    capOf: (table, column) => (caps.size === 0 ? null : (caps.get(placeKey(table, column)) ?? null)),
    isReferenced: (table, column) => referenced.has(placeKey(table, column)),
    isWidened: (table, column) => widened.size > 0 && widened.has(placeKey(table, column)),
  }
}

function ownCaps(schema: Schema, limit: number): Map<string, number> {
  const caps = new Map<string, number>()
  for (const table of schema.tables) {
    for (const key of [...(table.primaryKey ? [table.primaryKey] : []), ...table.uniques]) {
      const strings = stringsOf(key.columns, table)
      for (const column of strings) {
        const place = placeKey(table.name, column)
        const share = Math.floor((limit - 10 * (key.columns.length - strings.length)) / strings.length)
        caps.set(place, Math.min(caps.get(place) ?? share, share))
      }
    }
  }
  return caps
}

type Ties = ReadonlyMap<string, readonly string[]>

/** The places and all that are tied to them, however long the chain. */
function tiedTo(ties: Ties, places: readonly string[]): ReadonlySet<string> {
  const tied = new Set(places)
  for (const one of tied) for (const next of ties.get(one) ?? []) tied.add(next)
  return tied
}

function widePlaces(schema: Schema, isWide: (column: Column) => boolean): string[] {
  return schema.tables.flatMap(table => table.columns.filter(isWide).map(column => placeKey(table.name, column.name)))
}

/** Columns that relationships tie together, however long the chain, get the smallest cap among them. */
function spread(ties: Ties, caps: ReadonlyMap<string, number>): Map<string, number> {
  const spreadCaps = new Map(caps)
  const reached = new Set<string>()
  for (const [place, cap] of [...caps].toSorted(([, a], [, b]) => a - b)) {
    if (reached.has(place)) continue
    for (const one of tiedTo(ties, [place])) {
      reached.add(one)
      spreadCaps.set(one, cap)
    }
  }
  return spreadCaps
}

function tiesOf(schema: Schema): Ties {
  const ties = new Map<string, string[]>()
  const tie = (from: string, to: string) => {
    const known = ties.get(from)
    if (known) known.push(to)
    else ties.set(from, [to])
  }
  for (const { name, columns } of schema.tables) {
    for (const { name: column, follows } of columns) {
      if (!follows) continue
      const there = placeKey(follows.table, follows.column)
      tie(placeKey(name, column), there)
      tie(there, placeKey(name, column))
    }
  }
  return ties
}

function stringsOf(columns: readonly string[], table: Table): string[] {
  if (columns.length === 1) return [...columns]
  const strings = new Set(table.columns.filter(({ type }) => type.kind === 'varchar').map(({ name }) => name))
  return columns.filter(column => strings.has(column))
}

function placeKey(table: string, column: string): string {
  return `${table}\0${column}`
}
