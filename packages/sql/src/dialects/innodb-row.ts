import type { Column, ColumnType, Table } from '../tree.ts'

/** Bytes of a row by the server's count, texts outside the row excepted. */
const rowLimit = 65_000
/** Bytes of a row within a page of 16 kB, less what InnoDB keeps for itself. */
const pageLimit = 8000
/** What MySQL counts for a column that may be stored outside the page, however long it is. */
const outsideSize = 41

/**
 * A table whose declared strings are wider than a row keeps the widest ones outside of it, as text with a checked length. Those
 * of a key, an index or a list of choices stay.
 */
export function fitInnodbRow(table: Table): { table: Table; shrunk: readonly Column[]; tooLong: boolean } {
  const kept = keptColumns(table)
  const movable = table.columns
    .filter(({ name, type }) => type.kind === 'varchar' && type.length > 10 && !kept.has(name))
    .toSorted((a, b) => rowSize(b.type) + innerSize(b.type) - rowSize(a.type) - innerSize(a.type))
  const shrunk = new Set<Column>()
  let row = sum(table.columns, rowSize)
  let page = sum(table.columns, innerSize)
  for (const column of movable) {
    if (row <= rowLimit && page <= pageLimit) break
    if (row <= rowLimit && innerSize(column.type) <= outsideSize) continue
    shrunk.add(column)
    row += 12 - rowSize(column.type)
    page += outsideSize - innerSize(column.type)
  }
  const columns = table.columns.map(column => (shrunk.has(column) ? outOfRow(column) : column))
  const fitted = shrunk.size === 0 ? table : { ...table, columns }
  return { table: fitted, shrunk: [...shrunk], tooLong: row > rowLimit || isWiderThanPage(fitted) }
}

/** Whether MySQL refuses the table in strict mode although every long column may be stored outside the page. */
export function isWiderThanPage({ columns }: Table): boolean {
  return sum(columns, type => Math.min(innerSize(type), outsideSize)) > pageLimit
}

function keptColumns({ primaryKey, uniques, indexes, checks, foreignKeys }: Table): Set<string> {
  const kept = new Set(primaryKey?.columns)
  for (const { columns } of [...uniques, ...indexes, ...foreignKeys]) for (const column of columns) kept.add(column)
  for (const { column } of checks) kept.add(column)
  return kept
}

function outOfRow(column: Column): Column {
  return column.type.kind === 'varchar' ? { ...column, type: { ...column.type, outOfRow: true } } : column
}

function sum(columns: readonly Column[], size: (type: ColumnType) => number): number {
  return columns.reduce((total, { type }) => total + size(type), 0)
}

/** Bytes against the limit of a row: four for each character of a VARCHAR and its length. */
function rowSize(type: ColumnType): number {
  if (type.kind !== 'varchar') return fixedSize(type)
  return type.outOfRow ? 12 : type.length * 4 + 2
}

/** Bytes against the limit of a page: strings of up to 255 bytes never leave it on MariaDB. */
function innerSize(type: ColumnType): number {
  if (type.kind !== 'varchar') return fixedSize(type)
  return type.outOfRow || type.length * 4 > 255 ? outsideSize : type.length * 4 + 1
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
