import type { FittedRow } from '../dialect.ts'
import type { Column, ColumnType, Table } from '../tree.ts'

/** Bytes of a row by the server's count, texts outside the row excepted. */
const rowLimit = 65_000
/** Bytes of a row within a page of 16 kB, less what InnoDB keeps for itself. */
const pageLimit = 8000
/** What MySQL counts for a column that may be stored outside the page, however long it is. */
const outsideSize = 41

/**
 * A table whose declared strings are wider than a row keeps the widest ones outside of it, as text with a checked length: first
 * those of no key and no index, then those that are only indexed, only unique, only a foreign key, which lose that. The primary
 * key and what other tables refer to stay.
 */
export function fitInnodbRow(table: Table, isReferenced: (column: Column) => boolean): FittedRow {
  const needs = needsOf(table, isReferenced)
  const movable = table.columns
    .filter(({ name, type }) => type.kind === 'varchar' && type.length > 10 && needs.get(name) !== 'needed')
    .toSorted((a, b) => order.indexOf(needOf(a)) - order.indexOf(needOf(b)) || weight(b) - weight(a))
  const shrunk = new Set<Column>()
  let row = sum(table.columns, rowSize)
  let page = sum(table.columns, innerSize)
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
  const fitted = withoutKeysOf(table, shrunk, released)
  const tooLong = row > rowLimit || isWiderThanPage(fitted)
  return { table: fitted, shrunk: [...shrunk], released: [...shrunk].filter(({ name }) => released.has(name)), tooLong }

  function needOf({ name }: Column): Need {
    return needs.get(name) ?? 'free'
  }
}

/** Whether MySQL refuses the table in strict mode although every long column may be stored outside the page. */
export function isWiderThanPage({ columns }: Table): boolean {
  return sum(columns, type => Math.min(innerSize(type), outsideSize)) > pageLimit
}

/** What a column is needed for; the later, the longer it is kept. */
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
  const isKept = ({ columns }: { columns: readonly string[] }) => !columns.some(name => released.has(name))
  return {
    ...table,
    columns: table.columns.map(column => (shrunk.has(column) ? outOfRow(column) : column)),
    uniques: table.uniques.filter(isKept),
    indexes: table.indexes.filter(isKept),
    foreignKeys: table.foreignKeys.filter(isKept),
  }
}

function outOfRow(column: Column): Column {
  return column.type.kind === 'varchar' ? { ...column, type: { kind: 'text', length: column.type.length } } : column
}

function sum(columns: readonly Column[], size: (type: ColumnType) => number): number {
  return columns.reduce((total, { type }) => total + size(type), 0)
}

function weight({ type }: Column): number {
  return rowSize(type) + innerSize(type)
}

/** Bytes against the limit of a row: four for each character of a VARCHAR and its length. */
function rowSize(type: ColumnType): number {
  if (type.kind === 'text') return 12
  return type.kind === 'varchar' ? type.length * 4 + 2 : fixedSize(type)
}

/** Bytes against the limit of a page: strings of up to 255 bytes never leave it on MariaDB. */
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
