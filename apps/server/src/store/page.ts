import { sql, type RawBuilder } from 'kysely'
import { invalid } from '../errors/api-error.ts'

/** Selects a part of a list: a numbered page, or the rows after a place from an earlier answer. */
export type Page = { page: number; limit: number; after?: string | undefined }

/** A part of a list with the total; `next` is the place after its last row, null at the end. */
export type Listed<T> = { rows: T[]; total: number; next: string | null }

/** Returns the number of rows before a page, capped for extreme page numbers. */
export function rowsBefore({ page, limit }: Page): number {
  return Math.min(page * limit, 1_000_000_000)
}

type Place = { name_folded: string; id: number }

/** Encodes a place in a list ordered by folded name, then id; opaque on the wire. */
export function writePlace({ name_folded, id }: Place): string {
  return Buffer.from(JSON.stringify([name_folded, id])).toString('base64url')
}

export function readPlace(text: string): Place {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
    const [name, id]: unknown[] = Array.isArray(value) ? value : []
    // PostgreSQL rejects comparisons with a NUL or a non-integer number.
    if (typeof name === 'string' && !name.includes('\0') && typeof id === 'number' && Number.isSafeInteger(id)) {
      return { name_folded: name, id }
    }
  } catch {
    // Rejected below, like every other invalid place.
  }
  throw invalid('after: this must be a cursor returned by this list.', [
    { path: 'after', message: 'this must be a cursor returned by this list.' },
  ])
}

/** Selects rows after a place in the order by name, then id, as a single comparison that an index supports. */
export function behind(name: string, id: string, after: string): RawBuilder<boolean> {
  const place = readPlace(after)
  return sql<boolean>`(${sql.ref(name)}, ${sql.ref(id)}) > (${place.name_folded}, ${place.id})`
}

/** A LIKE pattern for "contains", with special characters escaped; use it with ESCAPE '\'. */
export function containing(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, sign => `\\${sign}`)}%`
}

/** `column` contains `text`; both must be folded. */
export function contains(column: string, text: string): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(column)} like ${containing(text)} escape '\\'`
}

/** Orders exact matches first, then prefixes, then others. All values must be folded. */
export function byMatch(column: string, search: string): RawBuilder<number> {
  const beginning = containing(search).slice(1)
  return sql<number>`case when ${sql.ref(column)} = ${search} then 0 when ${sql.ref(column)} like ${beginning} escape '\\' then 1 else 2 end`
}
