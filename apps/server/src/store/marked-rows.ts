import { randomBytes } from 'node:crypto'

/** Between the parts of a text that holds many rows. Nobody who writes a name or a path knows it. */
export const mark = `\n${randomBytes(12).toString('base64url')}\n`

/** The rows, each of so many fields, of a text that has the mark between any two fields and any two rows; none of no text. */
export function markedRows(text: string | null | undefined, fields: number): string[][] {
  if (!text) return []
  const parts = text.split(mark)
  return Array.from({ length: parts.length / fields }, (_none, row) => parts.slice(row * fields, (row + 1) * fields))
}
