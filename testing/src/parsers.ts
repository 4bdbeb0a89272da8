import { type ast, Dialect, parse } from '@polyglot-sql/sdk'
import { Catalogue } from './sql-catalogue.ts'
import { type CheckedDialect, readType } from './sql-types.ts'
import { MSSQL, ORACLE, quotedPieces, type ScriptStyle, splitStatements } from './statements.ts'

// Oracle and SQL Server are not available on test machines. The checker parses a script with a parser for their grammar
// and, as that parser is lenient, applies the script to a catalogue that checks types, names, keys, references and
// further rules of these databases.

export type { CheckedDialect } from './sql-types.ts'

type Expression = ast.Expression
type Node<K extends string> = Extract<Expression, Record<K, unknown>>[K]
type CreateTable = Node<'create_table'>
type ColumnDef = CreateTable['columns'][number]
type TableConstraint = CreateTable['constraints'][number]
type ForeignKey = Extract<TableConstraint, { ForeignKey: unknown }>['ForeignKey']

const GRAMMARS: Record<CheckedDialect, { style: ScriptStyle; name: Dialect; longestText: number }> = {
  oracle: { style: ORACLE, name: Dialect.Oracle, longestText: 4000 },
  mssql: { style: MSSQL, name: Dialect.TSQL, longestText: 8000 },
}
const DATA_STATEMENTS = ['select', 'insert', 'update', 'delete', 'merge', 'union']

/** The problems of a script that the database would report, each with its statement. */
export function checkScript(script: string, dialect: CheckedDialect): string[] {
  const catalogue = new Catalogue(dialect)
  return splitStatements(script, GRAMMARS[dialect].style).flatMap(statement =>
    checkStatement(statement, dialect, catalogue).map(problem => `${problem}\nin: ${statement}`),
  )
}

function checkStatement(statement: string, dialect: CheckedDialect, catalogue: Catalogue): string[] {
  const spelling = spellingProblems(statement, dialect)
  const result = parse(statement, GRAMMARS[dialect].name)
  if (!result.success) return [...spelling, String(result.error)]
  const [node, ...others] = result.ast
  if (node === undefined || others.length > 0) return [...spelling, 'This is not one statement.']
  return [...spelling, ...checkNode(node, statement, dialect, catalogue)]
}

/** Problems that the parser ignores: quotes of other databases, superfluous commas, texts that are too long. */
function spellingProblems(statement: string, dialect: CheckedDialect): string[] {
  const { style, longestText } = GRAMMARS[dialect]
  const { rest, quoted } = quotedPieces(statement, style)
  const long = quoted.filter(piece => piece.startsWith("'") && Buffer.byteLength(piece) - 2 > longestText)
  return [
    ...(rest.includes('`') ? ['A backtick is no quote here.'] : []),
    ...(/,\s*\)/.test(rest) ? ['There is a comma before a closing parenthesis.'] : []),
    ...(/\bNOT\s*(?:[,)]|$)/i.test(rest) ? ['NOT stands alone.'] : []),
    ...long.map(() => `A text is longer than ${longestText} bytes.`),
  ]
}

function checkNode(node: Expression, statement: string, dialect: CheckedDialect, catalogue: Catalogue): string[] {
  if ('create_table' in node) return checkTable(node.create_table, statement, dialect, catalogue)
  if ('create_index' in node) {
    const { name, table, columns } = node.create_index
    return catalogue.addIndex(
      name.name,
      table.name.name,
      columns.every(({ column }) => column.name === '?')
        ? expressionColumns(statement)
        : columns.map(({ column }) => column.name),
      columns.flatMap(({ column, desc }) => (desc ? [column.name] : [])),
    )
  }
  if ('alter_table' in node) return checkAlter(node.alter_table, catalogue)
  if ('comment' in node && dialect === 'oracle') return checkComment(statement, catalogue)
  if ('execute' in node && dialect === 'mssql') return checkProcedure(statement, catalogue)
  if (dialect === 'oracle' && /^LOCK\s+TABLE\s+"[^"]+"\s+IN\s+EXCLUSIVE\s+MODE$/i.test(statement)) return []
  if (dialect === 'mssql' && /^SET\s+QUOTED_IDENTIFIER\s+ON$/i.test(statement)) return []
  const [kind = 'nothing'] = Object.keys(node)
  return DATA_STATEMENTS.includes(kind) ? [] : [`A statement ${kind.replaceAll('_', ' ')} is not understood.`]
}

/** The columns of an index of `CASE WHEN … THEN "a" END`, of which the parser gives only a question mark each. */
function expressionColumns(statement: string): string[] {
  return Array.from(statement.matchAll(/ THEN "([^"]*)" END(?=, CASE|\)$)/g), ([, name = '']) => name)
}

