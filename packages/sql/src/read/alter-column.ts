import { columnOptions, defaultOf, rawType } from './column-definition.ts'
import type { Context } from './context.ts'
import type { RawColumn, RawTable } from './read-schema.ts'

/** Reads a column name; reports it and returns undefined if the table has no such column. */
export function findColumn(context: Context, table: RawTable): RawColumn | undefined {
  const token = context.cursor.peek()
  const name = context.cursor.name()
  const column = table.column(name)
  if (!column)
    context.lost(context.lineOf(token), `Table ${context.quoted(table.name)} has no column ${context.quoted(name)}.`)
  return column
}

/** `ALTER COLUMN name SET DEFAULT value` and the like, or a new type; the cursor is after ALTER. */
export function alterColumn(context: Context, table: RawTable): void {
  const { cursor } = context
  if (cursor.isWord('INDEX', 'CONSTRAINT', 'CHECK') && cursor.peek(1).kind !== 'sign') return
  cursor.skipWords('COLUMN')
  const column = findColumn(context, table)
  if (!column) return
  const type = column.type
  change(context, table, column)
  if (column.type === type) return
  for (const heir of context.heirsOf(table)) {
    const inherited = heir.column(column.name)
    if (inherited) inherited.type = column.type
  }
}

function change(context: Context, table: RawTable, column: RawColumn): void {
  const { cursor } = context
  const token = cursor.peek()
  if (cursor.skipWords('SET', 'DEFAULT')) column.default = defaultOf(context)
  else if (cursor.skipWords('DROP', 'DEFAULT')) column.default = null
  else if (cursor.skipWords('SET', 'NOT', 'NULL')) column.nullable = false
  else if (cursor.skipWords('SET', 'NULL') || cursor.skipWords('DROP', 'NOT', 'NULL')) column.nullable = true
  else if (cursor.skipWords('DROP', 'IDENTITY')) column.identity = false
  else if (cursor.skipWords('RENAME', 'TO')) table.renameColumn(column, cursor.name())
  else if (cursor.skipWords('ADD')) columnOptions(context, table, column)
  else if (cursor.skipWords('TYPE') || cursor.skipWords('SET', 'DATA', 'TYPE')) column.type = rawType(context)
  else if (cursor.isWord('SET', 'RESET', 'RESTART', 'DROP')) {
    const isReported = !unimportant.has(cursor.peek(1).upper)
    cursor.skipItem()
    if (isReported)
      context.lost(
        context.lineOf(token),
        `Change ${context.quoted(context.textFrom(token))} of column ${context.quoted(column.name)} is not supported: it is ignored.`,
      )
  } else {
    // Without NOT NULL, ALTER COLUMN makes the column nullable.
    column.nullable = true
    redefine(context, table, column)
  }
}

/** Properties of a column that models do not need. */
const unimportant = new Set('STATISTICS STORAGE COMPRESSION GENERATED CACHE INCREMENT START WITH'.split(' '))

/** `MODIFY name type …`: MySQL replaces the whole definition, other databases only the clauses given. */
export function modify(context: Context, table: RawTable): void {
  const { cursor } = context
  if (cursor.isWord('CONSTRAINT', 'PRIMARY', 'PARTITION') && cursor.peek(1).kind !== 'sign') return
  cursor.skipWords('COLUMN')
  cursor.skipWords('IF', 'EXISTS')
  const isList = cursor.skipSign('(')
  do {
    const column = findColumn(context, table)
    if (column) replace(context, table, column)
    cursor.skipItem()
  } while (isList && cursor.skipSign(','))
  if (isList) cursor.expectSign(')')
}

/** `CHANGE old new type …`; the cursor is after CHANGE. */
export function changeColumn(context: Context, table: RawTable): void {
  const { cursor } = context
  cursor.skipWords('COLUMN')
  cursor.skipWords('IF', 'EXISTS')
  const column = findColumn(context, table)
  if (!column) return
  table.renameColumn(column, cursor.name())
  replace(context, table, column)
}

function replace(context: Context, table: RawTable, column: RawColumn): void {
  if (context.dialect === 'mysql')
    Object.assign(column, { nullable: true, default: null, comment: '', identity: false })
  redefine(context, table, column)
  if (table.primaryKey?.columns.includes(column) === true) column.nullable = false
}

function redefine(context: Context, table: RawTable, column: RawColumn): void {
  const { cursor } = context
  const isOption = cursor.isWord('NOT', 'NULL', 'DEFAULT', 'CONSTRAINT', 'CHECK')
  if (!cursor.isItemEnd() && !isOption) column.type = rawType(context)
  columnOptions(context, table, column)
}
