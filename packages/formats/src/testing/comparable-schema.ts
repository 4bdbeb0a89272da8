import type { DatabaseType } from '@cadmus/model/database-types'
import type { Literal } from '@cadmus/model/values/literal'
import type { Column, ColumnType, Schema, Table } from '@cadmus/sql/tree'

// Test helper: reduces schemas to the information that scripts contain, for comparison.

/** The tables without constraint names and origins. */
export function comparableTables({ tables }: Schema, type: DatabaseType) {
  return tables.map(table => comparableTable(table, type))
}

/** Like `comparableTables`, but without what tools do not tell: whether a number without decimal places is an integer. */
export function comparableScript(schema: Schema, type: DatabaseType) {
  return comparableTables(schema, type).map(table => ({
    ...table,
    columns: table.columns.map(column => ({ ...column, type: asNumber(column.type) })),
  }))
}

function asNumber(type: ColumnType): ColumnType {
  if (type.kind === 'integer' && type.digits !== undefined) return { kind: 'decimal', precision: type.digits, scale: 0 }
  return type.kind === 'decimal' ? { kind: type.kind, precision: type.precision, scale: type.scale } : type
}

/** Like `comparableScript`, but independent of the order in which tools write tables and choices. */
export function comparableDump(schema: Schema, type: DatabaseType) {
  const tables = comparableScript(schema, type).map(table => ({
    ...table,
    columns: table.columns.map(column => {
      const isLost = droppedDefaults(table, type).includes(column.name)
      return { ...column, default: isLost ? null : comparableDumpDefault(column, type) }
    }),
    checks: table.checks.map(({ column, values }) => ({ column, values: new Set(values.map(({ value }) => value)) })),
  }))
  return new Map(tables.toSorted((a, b) => (a.name < b.name ? -1 : 1)).map(table => [table.name, table]))
}

/**
 * MariaDB replaces four-byte characters in default values with question marks. PostgreSQL keeps the value of JSON,
 * not its formatting.
 */
function comparableDumpDefault(
  { default: literal, type: { kind } }: ReturnType<typeof comparableColumn>,
  type: DatabaseType,
) {
  if (!literal) return null
  if (type === 'mysql') return String(literal.value).replace(/[\u{10000}-\u{10ffff}]/gu, '?')
  return kind === 'json' ? JSON.stringify(JSON.parse(String(literal.value))) : literal.value
}

/** Columns whose dumped default value is not one of their choices; the reader has to drop such a default. */
export function droppedDefaults({ columns, checks }: ReturnType<typeof comparableTable>, type: DatabaseType): string[] {
  return columns.flatMap(column => {
    const choices = checks.find(check => check.column === column.name)?.values.map(({ value }) => String(value))
    const shown = comparableDumpDefault(column, type)
    const isLost = choices !== undefined && shown !== null && shown !== column.default?.value
    return isLost && !choices.includes(String(shown)) ? [column.name] : []
  })
}

/** Columns with generated values. A foreign key without a constraint is read as a plain key and then also counts. */
export function generatedColumns({ tables }: Schema): string[] {
  return tables.flatMap(({ name, columns }) =>
    columns.flatMap(column => (column.identity ? [`${name}.${column.name}`] : [])),
  )
}

function comparableTable(table: Table, type: DatabaseType) {
  return {
    name: table.name,
    comment: table.comment.trim(),
    columns: table.columns.map(column => comparableColumn(column, type)),
    key: table.primaryKey?.columns ?? null,
    uniques: columnSets([...table.uniques, ...table.indexes.filter(({ unique }) => unique)]),
    indexes: columnSets(table.indexes.filter(({ unique }) => !unique)),
    checks: table.checks.map(({ column, values }) => ({ column, values: listed(values, type) })),
    // Scripts do not tell which column of several is the relationship, which has a place.
    foreignKeys: table.foreignKeys
      .map(({ columns, references, onDelete }) => ({
        columns,
        references,
        // Databases without RESTRICT have it as the default; the model calls it restrict.
        onDelete: onDelete === 'noAction' ? 'restrict' : onDelete,
      }))
      .toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
  }
}

function comparableColumn(column: Column, type: DatabaseType) {
  const { name, nullable } = column
  // The model treats a blank comment as no comment.
  const comment = column.comment.trim()
  return { name, nullable, comment, type: comparableType(column.type, type), default: comparableDefault(column) }
}

/** SQL Server compares values with trailing spaces separately, after all other values. */
function listed(values: readonly Literal[], type: DatabaseType): readonly Literal[] {
  if (type !== 'mssql') return values
  return values.toSorted((a, b) => Number(String(a.value).endsWith(' ')) - Number(String(b.value).endsWith(' ')))
}

/**
 * HSQLDB stores JSON as text. Whether text with a length is stored in the row or off-row depends on the other
 * columns.
 */
function comparableType(columnType: ColumnType, type: DatabaseType): ColumnType {
  if (columnType.kind === 'text' && columnType.length !== undefined)
    return { ...columnType, kind: 'varchar', length: columnType.length }
  // HSQLDB has double precision only.
  if (type === 'hsql' && columnType.kind === 'double') return { kind: 'double' }
  // Scripts do not tell moments in UTC from wall-clock times.
  if (columnType.kind === 'timestamp') return { kind: 'timestamp' }
  return type === 'hsql' && columnType.kind === 'json' ? { kind: 'text' } : columnType
}

function comparableDefault({ default: literal }: Column) {
  return literal && { kind: literal.kind === 'json' ? 'text' : literal.kind, value: literal.value }
}

function columnSets(keys: readonly { columns: readonly string[] }[]): string[] {
  return keys.map(({ columns }) => columns.join('\0')).toSorted()
}
