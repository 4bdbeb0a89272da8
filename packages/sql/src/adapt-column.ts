import { limits } from '@cadmus/model/limits'
import type { Literal } from '@cadmus/model/values/literal'
import { fitsDecimal, readDecimal } from '@cadmus/model/values/number'
import type { Dialect } from './dialect.ts'
import type { KeyCaps } from './table-limits.ts'
import { bytesOf } from './names.ts'
import { type Notes, noteTexts } from './notes.ts'
import type { Column, ColumnSource, ColumnType, EntitySource, Table } from './tree.ts'

/** The column's type within the limits of the database. */
export function adaptType(column: Column, table: Table, caps: KeyCaps, dialect: Dialect, notes: Notes): ColumnType {
  const { type } = column
  if (type.kind === 'varchar') return adaptText(column, type.length, table, caps, dialect, notes)
  if (type.kind !== 'decimal') return type
  if (type.precision === null) return openDecimal(column, table, dialect, notes)
  const limit = dialect.limits.decimal
  const precision = Math.min(type.precision, limit.precision)
  // Integer digits have priority over decimal places.
  const scale = Math.min(type.scale, limit.scale, Math.max(0, precision - (type.precision - type.scale)))
  if (precision === type.precision && scale === type.scale) return type
  notes.about('numberShortened', noteTexts.numberShortened(column.name, precision, scale), table.source, column.source)
  return { ...type, precision, scale }
}

/** The default of a column; null if the database cannot store it. */
export function adaptDefault(
  column: Column,
  type: ColumnType,
  table: Table,
  dialect: Dialect,
  notes: Notes,
): Column['default'] {
  const literal = column.default
  if (literal?.kind === 'computed') {
    if (dialect.computed[literal.value] !== null) return literal
    notes.about('defaultNotComputed', noteTexts.defaultNotComputed(column.name), table.source, column.source)
    return null
  }
  if (!literal || typeof literal.value === 'boolean') return literal
  if (literal.value === '' && !dialect.hasEmptyText) {
    notes.about('emptyText', noteTexts.emptyText(column.name), table.source, column.source)
    return null
  }
  const { literal: limit } = dialect.limits
  const tooLong = !dialect.canStore(literal, type) || (limit !== null && bytesOf(literal.value) > limit)
  const overflows = type.kind === 'varchar' && dialect.textSize(literal.value) > type.length
  if (!tooLong && !overflows && !isRounded(literal, type)) return literal
  notes.about('defaultType', noteTexts.defaultType(column.name), table.source, column.source)
  return null
}

/** Whether the column would round the number after its precision was reduced. */
export function isRounded({ kind, value }: Literal, type: ColumnType): boolean {
  if (kind !== 'number' || type.kind !== 'decimal' || type.precision === null) return false
  const number = readDecimal(value)
  return number !== null && !fitsDecimal(number, type.precision, type.scale)
}

function adaptText(
  column: Column,
  length: number,
  table: Table,
  caps: KeyCaps,
  dialect: Dialect,
  notes: Notes,
): ColumnType {
  const cap = caps.capOf(table.name, column.name)
  if (cap !== null && length > cap) {
    notes.about('keyShortened', noteTexts.keyShortened(column.name, cap), table.source, column.source)
    return { kind: 'varchar', length: cap }
  }
  if (length <= (dialect.limits.varchar ?? Infinity) && !caps.isWidened(table.name, column.name)) return column.type
  notes.about('lengthAsCheck', noteTexts.lengthAsCheck(column.name), table.source, column.source)
  return { ...column.type, kind: 'text', length }
}

/** Whether the default fits the column by characters but not by the units that the database counts. */
export function exceedsUnits({ default: literal, type }: Column, dialect: Dialect): boolean {
  if (!dialect.checksCharacters || type.kind !== 'varchar' || literal?.kind !== 'text') return false
  return dialect.textSize(literal.value) > type.length
}

/** The type of a decimal without precision. */
function openDecimal(column: Column, table: Table, dialect: Dialect, notes: Notes): ColumnType {
  const { openDecimal: widest } = dialect.limits
  if (!widest) return column.type
  const { precision, scale } = widest
  if (precision - scale < limits.precision.max) {
    notes.about(
      'numberShortened',
      noteTexts.numberShortened(column.name, precision, scale),
      table.source,
      column.source,
    )
  } else {
    notes.about('numberRounded', noteTexts.numberRounded(column.name, scale), table.source, column.source)
  }
  return { kind: 'decimal', precision, scale }
}

/** Fast path for most comments. */
const plainText = /^[\x20-\x7e]*$/

/** Converts a description to a comment that the database accepts and that ends with the mark, with a note on any difference. */
export function adaptComment(
  comment: string,
  entity: EntitySource,
  attribute: ColumnSource | undefined,
  dialect: Dialect,
  notes: Notes,
  mark = '',
): string {
  if (comment === '') return mark
  // Descriptions come from files with any line endings.
  const text = comment.includes('\r') ? comment.replaceAll(/\r\n?/g, '\n') : comment
  const { name } = attribute ?? entity
  const clean = dialect.commentText(
    plainText.test(text) ? text : text.toWellFormed().replace(/(?![\n\t])\p{Cc}/gu, ' '),
  )
  if (isChanged(text, clean)) notes.about('commentChanged', noteTexts.commentChanged(name), entity, attribute)
  const { comment: maxima } = dialect.limits
  const limit = maxima?.[attribute ? 'column' : 'table'] ?? Number.POSITIVE_INFINITY
  // A UTF-16 code unit counts for at most four.
  const marked = mark === '' ? clean : `${clean} ${mark}`
  if (!maxima || marked.length * 4 <= limit || maxima.size(marked) <= limit) return marked
  notes.about('commentShortened', noteTexts.commentShortened(name), entity, attribute)
  if (mark === '') return truncate(clean, limit, maxima.size)
  return `${truncate(clean, limit - maxima.size(` ${mark}`), maxima.size)} ${mark}`
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
