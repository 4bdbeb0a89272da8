import type { Schema, Table } from './tree.ts'

/** How many characters a column may have where a key's length is limited, and which columns foreign keys refer to. */
export type KeyCaps = {
  capOf(table: string, column: string): number | null
  isReferenced(table: string, column: string): boolean
}

/**
 * A key's strings share the limit of its length. Columns tied by foreign keys have one type, so the smallest share of a chain
 * of them is everyone's. `limit` counts characters; null = no limit.
 */
export function keyCaps(schema: Schema, limit: number | null): KeyCaps {
  const referenced = new Set<string>()
  for (const table of schema.tables) {
    for (const { references } of table.foreignKeys) {
      for (const column of references.columns) referenced.add(placeKey(references.table, column))
    }
  }
  const caps = limit === null ? new Map<string, number>() : spread(schema, ownCaps(schema, limit))
  return {
    capOf: (table, column) => (caps.size === 0 ? null : (caps.get(placeKey(table, column)) ?? null)),
    isReferenced: (table, column) => referenced.has(placeKey(table, column)),
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

/** Columns that foreign keys tie together, however long the chain, get the smallest cap among them. */
function spread(schema: Schema, caps: ReadonlyMap<string, number>): Map<string, number> {
  const ties = tiesOf(schema)
  const spreadCaps = new Map(caps)
  const reached = new Set<string>()
  for (const [place, cap] of [...caps].toSorted(([, a], [, b]) => a - b)) {
    if (reached.has(place)) continue
    const tied = new Set([place])
    for (const one of tied) for (const next of ties.get(one) ?? []) tied.add(next)
    for (const one of tied) {
      reached.add(one)
      spreadCaps.set(one, cap)
    }
  }
  return spreadCaps
}

function tiesOf(schema: Schema): ReadonlyMap<string, readonly string[]> {
  const ties = new Map<string, string[]>()
  const tie = (from: string, to: string) => {
    const known = ties.get(from)
    if (known) known.push(to)
    else ties.set(from, [to])
  }
  for (const { name, foreignKeys } of schema.tables) {
    for (const { columns, references } of foreignKeys) {
      for (const [index, column] of columns.entries()) {
        const there = placeKey(references.table, references.columns[index] ?? '')
        tie(placeKey(name, column), there)
        tie(there, placeKey(name, column))
      }
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
