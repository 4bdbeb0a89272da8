import { type RawBuilder, sql } from 'kysely'

/** Maximum number of ids in one statement. */
export const idBatch = 500

/** Splits a list into pieces of at most `size`, because statements limit the number of values. */
export function* inBatches<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size)
}

/** Runs a statement for each piece of a list and returns the rows of all. */
export async function rowsInBatches<T, R>(
  items: readonly T[],
  size: number,
  run: (part: readonly T[]) => Promise<readonly R[]>,
): Promise<R[]> {
  // Not as arguments of `push`: a batch of entities may have hundreds of thousands of references.
  const batches: (readonly R[])[] = []
  for (const part of inBatches(items, size)) batches.push(await run(part))
  return batches.flat()
}

/** Like `inBatches`, for items of different weight: a piece ends at a maximum number of items or total weight. */
export function* inWeighedBatches<T>(
  items: Iterable<T>,
  max: { items: number; weight: number },
  weightOf: (item: T) => number,
): Generator<T[]> {
  let part: T[] = []
  let weight = 0
  for (const item of items) {
    part.push(item)
    weight += weightOf(item)
    if (part.length < max.items && weight < max.weight) continue
    yield part
    part = []
    weight = 0
  }
  if (part.length > 0) yield part
}

/**
 * Returns the form in which a database stores a text: PostgreSQL rejects NUL, and no database stores unpaired
 * surrogates. Comparisons must use this form. Contents keep the original, since they are JSON.
 */
export function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD')
}

/** Filters out texts that no row can contain, because PostgreSQL rejects comparisons with NUL. */
export function comparable(texts: Iterable<string>): string[] {
  return [...new Set(texts)].filter(text => storable(text) === text)
}

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
