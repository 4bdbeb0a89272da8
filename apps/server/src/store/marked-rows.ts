import { randomBytes } from 'node:crypto'

/** Between the parts of a text that holds many rows. Nobody who writes a name or a path knows it. Short: a store joins it to each. */
export const mark = randomBytes(9).toString('base64url')

/**
 * All fields of all rows, one after the other, of a text that has the mark between any two fields and any two rows; none of no text.
 * They are not put into rows here: ten thousand small lists would be made only to be looked into once.
 */
export function markedFields(text: string | null | undefined): string[] {
  return text ? text.split(mark) : []
}
