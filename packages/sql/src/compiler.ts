import { rowCondition } from './condition-sql.ts'
import { defaultText, type Dialect, tableName } from './dialect.ts'
import type { Check, ChoiceType, Column, ForeignKey, Key, ReferentialAction, RowCheck, Schema, Table } from './tree.ts'

/** The statements of an adapted schema, without semicolons, in the order of execution. */
export type Statements = {
  preamble: readonly string[]
  tables: readonly string[]
  indexes: readonly string[]
  foreignKeys: readonly string[]
  comments: readonly string[]
}

/**
 * Writes a schema with names and types of the database (see `adaptSchema`) as SQL. Foreign keys follow all tables, so
 * that cycles are possible.
 */
export function compileSchema({ tables }: Schema, dialect: Dialect): Statements {
  const [created, indexes, foreignKeys, comments]: [string[], string[], string[], string[]] = [[], [], [], []]
  for (const table of tables) {
    created.push(createTable(table, dialect))
    indexes.push(...createIndexes(table, dialect))
    foreignKeys.push(...addForeignKeys(table, dialect))
    comments.push(...dialect.comments(table))
  }
  return { preamble: dialect.preamble(tables), tables: created, indexes, foreignKeys, comments }
}

const actionNames: Record<Exclude<ReferentialAction, 'noAction'>, string> = {
  restrict: 'RESTRICT',
  cascade: 'CASCADE',
  setNull: 'SET NULL',
}

export function createTable(table: Table, dialect: Dialect): string {
  const lines = table.columns.map(column => columnLine(column, dialect))
  if (table.primaryKey) lines.push(keyLine('PRIMARY KEY', table.primaryKey, dialect))
  for (const unique of table.uniques) lines.push(keyLine('UNIQUE', unique, dialect))
  for (const check of table.checks) lines.push(checkLine(check, dialect))
  for (const check of table.conditions ?? []) lines.push(conditionLine(check, dialect))
  if (dialect.foreignKeysInTable) for (const key of table.foreignKeys) lines.push(foreignKeyText(key, dialect))
  return `CREATE TABLE ${tableName(dialect, table.name)} (\n  ${lines.join(',\n  ')}\n)${dialect.tableSuffix(table)}`
}

export function columnLine(column: Column, dialect: Dialect): string {
  const name = dialect.quote(column.name)
  const check = column.unchecked ? null : dialect.typeCheck(name, column.type)
  const sequence = column.sequence === undefined ? '' : ` (SEQUENCE NAME ${dialect.quote(column.sequence)})`
  const identity = column.identity && dialect.identity !== '' ? ` ${dialect.identity}${sequence}` : ''
  const { generatedType } = dialect
  const usual = column.choices ? choiceType(column.choices, dialect) : dialect.typeName(column.type)
  const type = column.identity && generatedType ? generatedType(column.type) : usual
  const value = column.default ? ` DEFAULT ${defaultText(dialect, column.default, column.type)}` : ''
  const required = column.nullable ? dialect.nullable : ' NOT NULL'
  const condition = check === null ? '' : ` CHECK (${check})`
  return `${name} ${type}${identity}${value}${required}${dialect.columnSuffix(column)}${condition}`
}

/** The name of the type, or its values. */
function choiceType({ name, values }: ChoiceType, dialect: Dialect): string {
  if (name !== null) return tableName(dialect, name)
  return `ENUM(${values.map(value => dialect.literal(value)).join(', ')})`
}

export function keyLine(kind: 'PRIMARY KEY' | 'UNIQUE', key: Key, dialect: Dialect): string {
  return `CONSTRAINT ${dialect.quote(key.name)} ${kind} (${columnList(key.columns, dialect)})`
}

export function checkLine(check: Check, dialect: Dialect): string {
  return `CONSTRAINT ${dialect.quote(check.name)} CHECK (${dialect.isOneOf(dialect.quote(check.column), check.values)})`
}

export function conditionLine({ name, condition }: RowCheck, dialect: Dialect): string {
  return `CONSTRAINT ${dialect.quote(name)} CHECK (${rowCondition(condition, dialect) ?? '1 = 1'})`
}

export function createIndexes({ name, indexes }: Pick<Table, 'name' | 'indexes'>, dialect: Dialect): string[] {
  const table = tableName(dialect, name)
  const statements = indexes.map(index => {
    const columns = index.columns.map(column => dialect.quote(column))
    const kind = index.unique ? 'UNIQUE INDEX' : 'INDEX'
    const target = `(${dialect.indexColumns(index, columns).join(', ')})${dialect.indexSuffix(index, columns)}`
    const place = dialect.addsKeysOneByOne ? `ON ${table} ` : ''
    return `${dialect.addsKeysOneByOne ? 'CREATE' : 'ADD'} ${kind} ${dialect.quote(index.name)} ${place}${target}`
  })
  return dialect.addsKeysOneByOne ? statements : alterTable(table, statements)
}

export function addForeignKeys({ name, foreignKeys }: Pick<Table, 'name' | 'foreignKeys'>, dialect: Dialect): string[] {
  if (dialect.foreignKeysInTable || foreignKeys.length === 0) return []
  const table = tableName(dialect, name)
  const additions = foreignKeys.map(key => `ADD ${foreignKeyText(key, dialect)}`)
  return dialect.addsKeysOneByOne
    ? additions.map(addition => `ALTER TABLE ${table} ${addition}`)
    : alterTable(table, additions)
}

function alterTable(name: string, changes: readonly string[]): string[] {
  if (changes.length < 2) return changes.map(change => `ALTER TABLE ${name} ${change}`)
  return [`ALTER TABLE ${name}\n  ${changes.join(',\n  ')}`]
}

export function foreignKeyText(key: ForeignKey, dialect: Dialect): string {
  const { table, columns } = key.references
  const action = key.onDelete === 'noAction' ? '' : ` ON DELETE ${actionNames[key.onDelete]}`
  const { onUpdate = 'noAction' } = key
  const update = onUpdate === 'noAction' ? '' : ` ON UPDATE ${actionNames[onUpdate]}`
  return (
    `CONSTRAINT ${dialect.quote(key.name)} FOREIGN KEY (${columnList(key.columns, dialect)})` +
    ` REFERENCES ${tableName(dialect, table)} (${columnList(columns, dialect)})${action}${update}`
  )
}

function columnList(columns: readonly string[], dialect: Dialect): string {
  const [first = ''] = columns
  if (columns.length === 1) return dialect.quote(first)
  return columns.map(column => dialect.quote(column)).join(', ')
}
