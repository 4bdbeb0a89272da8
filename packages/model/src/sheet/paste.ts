import type { Column } from '../columns.ts'
import type { EntityContent } from '../entity.ts'
import { limits } from '../limits.ts'
import { messages } from '../messages.ts'
import { sheetTexts } from '../messages/sheet.ts'
import { isAutomaticKey } from '../one-key.ts'
import { foldName } from '../paths.ts'
import { isPrimaryKey } from '../type-attribute.ts'
import type { Cells } from './clipboard.ts'
import type { SheetColumn } from './columns.ts'
import { entityNames, newRows } from './entity-rows.ts'
import { type Heading, headingsOf, isKeyMark } from './headings.ts'
import { readNullable } from './words.ts'
import type { CellBlock } from './write-cells.ts'

/** Target of a paste: rows and columns as shown, from the current cell on, and the size of the chosen range. */
export type PastePlace = {
  rows: readonly Column[]
  columns: readonly SheetColumn[]
  chosen: { rows: number; columns: number }
}

/**
 * `unread`: headings of columns with texts that no column of the sheet takes; `existing`: names in a list of attributes that the entity has
 * already, which stay as they are.
 */
export type PasteBlock = CellBlock & { unread: readonly string[]; existing: readonly string[] }

/**
 * The block that cells are pasted into: from the current cell, by headings if their first row has them. A list of attributes, which names
 * their entities, adds those that the entity does not have, wherever the current cell is.
 */
export function pasteBlock(content: EntityContent, cells: Cells, place: PastePlace): PasteBlock | { refusal: string } {
  const [first = [], ...others] = cells
  const headings = headingsOf(first)
  const own = headings ? ownRows(content.name, headings, others) : others
  if ('refusal' in own) return own
  const isList = headings?.includes('entity') === true
  const { rows: added, existing } = isList ? newRows(content, headings, own) : { rows: own, existing: [] }
  const rows = isList ? [] : place.rows
  const block = headings
    ? { rows, columns: headings.map(asColumn), texts: withNullable(first, headings, added) }
    : { rows, columns: place.columns, texts: repeated(cells, place.chosen) }
  const count = block.texts.slice(rows.length).filter(line => line.some(text => text.trim() !== '')).length
  const attributes = content.typeAttributes.length + count
  if (count > 0 && attributes > limits.attributes)
    return { refusal: messages.tooManyTogether('type attributes', limits.attributes, attributes) }
  const unread = headings ? unreadHeadings(first, headings, own) : []
  return { ...withKeyRow(content, block), unread, existing }
}

/**
 * Oracle describes columns with NOT NULL or a blank, headed "Null?". In other spreadsheets a blank cell is a no.
 */
function withNullable(first: readonly string[], headings: readonly Heading[], texts: Cells): Cells {
  const index = headings.findIndex(heading => typeof heading === 'object' && heading.id === 'nullable')
  const isOracle = first[index]?.trim().toLowerCase() === 'null?'
  const marks = texts.map(line => line[index]?.trim() ?? '').filter(text => text !== '')
  if (!isOracle || marks.some(text => readNullable(text) !== false)) return texts
  return texts.map(line => (line[index]?.trim() === '' ? line.with(index, 'NULL') : line))
}

function unreadHeadings(first: readonly string[], headings: readonly Heading[], texts: Cells): string[] {
  const hasText = (index: number) => texts.some(line => (line[index] ?? '').trim() !== '')
  return first.filter((_, index) => headings[index] === undefined && hasText(index)).map(heading => heading.trim())
}

/** The texts that a block has in a column. */
export function textsIn({ columns, texts }: CellBlock, id: string): string[] {
  const index = columns.findIndex(column => column?.id === id)
  return index < 0 ? [] : texts.flatMap(line => line[index]?.trim() || [])
}

/** Of rows for several entities, those for this one. */
function ownRows(name: string, headings: readonly Heading[], texts: Cells): Cells | { refusal: string } {
  const names = entityNames(headings, texts)?.map(foldName)
  if (!names || new Set(names.filter(Boolean)).size < 2) return texts
  const own = texts.filter((_, at) => names[at] === foldName(name))
  return own.length > 0 ? own : { refusal: sheetTexts.otherEntities(name) }
}

function asColumn(heading: Heading): SheetColumn | undefined {
  return heading === 'entity' || heading === 'ignored' ? undefined : heading
}

/** Fills the chosen range with the cells if its size is a multiple of theirs, as spreadsheets do. */
function repeated(cells: Cells, chosen: { rows: number; columns: number }): Cells {
  const [height, width] = [cells.length, cells[0]?.length ?? 0]
  const fits = (size: number, block: number) => size > block && size % block === 0
  const isOneWidth = cells.every(row => row.length === width)
  if (height === 0 || width === 0 || !isOneWidth) return cells
  const rows = fits(chosen.rows, height) ? chosen.rows : height
  const columns = fits(chosen.columns, width) ? chosen.columns : width
  return Array.from({ length: rows }, (_, row) =>
    Array.from({ length: columns }, (_, column) => cells[row % height]?.[column % width] ?? ''),
  )
}

/**
 * A new row that describes the entity's key changes the key: one with its name, or one marked as the key while the entity has only the
 * automatic one.
 */
function withKeyRow(content: EntityContent, block: CellBlock): CellBlock {
  const key = content.typeAttributes.find(isPrimaryKey)
  const { rows, columns, texts } = block
  if (!key || rows.slice(0, texts.length).includes(key)) return block
  const indexOf = (id: string) => columns.findIndex(column => column?.id === id)
  const [name, purpose] = [indexOf('name'), indexOf('purpose')]
  const isNamed = (text: readonly string[]) => foldName(text[name] ?? '') === foldName(key.name)
  const isMarked = (text: readonly string[]) => isKeyMark(text[purpose] ?? '')
  const fresh = texts.slice(rows.length)
  const named = fresh.findIndex(isNamed)
  const marked = purpose >= 0 && isAutomaticKey(key) ? fresh.findIndex(isMarked) : -1
  const index = name < 0 ? -1 : named >= 0 ? named : marked
  if (index < 0) return block
  return { ...block, rows: [...rows, ...Array.from({ length: index }, () => undefined), key] }
}
