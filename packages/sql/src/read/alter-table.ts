import { changeColumn, alterColumn, findColumn, modify } from './alter-column.ts'
import { columnDefinition, defaultOf, unenforced } from './column-definition.ts'
import type { Context } from './context.ts'
import { attachPartition, detachPartition, inherit } from './copies.ts'
import { isConstraint, isLeftOut, remarkStorage, tableConstraint } from './create-table.ts'
import { type Dropping, dropFromTable } from './drop.ts'
import { definePart } from './parts.ts'
import type { RawTable } from './read-schema.ts'
import { renameInTable } from './rename.ts'
import { isEnd, isSign, type Token } from './token.ts'

/** Applies an ALTER TABLE statement; the cursor is after its first two words. */
export function alterTable(context: Context, start: Token): void {
  const { cursor, schema } = context
  cursor.skipWords('IF', 'EXISTS')
  cursor.skipWords('ONLY')
  cursor.skipWords('IF', 'EXISTS')
  const parts = cursor.qualifiedName()
  cursor.skipSign('*')
  const table = schema.tables.find(parts)
  if (!table) {
    const name = context.quoted(parts.join('.'))
    const message = `${name} is altered but not created in the script: the change is ignored.`
    return context.waitFor('table', parts, { start, message, does: 'alter' })
  }
  context.attend(table)
  if (cursor.skipWords('WITH')) cursor.skipOne()
  let verb: Verb = null
  do {
    verb = action(context, table, { start, verb })
    cursor.skipItem()
  } while (cursor.skipSign(','))
}

/** The verb of an action, which some databases omit for the following items. */
type Verb = 'add' | Dropping | null

const ignoredActions = new Set(
  `OWNER ENABLE DISABLE CHECK NOCHECK REPLICA CLUSTER SET RESET FORCE NO VALIDATE AUTO_INCREMENT ENGINE CONVERT DEFAULT CHARACTER
  COLLATE ROW_FORMAT ORDER LOGGING NOLOGGING`.split(/\s+/),
)

function action(context: Context, table: RawTable, { start, verb }: { start: Token; verb: Verb }): Verb {
  const { cursor, dialect } = context
  const token = cursor.peek()
  if (cursor.skipWords('ADD') || (verb === 'add' && isAdded(context))) {
    add(context, table)
    return 'add'
  }
  if (cursor.skipWords('DROP')) return dropFromTable(context, table, null)
  if (verb !== null && verb !== 'add' && dialect === 'mssql') return dropFromTable(context, table, verb)
  const change = isEnd(token) ? undefined : changes[token.upper]
  const isOff = cursor.isWord('NOCHECK', 'DISABLE') && constraints.has(cursor.peek(1).upper)
  if (isOff) context.changed(context.lineOf(token), unenforced)
  else if (cursor.skipWords('ENABLE', 'ROW', 'LEVEL', 'SECURITY'))
    context.lost(context.lineOf(token), 'Row level security is not imported.', { name: table.name })
  else if (change) {
    cursor.take()
    change(context, table, start)
  } else if (!isEnd(token) && !ignoredActions.has(token.upper)) remarkChange(context, table, token)
  return null
}

function remarkChange(context: Context, table: RawTable, token: Token): void {
  context.cursor.skipItem()
  context.lost(
    context.lineOf(token),
    `Change ${context.quoted(context.textFrom(token))} of table ${context.quoted(table.name)} is not supported: it is ignored.`,
  )
}

/** The changes of a table by their first word. */
const changes: Readonly<Record<string, ((context: Context, table: RawTable, start: Token) => void) | undefined>> = {
  ALTER: alterColumn,
  MODIFY: modify,
  CHANGE: changeColumn,
  RENAME: renameInTable,
  COMMENT: ({ cursor }, table) => {
    cursor.skipSign('=')
    if (cursor.peek().kind === 'text') table.comment = cursor.take().value
  },
  ATTACH: (context, table, start) => {
    if (context.cursor.skipWords('PARTITION')) attachPartition(context, start, table)
  },
  DETACH: (context, table) => {
    if (context.cursor.skipWords('PARTITION')) detachPartition(context, table)
  },
  INHERIT: (context, table, start) => {
    const parts = context.cursor.qualifiedName()
    const parent = context.schema.tables.find(parts)
    const message = `${context.quoted(parts.join('.'))} is not created in the script: its columns are not inherited.`
    if (parent) inherit(context, table, parent)
    else context.waitFor('table', parts, { start, message })
  },
  SET: (context, table, start) => {
    const { cursor, schema } = context
    if (cursor.skipWords('SCHEMA')) schema.rename(table, { schema: cursor.name() })
    else if (cursor.skipWords('UNUSED')) dropFromTable(context, table, 'column')
    else if (cursor.isSign('(') || cursor.isWord('TABLESPACE')) remarkStorage(context, table, start)
  },
}

const constraints = new Set(['CONSTRAINT', 'PRIMARY', 'UNIQUE'])

/** After ADD, SQL Server adds every further item of the list. */
function isAdded(context: Context): boolean {
  return context.dialect === 'mssql' || isConstraint(context) || context.cursor.isWord('DEFAULT')
}

function add(context: Context, table: RawTable): void {
  const { cursor } = context
  cursor.skipWords('COLUMN')
  const isGuarded = cursor.skipWords('IF', 'NOT', 'EXISTS')
  const isList = cursor.skipSign('(')
  do {
    addItem(context, table, isGuarded)
    if (isList) cursor.skipItem()
  } while (isList && cursor.skipSign(','))
  if (isList) cursor.expectSign(')')
}

function addItem(context: Context, table: RawTable, isGuarded: boolean): void {
  const { cursor } = context
  const start = cursor.peek()
  const [second, third] = [cursor.peek(1), cursor.peek(2)]
  const isDefault =
    start.upper === 'DEFAULT' || (start.upper === 'CONSTRAINT' && third.upper === 'DEFAULT' && second.kind !== 'sign')
  if (isDefault) defaultFor(context, table)
  else if (cursor.isWord('PARTITION') && (second.kind !== 'sign' || isSign(second, '('))) {
    cursor.skipItem()
    context.lost(
      context.lineOf(start),
      `Partition ${context.quoted(context.textFrom(start))} of table ${context.quoted(table.name)} is ignored.`,
    )
  } else if (isConstraint(context)) tableConstraint(context, table)
  else if (!isLeftOut(context, table, '')) {
    const column = columnDefinition(context, table, isGuarded)
    if (!column) return
    for (const heir of context.heirsOf(table)) {
      if (!heir.column(column.name)) heir.addColumn({ ...column })
    }
  }
}

/** `CONSTRAINT name DEFAULT (value) FOR column`. */
function defaultFor(context: Context, table: RawTable): void {
  const { cursor } = context
  const line = context.lineOf(cursor.peek())
  const name = cursor.skipWords('CONSTRAINT') ? cursor.name() : ''
  cursor.expectWord('DEFAULT')
  const value = defaultOf(context)
  cursor.expectWord('FOR')
  const column = findColumn(context, table)
  if (!column) return
  column.default = value
  if (name === '') return
  definePart(context, table, {
    kind: 'default',
    name,
    line,
    columns: [column.name],
    message: '',
    thing: 'default',
    tokens: [],
  })
}