function checkTable(node: CreateTable, statement: string, dialect: CheckedDialect, catalogue: Catalogue): string[] {
  const name = node.name.name.name
  const characters = Array.from(statement)
  const types = node.columns.map(column => readType(typeText(characters, column), dialect))
  const inKey = new Set(
    node.constraints.flatMap(one => ('PrimaryKey' in one ? one.PrimaryKey.columns : [])).map(c => c.name),
  )
  const columns = node.columns.map((column, at) => ({
    name: column.name.name,
    type: types[at]?.type ?? { text: '', indexable: false },
    // A column of the primary key without NULL becomes NOT NULL.
    nullable:
      column.nullable ??
      !(column.primary_key || inKey.has(column.name.name) || column.constraint_order.includes('NotNull')),
  }))
  const primary = node.columns.filter(column => column.primary_key).length + (inKey.size > 0 ? 1 : 0)
  return [
    ...types.flatMap(({ problems }) => problems),
    ...(primary > 1 ? [`${name} has more than one primary key.`] : []),
    ...(node.columns.filter(isIdentity).length > 1 ? [`${name} has more than one identity column.`] : []),
    ...node.columns
      .filter(column => column.constraint_order.includes('References'))
      .map(column => `${column.name.name}: a reference in a column is not understood.`),
    ...(node.if_not_exists ? ['IF NOT EXISTS does not exist.'] : []),
    ...((node.mysql_table_options ?? []).length > 0 ? ['Options follow the table that do not exist.'] : []),
    ...node.columns.flatMap(column => columnProblems(column, dialect)),
    ...catalogue.addTable(name, columns),
    ...node.columns.flatMap(column => [
      ...(column.primary_key ? catalogue.addKey(name, [column.name.name], true) : []),
      ...(column.unique ? catalogue.addKey(name, [column.name.name], false) : []),
    ]),
    ...node.constraints.flatMap(constraint => checkConstraint(name, constraint, catalogue)),
  ]
}

function columnProblems(column: ColumnDef, dialect: CheckedDialect): string[] {
  const name = column.name.name
  const standard = column.constraint_order.includes('GeneratedAsIdentity')
  if (dialect === 'mssql') return standard ? [`${name}: an identity is written IDENTITY(1,1).`] : []
  const late = column.constraint_order.findIndex(kind => kind === 'Default' || kind === 'GeneratedAsIdentity')
  return [
    ...(column.auto_increment && !standard ? [`${name}: an identity is written GENERATED … AS IDENTITY.`] : []),
    ...(late > 0 ? [`${name}: a default stands before the constraints (ORA-00907).`] : []),
  ]
}

function checkAlter(node: Node<'alter_table'>, catalogue: Catalogue): string[] {
  const table = node.name.name.name
  if (!catalogue.has(table)) return [`There is no table ${table}.`]
  return node.actions.flatMap(action =>
    'AddConstraint' in action
      ? checkConstraint(table, action.AddConstraint, catalogue)
      : ['This change of a table is not understood.'],
  )
}

function checkConstraint(table: string, constraint: TableConstraint, catalogue: Catalogue): string[] {
  if ('PrimaryKey' in constraint) return checkKey(table, constraint.PrimaryKey, true, catalogue)
  if ('Unique' in constraint) return checkKey(table, constraint.Unique, false, catalogue)
  if ('ForeignKey' in constraint) return checkForeignKey(table, constraint.ForeignKey, catalogue)
  if ('Check' in constraint) return catalogue.addName('constraint', constraint.Check.name?.name)
  return [`A constraint ${Object.keys(constraint).join()} does not exist.`]
}

function checkKey(
  table: string,
  key: { name: { name: string } | null; columns: readonly { name: string }[] },
  primary: boolean,
  catalogue: Catalogue,
): string[] {
  const columns = key.columns.map(({ name }) => name)
  return [...catalogue.addName('constraint', key.name?.name), ...catalogue.addKey(table, columns, primary)]
}

function checkForeignKey(table: string, { name, columns, references }: ForeignKey, catalogue: Catalogue): string[] {
  if (references === null) return [`A foreign key of ${table} refers to nothing.`]
  return [
    ...catalogue.addName('constraint', name?.name),
    ...catalogue.addReference({
      from: table,
      to: references.table.name.name,
      columns: columns.map(column => column.name),
      toColumns: references.columns.map(column => column.name),
      onDelete: references.on_delete,
      onUpdate: references.on_update,
    }),
  ]
}

/** The parser drops the quotes of a commented name, so the statement is read here. */
function checkComment(statement: string, catalogue: Catalogue): string[] {
  const { quoted } = quotedPieces(statement, ORACLE)
  const [table, column] = quoted
    .filter(piece => piece.startsWith('"'))
    .map(piece => piece.slice(1, -1).replaceAll('""', '"'))
  const exists =
    table !== undefined && catalogue.has(table, /^COMMENT\s+ON\s+COLUMN/i.test(statement) ? (column ?? '') : undefined)
  return exists ? [] : ['What is commented is not there.']
}

function checkProcedure(statement: string, catalogue: Catalogue): string[] {
  if (!/^EXEC(UTE)?\s+(sys\.)?sp_addextendedproperty\b/i.test(statement))
    return ['Only sp_addextendedproperty is understood.']
  const value = (name: string): string | undefined =>
    new RegExp(`@${name}\\s*=\\s*N?'((?:[^']|'')*)'`, 'i').exec(statement)?.[1]?.replaceAll("''", "'")
  const table = value('level1name')
  const exists = table !== undefined && catalogue.has(table, value('level2name'))
  return exists ? [] : ['What is described is not there.']
}

function isIdentity(column: ColumnDef): boolean {
  return column.auto_increment || column.constraint_order.includes('GeneratedAsIdentity')
}

/** Longer than any type with its arguments. */
const longestType = 200

/** The statement after a column's name; positions count code points. */
function typeText(characters: readonly string[], column: ColumnDef): string {
  const start = column.name.span?.end ?? 0
  return characters.slice(start, start + longestType).join('')
}
