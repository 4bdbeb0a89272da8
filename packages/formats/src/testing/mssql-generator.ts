import { databases } from '@cadmus/sql/databases'
import type { Column, Key, Schema, Table } from '@cadmus/sql/tree'
import type { Literal } from '@cadmus/model/values/literal'

// Test helper: formats a schema like SQL Server's script generator, based on its documentation and published scripts:
// batches end with GO, types are in brackets, defaults, checks and keys are added later and in extra parentheses,
// value lists are comparisons in reverse order, and comments are extended properties.

const mssql = databases.mssql.export
const indexOptions =
  'WITH (PAD_INDEX = OFF, STATISTICS_NORECOMPUTE = OFF, IGNORE_DUP_KEY = OFF, ALLOW_ROW_LOCKS = ON, ALLOW_PAGE_LOCKS = ON) ON [PRIMARY]'

export function generatorScript({ name, tables }: Schema): string {
  const batches = [
    `USE ${bracketed(name)}`,
    ...tables.flatMap(tableBatches),
    ...tables.flatMap(indexBatches),
    ...tables.flatMap(defaultBatches),
    ...tables.flatMap(foreignKeyBatches),
    ...tables.flatMap(checkBatches),
    ...tables.flatMap(commentBatches),
  ]
  return `${batches.map(batch => `${batch}\r\nGO\r\n`).join('')}`
}

function bracketed(name: string): string {
  return `[${name.replaceAll(']', ']]')}]`
}

function text(value: string): string {
  return `N'${value.replaceAll("'", "''")}'`
}

function tableBatches(table: Table): string[] {
  const { name, columns, primaryKey, uniques } = table
  const keys = [
    ...(primaryKey ? [keyText(primaryKey, 'PRIMARY KEY CLUSTERED')] : []),
    ...uniques.map(key => keyText(key, 'UNIQUE NONCLUSTERED')),
  ]
  const lines = [...columns.map(columnText), ...keys].join(',\r\n')
  return [
    `/****** Object:  Table [dbo].${bracketed(name)}    Script Date: 1/2/2026 3:04:05 PM ******/\r\nSET ANSI_NULLS ON`,
    'SET QUOTED_IDENTIFIER ON',
    `CREATE TABLE [dbo].${bracketed(name)}(\r\n${lines}\r\n) ON [PRIMARY] TEXTIMAGE_ON [PRIMARY]`,
  ]
}

function columnText({ name, type, nullable, identity }: Column): string {
  const [, word = '', rest = ''] = /^(\w+)(.*)$/s.exec(mssql.typeName(type)) ?? []
  const generated = identity ? ' IDENTITY(1,1)' : ''
  const written = word === 'FLOAT' ? '[float]' : `[${word.toLowerCase()}]${rest.replace('(MAX)', '(max)')}`
  return `\t${bracketed(name)} ${written}${generated} ${nullable ? 'NULL' : 'NOT NULL'}`
}

function keyText({ name, columns }: Key, kind: string): string {
  const listed = columns.map(column => `\t${bracketed(column)} ASC`).join(',\r\n')
  return ` CONSTRAINT ${bracketed(name)} ${kind} \r\n(\r\n${listed}\r\n)${indexOptions}`
}

function indexBatches({ name, indexes }: Table): string[] {
  return indexes.map(index => {
    const columns = index.columns.map(column => `\t${bracketed(column)} ASC`).join(',\r\n')
    const where = index.onlyPresent
      ? `\r\nWHERE (${index.columns.map(column => `${bracketed(column)} IS NOT NULL`).join(' AND ')})\r\n`
      : ''
    const kind = index.unique ? 'UNIQUE NONCLUSTERED' : 'NONCLUSTERED'
    return `CREATE ${kind} INDEX ${bracketed(index.name)} ON [dbo].${bracketed(name)}\r\n(\r\n${columns}\r\n)${where}${indexOptions}`
  })
}

