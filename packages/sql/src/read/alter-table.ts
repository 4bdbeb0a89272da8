import {
  columnDefinition,
  columnOptions,
  defaultExpression,
  defaultOf,
  rawType,
  remarkUnsupportedDefault,
  unenforced,
} from './column-definition.ts'
import type { Context } from './context.ts'
import { isConstraint, isLeftOut, tableConstraint } from './create-table.ts'
import type { RawColumn, RawTable } from './read-schema.ts'
import { isEnd, type Token } from './token.ts'

/** Applies an ALTER TABLE statement; the cursor is after its first two words. */
export function alterTable(context: Context, start: Token): void {
  const { cursor, schema } = context
  cursor.skipWords('IF', 'EXISTS')
  cursor.skipWords('ONLY')
  cursor.skipWords('IF', 'EXISTS')
  const parts = cursor.qualifiedName()
  const table = schema.find(parts)
  if (!table) {
    const name = context.quoted(parts.join('.'))
    return context.lost(
      context.lineOf(start),
      `${name} is altered but not created in the script: the change is ignored.`,
    )
  }
  if (cursor.skipWords('WITH')) cursor.skipOne()
  let isAdding = false
  do {
    isAdding = action(context, table, isAdding)
    cursor.skipItem()
  } while (cursor.skipSign(','))
}

const ignoredActions = new Set(
  `OWNER ENABLE DISABLE CHECK NOCHECK REPLICA CLUSTER SET RESET FORCE NO VALIDATE AUTO_INCREMENT ENGINE CONVERT DEFAULT CHARACTER
  COLLATE ROW_FORMAT ORDER LOGGING NOLOGGING`.split(/\s+/),
)

/** Applies one action. Returns true after ADD, whose keyword Oracle and SQL Server omit for the following items. */
function action(context: Context, table: RawTable, wasAdding: boolean): boolean {
  const { cursor } = context
  const token = cursor.peek()
  if (cursor.skipWords('ADD') || (wasAdding && isAdded(context))) {
    add(context, table)
    return true
  }
  const isOff = cursor.isWord('NOCHECK', 'DISABLE') && constraints.has(cursor.peek(1).upper)
  if (isOff) context.changed(context.lineOf(token), unenforced)
  else if (cursor.skipWords('ALTER')) alterColumn(context, table)
  else if (cursor.skipWords('MODIFY')) modify(context, table)
  else if (cursor.skipWords('COMMENT')) {
    cursor.skipSign('=')
    if (cursor.peek().kind === 'text') table.comment = cursor.take().value
  } else if (!isEnd(token) && (!ignoredActions.has(token.upper) || cursor.peek(1).upper === 'SCHEMA')) {
    context.lost(context.lineOf(token), `Table change ${context.quoted(token.value)} is not supported: it is ignored.`)
  }
  return false
}

const constraints = new Set(['CONSTRAINT', 'PRIMARY', 'UNIQUE'])

/** After ADD, SQL Server adds every further item of the list. */
function isAdded(context: Context): boolean {
  return context.dialect === 'mssql' || isConstraint(context) || context.cursor.isWord('DEFAULT')
}

function add(context: Context, table: RawTable): void {
  const { cursor } = context
  cursor.skipWords('COLUMN')
  cursor.skipWords('IF', 'NOT', 'EXISTS')
  const isList = cursor.skipSign('(')
  do {
    const start = cursor.peek()
    const [second, third] = [cursor.peek(1), cursor.peek(2)]
    if (
      start.upper === 'DEFAULT' ||
      (start.upper === 'CONSTRAINT' && third.upper === 'DEFAULT' && second.kind !== 'sign')
    ) {
      defaultFor(context, table)
    } else if (cursor.isWord('PARTITION')) {
      context.lost(context.lineOf(start), 'A partition is ignored.')
      cursor.skipItem()
    } else if (isConstraint(context)) tableConstraint(context, table)
    else if (!isLeftOut(context)) columnDefinition(context, table)
    if (isList) cursor.skipItem()
  } while (isList && cursor.skipSign(','))
  if (isList) cursor.expectSign(')')
}

/** `CONSTRAINT name DEFAULT (value) FOR column`. */
function defaultFor(context: Context, table: RawTable): void {
  const { cursor } = context
  const line = context.lineOf(cursor.peek())
  if (cursor.skipWords('CONSTRAINT')) cursor.name()
  cursor.expectWord('DEFAULT')
  const value = defaultExpression(context)
  cursor.expectWord('FOR')
  const column = findColumn(context, table)
  if (!column) return
  column.default = value
  if (value === null) remarkUnsupportedDefault(context, { name: column.name, line })
}

/** Reads a column name; reports it and returns undefined if the table has no such column. */
function findColumn(context: Context, table: RawTable): RawColumn | undefined {
  const token = context.cursor.peek()
  const name = context.cursor.name()
  const column = context.schema.column(table, name)
  if (!column) {
    context.lost(context.lineOf(token), `Table ${context.quoted(table.name)} has no column ${context.quoted(name)}.`)
  }
  return column
}

/** `ALTER COLUMN name SET DEFAULT value` and the like, or a new type. */
function alterColumn(context: Context, table: RawTable): void {
  const { cursor } = context
  cursor.skipWords('COLUMN')
  const token = cursor.peek()
  const column = findColumn(context, table)
  if (!column) return
  if (cursor.skipWords('SET', 'DEFAULT')) column.default = defaultOf(context, column)
  else if (cursor.skipWords('DROP', 'DEFAULT')) column.default = null
  else if (cursor.skipWords('SET', 'NOT', 'NULL')) column.nullable = false
  else if (cursor.skipWords('DROP', 'NOT', 'NULL')) column.nullable = true
  else if (cursor.skipWords('ADD')) columnOptions(context, table, column)
  else if (cursor.skipWords('TYPE') || cursor.skipWords('SET', 'DATA', 'TYPE')) column.type = rawType(context)
  else if (cursor.isWord('SET', 'RESET', 'RESTART', 'DROP')) {
    const isReported = !cursor.skipWords('SET', 'STATISTICS') && !cursor.skipWords('SET', 'STORAGE')
    if (isReported)
      context.lost(
        context.lineOf(token),
        `A change of column ${context.quoted(column.name)} is not supported: it is ignored.`,
      )
  } else {
    // Without NOT NULL, ALTER COLUMN makes the column nullable.
    column.nullable = true
    redefine(context, table, column)
  }
}

/** `MODIFY name type …`: MySQL replaces the whole definition, other databases only the clauses given. */
function modify(context: Context, table: RawTable): void {
  const { cursor } = context
  cursor.skipWords('COLUMN')
  const isList = cursor.skipSign('(')
  do {
    const column = findColumn(context, table)
    if (column && context.dialect === 'mysql')
      Object.assign(column, { nullable: true, default: null, comment: '', identity: false })
    if (column) redefine(context, table, column)
    cursor.skipItem()
  } while (isList && cursor.skipSign(','))
  if (isList) cursor.expectSign(')')
}

function redefine(context: Context, table: RawTable, column: RawColumn): void {
  const { cursor } = context
  const isOption = cursor.isWord('NOT', 'NULL', 'DEFAULT', 'CONSTRAINT', 'CHECK')
  if (!cursor.isItemEnd() && !isOption) column.type = rawType(context)
  columnOptions(context, table, column)
}
