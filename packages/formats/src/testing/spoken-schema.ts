import type { DatabaseType } from '@cadmus/model/database-types'
import type { Literal } from '@cadmus/model/values/literal'
import type { Column, ColumnType, Schema, Table } from '@cadmus/sql/tree'

// For tests only: what a script of a schema can say of it, so that two schemas can be compared.

/** The tables without names of constraints and without where things came from. */
export function spoken({ tables }: Schema, type: DatabaseType) {
  return tables.map(table => spokenTable(table, type))
}

/** The same without what tools write in another order: tables and choices. */
export function dumped(schema: Schema, type: DatabaseType) {
  const tables = spoken(schema, type).map(table => ({
    ...table,
    columns: table.columns.map(column => {
      const isLost = lostDefaults(table, type).includes(column.name)
      return { ...column, default: isLost ? null : dumpedDefault(column, type) }
    }),
    checks: table.checks.map(({ column, values }) => ({ column, values: new Set(values.map(({ value }) => value)) })),
  }))
  return new Map(tables.toSorted((a, b) => (a.name < b.name ? -1 : 1)).map(table => [table.name, table]))
}

/**
 * MariaDB shows a question mark for a character of a default value that has no room in three bytes. PostgreSQL keeps of JSON what it
 * means, not how it was written.
 */
function dumpedDefault({ default: given, type: { kind } }: ReturnType<typeof spokenColumn>, type: DatabaseType) {
  if (!given) return null
  if (type === 'mysql') return String(given.value).replace(/[\u{10000}-\u{10ffff}]/gu, '?')
  return kind === 'json' ? JSON.stringify(JSON.parse(String(given.value))) : given.value
}

/** The columns whose choices do not have what a dump shows of their default value: it can only be left out. */
export function lostDefaults({ columns, checks }: ReturnType<typeof spokenTable>, type: DatabaseType): string[] {
  return columns.flatMap(column => {
    const choices = checks.find(check => check.column === column.name)?.values.map(({ value }) => String(value))
    const shown = dumpedDefault(column, type)
    const isLost = choices !== undefined && shown !== null && shown !== column.default?.value
    return isLost && !choices.includes(String(shown)) ? [column.name] : []
  })
}

/** The columns whose values are made by the database. A foreign key without a constraint is read as a plain key, which then is one too. */
export function generatedColumns({ tables }: Schema): string[] {
  return tables.flatMap(({ name, columns }) =>
    columns.flatMap(column => (column.identity ? [`${name}.${column.name}`] : [])),
  )
}

function spokenTable(table: Table, type: DatabaseType) {
  return {
    name: table.name,
    comment: table.comment.trim(),
    columns: table.columns.map(column => spokenColumn(column, type)),
    key: table.primaryKey?.columns ?? null,
    uniques: columnSets([...table.uniques, ...table.indexes.filter(({ unique }) => unique)]),
    indexes: columnSets(table.indexes.filter(({ unique }) => !unique)),
    checks: table.checks.map(({ column, values }) => ({ column, values: listed(values, type) })),
    foreignKeys: table.foreignKeys.map(({ columns, references, onDelete }) => ({
      columns,
      references,
      // Databases without RESTRICT refuse without a word, and a model's own word for refusing is restrict.
      onDelete: onDelete === 'noAction' ? 'restrict' : onDelete,
    })),
  }
}

function spokenColumn(column: Column, type: DatabaseType) {
  const { name, nullable } = column
  // A comment of nothing but blanks is none to a model.
  const comment = column.comment.trim()
  return { name, nullable, comment, type: spokenType(column.type, type), default: spokenDefault(column) }
}

/** On SQL Server those that end in a blank are compared in another way, behind the others. */
function listed(values: readonly Literal[], type: DatabaseType): readonly Literal[] {
  if (type !== 'mssql') return values
  return values.toSorted((a, b) => Number(String(a.value).endsWith(' ')) - Number(String(b.value).endsWith(' ')))
}

/**
 * HSQLDB has no JSON: such a column is a text, as any other. Whether a text with a length lies in the row or outside of it depends on
 * what else is in the row.
 */
function spokenType(columnType: ColumnType, type: DatabaseType): ColumnType {
  if (columnType.kind === 'text' && columnType.length !== undefined)
    return { kind: 'varchar', length: columnType.length }
  return type === 'hsql' && columnType.kind === 'json' ? { kind: 'text' } : columnType
}

function spokenDefault({ default: literal }: Column) {
  return literal && { kind: literal.kind === 'json' ? 'text' : literal.kind, value: literal.value }
}

function columnSets(keys: readonly { columns: readonly string[] }[]): string[] {
  return keys.map(({ columns }) => columns.join('\0')).toSorted()
}
