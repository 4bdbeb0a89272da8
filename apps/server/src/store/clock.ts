import { sql, type RawBuilder } from 'kysely'

/**
 * The store's own clock in milliseconds since 1970, as a part of a statement. What several servers must agree on, as who holds a
 * job until when, goes by it and never by a server's clock.
 */
export type Clock = RawBuilder<number>

export const clocks = {
  sqlite: sql<number>`cast(unixepoch('subsec') * 1000 as integer)`,
  postgres: sql<number>`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`,
} as const satisfies Record<string, Clock>

/** So many milliseconds from now. */
export function fromNow(clock: Clock, milliseconds: number): RawBuilder<number> {
  return sql<number>`${clock} + ${sql.lit(milliseconds)}`
}
