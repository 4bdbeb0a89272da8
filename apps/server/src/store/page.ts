import { sql, type RawBuilder } from 'kysely'
import { invalid } from '../errors/api-error.ts'

/** Which part of a list is wanted: the page by number, or what comes after a place that an earlier answer named. */
export type Page = { page: number; limit: number; after?: string | undefined }

/** A part of a list with its whole length; `next` names the place after its last row, null at the end. */
export type Listed<T> = { rows: T[]; total: number; next: string | null }

/** How many rows lie before a page; what lies behind every list is behind them all. */
export function rowsBefore({ page, limit }: Page): number {
  return Math.min(page * limit, 1_000_000_000)
}

type Place = { name_folded: string; id: number }

/** A place in a list that is ordered by folded name, then id; opaque on the wire. */
export function writePlace({ name_folded, id }: Place): string {
  return Buffer.from(JSON.stringify([name_folded, id])).toString('base64url')
}

export function readPlace(text: string): Place {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
    const [name, id]: unknown[] = Array.isArray(value) ? value : []
    // PostgreSQL refuses to compare with a NUL or a number that is no integer.
    if (typeof name === 'string' && !name.includes('\0') && typeof id === 'number' && Number.isSafeInteger(id)) {
      return { name_folded: name, id }
    }
  } catch {
    // Refused below like everything else that is no place.
  }
  throw invalid('after: this is no place in a list.', [{ path: 'after', message: 'this is no place in a list.' }])
}

/** What comes behind the place in the order by name, then id: one comparison, which an index answers. */
export function behind(name: string, id: string, after: string): RawBuilder<boolean> {
  const place = readPlace(after)
  return sql<boolean>`(${sql.ref(name)}, ${sql.ref(id)}) > (${place.name_folded}, ${place.id})`
}

/** A LIKE pattern for "contains", in which the text's own signs mean themselves; use with ESCAPE '\'. */
export function containing(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, sign => `\\${sign}`)}%`
}

/** `column` contains `text`; both folded already. */
export function contains(column: string, text: string): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(column)} like ${containing(text)} escape '\\'`
}

/** Orders by how near a column comes to what is searched for: the text itself, what begins so, the rest. All folded already. */
export function byMatch(column: string, search: string): RawBuilder<number> {
  const beginning = containing(search).slice(1)
  return sql<number>`case when ${sql.ref(column)} = ${search} then 0 when ${sql.ref(column)} like ${beginning} escape '\\' then 1 else 2 end`
}
