import type { SchemaChange } from './alter-changes.ts'
import type { SchemaRefusal } from './alter-refusals.ts'

/** What records lose or prevent in an alteration. */
export type SchemaCount = {
  /** The same in each database and naming. */
  readonly key: string
  /** Answers one number. */
  readonly query: string
}

/** The query for one record as one that counts them. */
export function countingQuery(query: string): string {
  const all = query.replace(/^SELECT 1 /, 'SELECT 1 AS n ').replace(/ LIMIT \d+$/, '')
  return `SELECT COUNT(*) FROM (${all}) q`
}

export function countsOf(changes: readonly SchemaChange[], refusals: readonly SchemaRefusal[]): SchemaCount[] {
  return [...changes, ...refusals].flatMap(({ key, query }) =>
    query === null ? [] : [{ key, query: countingQuery(query) }],
  )
}
