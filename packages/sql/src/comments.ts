import type { Dialect } from './dialect.ts'
import { noteTexts, type Notes } from './notes.ts'
import type { ColumnSource, EntitySource } from './tree.ts'

/** Fast path for most comments. */
const plainText = /^[\x20-\x7e]*$/

/** Converts a description to a comment that the database accepts, with a note on any difference. */
export function adaptComment(
  comment: string,
  entity: EntitySource,
  attribute: ColumnSource | undefined,
  dialect: Dialect,
  notes: Notes,
): string {
  if (comment === '') return ''
  // Descriptions come from files with any line endings.
  const text = comment.includes('\r') ? comment.replaceAll(/\r\n?/g, '\n') : comment
  const { name } = attribute ?? entity
  const clean = dialect.commentText(
    plainText.test(text) ? text : text.toWellFormed().replace(/(?![\n\t])\p{Cc}/gu, ' '),
  )
  if (isChanged(text, clean)) notes.about('commentChanged', noteTexts.commentChanged(name), entity, attribute)
  const { comment: maxima } = dialect.limits
  const limit = maxima?.[attribute ? 'column' : 'table'] ?? Number.POSITIVE_INFINITY
  if (!maxima || maxima.size(clean) <= limit) return clean
  notes.about('commentShortened', noteTexts.commentShortened(name), entity, attribute)
  return truncate(clean, limit, maxima.size)
}

/** Replacing line breaks and tabs by spaces is not worth a note. */
function isChanged(text: string, clean: string): boolean {
  return clean !== text && clean !== text.replace(/[\n\t]+/g, ' ')
}

function truncate(text: string, limit: number, size: (text: string) => number): string {
  const head: string[] = []
  let room = limit - size('…')
  for (const character of text) {
    room -= size(character)
    if (room < 0) break
    head.push(character)
  }
  return `${head.join('')}…`
}
