import { sql, type RawBuilder } from 'kysely'

/**
 * The store's clock in milliseconds since 1970, as an SQL expression. Times that several servers compare, such as
 * leases, use it instead of a server's clock.
 */
export type Clock = RawBuilder<number>

export const clocks = {
  sqlite: sql<number>`cast(unixepoch('subsec') * 1000 as integer)`,
  postgres: sql<number>`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`,
} as const satisfies Record<string, Clock>

export function fromNow(clock: Clock, milliseconds: number): RawBuilder<number> {
  return sql<number>`${clock} + ${sql.lit(milliseconds)}`
}
