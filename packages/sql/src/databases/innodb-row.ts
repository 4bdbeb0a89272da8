import type { AdaptedRow } from '../dialect.ts'
import type { Column, ColumnType, Table } from '../tree.ts'

/** Bytes of a row as counted by the server, excluding texts stored outside. */
const rowLimit = 65_000
/** Bytes of a row in a page of 16 kB, less InnoDB's overhead. */
const pageLimit = 8000
/** Bytes counted by MySQL for a column that may be stored outside the page. */
const outsideSize = 41

/**
 * Moves the widest strings of a table that exceeds a row outside of it, as text with a checked length: first columns
 * without keys and indexes, then those that are only indexed, only unique or only a foreign key, which lose these. The
 * primary key and referenced columns are not moved.
 */
export function adaptInnodbRow(table: Table, isReferenced: (column: Column) => boolean): AdaptedRow {
  let row = sum(table.columns, rowSize)
  let page = sum(table.columns, innerSize)
  if (row <= rowLimit && page <= pageLimit) return { table, shrunk: [], released: [], tooLong: false }
  const needs = needsOf(table, isReferenced)
  const movable = table.columns
    .filter(({ name, type }) => type.kind === 'varchar' && type.length > 10 && needs.get(name) !== 'needed')
    .toSorted((a, b) => order.indexOf(needOf(a)) - order.indexOf(needOf(b)) || weight(b) - weight(a))
  const shrunk = new Set<Column>()
  for (const column of movable) {
    const isFree = needOf(column) === 'free'
    if (row <= rowLimit && (page <= pageLimit || !isFree)) break
    if (row <= rowLimit && innerSize(column.type) <= outsideSize) continue
    shrunk.add(column)
    row += 12 - rowSize(column.type)
    page += outsideSize - innerSize(column.type)
  }
  if (shrunk.size === 0) return { table, shrunk: [], released: [], tooLong: isWiderThanPage(table) }
  const released = new Set([...shrunk].filter(column => needOf(column) !== 'free').map(({ name }) => name))
  const adapted = withoutKeysOf(table, shrunk, released)
  const tooLong = row > rowLimit || isWiderThanPage(adapted)
  return {
    table: adapted,
    shrunk: [...shrunk],
    released: [...shrunk].filter(({ name }) => released.has(name)),
    tooLong,
  }

  function needOf({ name }: Column): Need {
    return needs.get(name) ?? 'free'
  }
}

/** Whether MySQL in strict mode rejects the table even if all long columns are stored outside the page. */
export function isWiderThanPage({ columns }: Table): boolean {
  return sum(columns, type => Math.min(innerSize(type), outsideSize)) > pageLimit
}

/** The uses of a column, in ascending order of importance. */
const order = ['free', 'index', 'unique', 'foreignKey', 'needed'] as const
type Need = (typeof order)[number]

function needsOf(table: Table, isReferenced: (column: Column) => boolean): Map<string, Need> {
  const needs = new Map<string, Need>()
  const mark = (keys: readonly { columns: readonly string[] }[], need: Need) => {
    for (const { columns } of keys) for (const column of columns) needs.set(column, need)
  }
  mark(table.indexes, 'index')
  mark(table.uniques, 'unique')
  mark(table.foreignKeys, 'foreignKey')
  if (table.primaryKey) mark([table.primaryKey], 'needed')
  for (const column of table.columns) if (isReferenced(column)) needs.set(column.name, 'needed')
  return needs
}

function withoutKeysOf(table: Table, shrunk: ReadonlySet<Column>, released: ReadonlySet<string>): Table {
  const isWhole = ({ columns }: { columns: readonly string[] }) => !columns.some(name => released.has(name))
  return {
    ...table,
    columns: table.columns.map(column => (shrunk.has(column) ? outOfRow(column) : column)),
    uniques: table.uniques.filter(isWhole),
    indexes: table.indexes.filter(isWhole),
    foreignKeys: table.foreignKeys.filter(isWhole),
  }
}

function outOfRow(column: Column): Column {
  return column.type.kind === 'varchar' ? { ...column, type: { ...column.type, kind: 'text' } } : column
}

function sum(columns: readonly Column[], size: (type: ColumnType) => number): number {
  return columns.reduce((total, { type }) => total + size(type), 0)
}

function weight({ type }: Column): number {
  return rowSize(type) + innerSize(type)
}

/** Bytes counted for a row: four per character of a VARCHAR, plus its length. */
function rowSize(type: ColumnType): number {
  if (type.kind === 'text') return 12
  return type.kind === 'varchar' ? type.length * 4 + 2 : fixedSize(type)
}

/** Bytes counted for a page: MariaDB never moves strings of up to 255 bytes outside. */
function innerSize(type: ColumnType): number {
  if (type.kind !== 'varchar') return fixedSize(type)
  return type.length * 4 > 255 ? outsideSize : type.length * 4 + 1
}

function fixedSize(type: ColumnType): number {
  switch (type.kind) {
    case 'text':
    case 'json':
    case 'binary':
      return outsideSize
    case 'guid':
      return 37
    case 'decimal':
      return Math.ceil((type.precision ?? 38) / 2) + 2
    default:
      return 9
  }
}
