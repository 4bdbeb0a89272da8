import type { Dialect } from './dialect.ts'
import { noteTexts, type Notes } from './notes.ts'
import type { ColumnSource, EntitySource } from './tree.ts'

/** Most comments are plain, and then nothing is searched in them. */
const plainText = /^[\x20-\x7e]*$/

/** A comment as the database takes it, and a note where that says less or otherwise than the description. */
export function fitComment(
  comment: string,
  entity: EntitySource,
  attribute: ColumnSource | undefined,
  dialect: Dialect,
  notes: Notes,
): string {
  if (comment === '') return ''
  // Descriptions come from files of every system.
  const text = comment.includes('\r') ? comment.replaceAll(/\r\n?/g, '\n') : comment
  const { name } = attribute ?? entity
  const clean = dialect.commentText(
    plainText.test(text) ? text : text.toWellFormed().replace(/(?![\n\t])\p{Cc}/gu, ' '),
  )
  if (isChanged(text, clean)) notes.about('commentChanged', noteTexts.commentChanged(name), entity, attribute)
  const { comment: most } = dialect.limits
  const limit = most?.[attribute ? 'column' : 'table'] ?? Number.POSITIVE_INFINITY
  if (!most || most.size(clean) <= limit) return clean
  notes.about('commentShortened', noteTexts.commentShortened(name), entity, attribute)
  return cut(clean, limit, most.size)
}

/** Line breaks that became blanks lose no word. */
function isChanged(text: string, clean: string): boolean {
  return clean !== text && clean !== text.replace(/[\n\t]+/g, ' ')
}

function cut(text: string, limit: number, size: (text: string) => number): string {
  const head: string[] = []
  let room = limit - size('…')
  for (const character of text) {
    room -= size(character)
    if (room < 0) break
    head.push(character)
  }
  return `${head.join('')}…`
}
