import { randomBytes } from 'node:crypto'

/**
 * Separates the parts of aggregated rows. Random per process, so that names and paths cannot contain it, and short,
 * because it is repeated for each field.
 */
export const mark = randomBytes(9).toString('base64url')

/**
 * Splits an aggregated text into the fields of all its rows; empty for no text. Returns a flat list, because ten
 * thousand small arrays would be costly.
 */
export function markedFields(text: string | null | undefined): string[] {
  return text ? text.split(mark) : []
}