function valueText(literal: Literal): string {
  return literal.kind === 'number' || literal.kind === 'boolean'
    ? `(${mssql.literal(literal)})`
    : mssql.literal(literal)
}

function defaultBatches({ name, columns }: Table): string[] {
  return columns.flatMap(column => {
    const value =
      column.default?.kind === 'computed'
        ? mssql.computed[column.default.value]
        : column.default && valueText(column.default)
    return value === null
      ? []
      : [`ALTER TABLE [dbo].${bracketed(name)} ADD  DEFAULT (${value}) FOR ${bracketed(column.name)}`]
  })
}

function foreignKeyBatches({ name, foreignKeys }: Table): string[] {
  return foreignKeys.flatMap(key => {
    const list = (names: readonly string[]) => names.map(bracketed).join(', ')
    const action =
      key.onDelete === 'cascade' ? '\r\nON DELETE CASCADE' : key.onDelete === 'setNull' ? '\r\nON DELETE SET NULL' : ''
    const target = `REFERENCES [dbo].${bracketed(key.references.table)} (${list(key.references.columns)})${action}`
    return [
      `ALTER TABLE [dbo].${bracketed(name)}  WITH CHECK ADD  CONSTRAINT ${bracketed(key.name)} FOREIGN KEY(${list(key.columns)})\r\n${target}`,
      `ALTER TABLE [dbo].${bracketed(name)} CHECK CONSTRAINT ${bracketed(key.name)}`,
    ]
  })
}

function checkBatches(table: Table): string[] {
  const conditions = [
    ...table.columns.flatMap(column => typeCheck(column) ?? []),
    ...table.checks.map(({ column, values }) => listCheck(bracketed(column), values)),
  ]
  return conditions.flatMap(condition => [
    `ALTER TABLE [dbo].${bracketed(table.name)}  WITH CHECK ADD CHECK  ((${condition}))`,
  ])
}

function typeCheck({ name, type }: Column): string | undefined {
  const column = bracketed(name)
  if (type.kind === 'json') return `isjson((N'['+${column})+N']')=(1) AND isjson((N'{"v":'+${column})+N'}')=(1)`
  if ((type.kind === 'text' || type.kind === 'varchar') && type.isFixed)
    return `datalength(rtrim(${column}))/(2)=(${type.length})`
  return type.kind === 'text' && type.length !== undefined ? `datalength(${column})/(2)<=(${type.length})` : undefined
}

/** Values with trailing spaces are compared separately, as in our own scripts for SQL Server. */
function listCheck(column: string, values: readonly Literal[]): string {
  const padded = values.filter(({ value }) => String(value).endsWith(' '))
  const plain = values.filter(value => !padded.includes(value))
  const equals = plain.toReversed().map(value => `${column}=${valueText(value)}`)
  const listed = `${equals.length > 1 ? `(${equals.join(' OR ')})` : equals.join('')}`
  const isText = plain.some(({ kind }) => kind === 'text')
  const parts = plain.length === 0 ? [] : [isText ? `${listed} AND NOT ${column} like N'% '` : listed]
  const exact = padded.map(
    value => `${column}=${valueText(value)} AND datalength(${column})=(${String(value.value).length * 2})`,
  )
  return [...parts, ...exact].join(' OR ')
}

function commentBatches({ name, comment, columns }: Table): string[] {
  const property = (value: string, rest: string) =>
    `EXEC sys.sp_addextendedproperty @name=N'MS_Description', @value=${text(value)} , @level0type=N'SCHEMA',@level0name=N'dbo', @level1type=N'TABLE',@level1name=${text(name)}${rest}`
  return [
    ...(comment === '' ? [] : [property(comment, '')]),
    ...columns.flatMap(column =>
      column.comment === ''
        ? []
        : [property(column.comment, `, @level2type=N'COLUMN',@level2name=${text(column.name)}`)],
    ),
  ]
}
