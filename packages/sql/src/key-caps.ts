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

/** Lets the smallest cap run along the foreign keys until nothing changes. */
function spread(schema: Schema, caps: Map<string, number>): Map<string, number> {
  for (let changed = true; changed;) {
    changed = false
    for (const table of schema.tables) {
      for (const key of table.foreignKeys) {
        for (const [index, column] of key.columns.entries()) {
          const here = placeKey(table.name, column)
          const there = placeKey(key.references.table, key.references.columns[index] ?? '')
          const smallest = Math.min(caps.get(here) ?? Infinity, caps.get(there) ?? Infinity)
          if (smallest === Infinity || (caps.get(here) === smallest && caps.get(there) === smallest)) continue
          caps.set(here, smallest).set(there, smallest)
          changed = true
        }
      }
    }
  }
  return caps
}

function stringsOf(columns: readonly string[], table: Table): string[] {
  if (columns.length === 1) return [...columns]
  const strings = new Set(table.columns.filter(({ type }) => type.kind === 'varchar').map(({ name }) => name))
  return columns.filter(column => strings.has(column))
}

function placeKey(table: string, column: string): string {
  return `${table}\0${column}`
}
