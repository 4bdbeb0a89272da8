import { sql, type RawBuilder } from 'kysely'
import { invalid } from '../http/errors.ts'

/** Which part of a list is wanted: the page by number, or what comes after a place that an earlier answer named. */
export type Page = { page: number; limit: number; after?: string | undefined }

/** A part of a list with its whole length; `next` names the place after its last row, null at the end. */
export type Listed<T> = { rows: T[]; total: number; next: string | null }

type Place = { name_folded: string; id: number }

/** A place in a list that is ordered by folded name, then id; opaque on the wire. */
export function writePlace({ name_folded, id }: Place): string {
  return Buffer.from(JSON.stringify([name_folded, id])).toString('base64url')
}

export function readPlace(text: string): Place {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
    if (Array.isArray(value) && typeof value[0] === 'string' && typeof value[1] === 'number') {
      return { name_folded: value[0], id: value[1] }
    }
  } catch {
    // Refused below like everything else that is no place.
  }
  throw invalid('after: this is no place in a list.', [{ path: 'after', message: 'this is no place in a list.' }])
}

/** A LIKE pattern for "contains", in which the text's own signs mean themselves; use with ESCAPE '\'. */
export function containing(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, sign => `\\${sign}`)}%`
}

/** `column` contains `text`; both folded already. */
export function contains(column: string, text: string): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(column)} like ${containing(text)} escape '\\'`
}
