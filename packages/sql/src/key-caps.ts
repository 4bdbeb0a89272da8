import type { Table } from './tree.ts'

/** How many characters a column may have where a key's length is limited, and which columns foreign keys refer to. */
export type KeyCaps = {
  capOf(table: string, column: string): number | null
  isReferenced(table: string, column: string): boolean
  /** Whether the column, or one that has its type, needs more room than its length says. */
  isWidened(table: string, column: string): boolean
  /** All that the others answer about a table: where it is the same, item by item, they answer the same. */
  aboutTable(table: string): readonly unknown[]
}

/** A column, told apart from those of other tables. */
type Place = string

/** What one table has to do with keys: that is all that others need to know of it. */
export type TableKeys = {
  readonly name: string
  /** Columns with the type of another one. */
  readonly follows: readonly (readonly [here: string, table: string, column: string])[]
  /** What its foreign keys refer to. */
  readonly references: readonly (readonly [table: string, column: string])[]
  /** The strings of each of its keys, and how many other columns that has. */
  readonly keys: readonly { readonly strings: readonly string[]; readonly others: number }[]
}

export function tableKeys(table: Table): TableKeys {
  const keys = [...(table.primaryKey ? [table.primaryKey] : []), ...table.uniques]
  return {
    name: table.name,
    follows: table.columns.flatMap(({ name, follows }) =>
      follows ? [[name, follows.table, follows.column] as const] : [],
    ),
    references: table.foreignKeys.flatMap(({ references }) =>
      references.columns.map(column => [references.table, column] as const),
    ),
    keys: keys.map(({ columns }) => {
      const strings = stringsOf(columns, table)
      return { strings, others: columns.length - strings.length }
    }),
  }
}

/** What keys have to do with a column: it is one of a group of columns that relationships tie together, however long the chain. */
type Tied = { readonly place: Place; readonly group: Place; readonly isReferenced: boolean }
/** The columns that share the room of a key, by their groups, and how many other columns that has. */
type SharedKey = { readonly groups: readonly Place[]; readonly others: number }

/** What the keys of all tables are to each other, whatever the database is. */
export class KeyTies {
  /** From each column that is tied to others towards the one that stands for all of them. */
  readonly #towards = new Map<Place, Place>()
  readonly #referenced = new Set<Place>()
  readonly #places = new Map<string, Set<Place>>()
  /** Found when it is asked for first, for all databases. */
  readonly #tied = new Map<string, readonly Tied[]>()
  readonly #shared: readonly SharedKey[]

  constructor(tables: readonly TableKeys[]) {
    for (const { name, keys } of tables) {
      for (const { strings } of keys) for (const column of strings) this.#place(name, column)
    }
    for (const { name, follows, references } of tables) {
      for (const [here, table, column] of follows) this.#tie(this.#place(name, here), this.#place(table, column))
      for (const [table, column] of references) this.#referenced.add(this.#place(table, column))
    }
    this.#shared = tables.flatMap(({ name, keys }) =>
      keys.map(({ strings, others }) => ({
        groups: strings.map(column => this.groupOf(placeOf(name, column))),
        others,
      })),
    )
  }

  get sharedKeys(): readonly SharedKey[] {
    return this.#shared
  }

  /** The columns of a table that keys and foreign keys, its own or others', are about. */
  tiedIn(table: string): readonly Tied[] {
    const known = this.#tied.get(table)
    if (known) return known
    const tied = Array.from(this.#places.get(table) ?? [], place => ({
      place,
      group: this.groupOf(place),
      isReferenced: this.isReferenced(place),
    }))
    this.#tied.set(table, tied)
    return tied
  }

  /** Columns that relationships tie together, however long the chain, have one group. */
  groupOf(place: Place): Place {
    const passed: Place[] = []
    let group = place
    for (let next = this.#towards.get(group); next !== undefined; next = this.#towards.get(group)) {
      passed.push(group)
      group = next
    }
    // The next one has a short way.
    for (const one of passed) this.#towards.set(one, group)
    return group
  }

  isReferenced(place: Place): boolean {
    return this.#referenced.has(place)
  }

  #place(table: string, column: string): Place {
    const place = placeOf(table, column)
    const known = this.#places.get(table)
    if (known) known.add(place)
    else this.#places.set(table, new Set([place]))
    return place
  }

  #tie(one: Place, other: Place): void {
    const [from, to] = [this.groupOf(one), this.groupOf(other)]
    if (from !== to) this.#towards.set(from, to)
  }
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
  const caps = limit === null ? new Map<Place, number>() : groupCaps(ties, limit)
  const widened = new Set(wide.map(([table, column]) => ties.groupOf(placeOf(table, column))))
  return {
    capOf: (table, column) => (caps.size === 0 ? null : (caps.get(ties.groupOf(placeOf(table, column))) ?? null)),
    isReferenced: (table, column) => ties.isReferenced(placeOf(table, column)),
    isWidened: (table, column) => widened.size > 0 && widened.has(ties.groupOf(placeOf(table, column))),
    aboutTable: table => {
      const about: unknown[] = []
      for (const { place, group, isReferenced } of ties.tiedIn(table)) {
        about.push(place, caps.get(group), isReferenced, widened.has(group))
      }
      return about
    },
  }
}

function groupCaps(ties: KeyTies, limit: number): Map<Place, number> {
  const caps = new Map<Place, number>()
  for (const { groups, others } of ties.sharedKeys) {
    const share = Math.floor((limit - 10 * others) / groups.length)
    for (const group of groups) caps.set(group, Math.min(caps.get(group) ?? share, share))
  }
  return caps
}

function stringsOf(columns: readonly string[], table: Table): string[] {
  if (columns.length === 1) return [...columns]
  const strings = new Set(table.columns.filter(({ type }) => type.kind === 'varchar').map(({ name }) => name))
  return columns.filter(column => strings.has(column))
}

function placeOf(table: string, column: string): Place {
  return `${table}\0${column}`
}
