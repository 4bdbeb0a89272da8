import type { ScriptDialect } from '../database-kind.ts'
import { databases } from '../databases.ts'
import { alterTable } from './alter-table.ts'
import { rawType } from './column-definition.ts'
import { commentOn, extendedProperty } from './comments.ts'
import type { Context } from './context.ts'
import { createTable, temporary } from './create-table.ts'
import { parseExpression } from './expression-parser.ts'
import { keyColumns, remarkPrefix } from './keys.ts'
import { isEnd, isSign, shown, type Token } from './token.ts'

/** Reads all statements of a script; unknown ones become remarks. */
export function readStatements(context: Context): void {
  const { cursor } = context
  for (let token = cursor.peek(); token.kind !== 'end'; token = cursor.peek()) {
    cursor.take()
    if (isEnd(token) || isCommand(context, token) || skipBranch(context, token)) continue
    statement(context, token)
    cursor.skipStatement()
  }
  for (const { at, value } of cursor.inner.unread) {
    const what = `'${value.toUpperCase()} TABLE …'`
    context.lost(context.lineOf({ at }), `${what} is inside another statement: it is ignored.`)
  }
}

/** Statements of SQL Server that may follow a condition. */
const branchStatements = new Set(
  'CREATE ALTER DROP EXEC EXECUTE SET INSERT UPDATE DELETE MERGE TRUNCATE SELECT PRINT BEGIN RETURN DECLARE'.split(' '),
)

/** Skips a control-flow word of SQL Server with its condition; returns false if there is none. */
function skipBranch({ cursor, dialect }: Context, { upper }: Token): boolean {
  if (dialect !== 'mssql' || !branches.has(upper)) return false
  if (upper === 'BEGIN' && cursor.isWord('TRAN', 'TRANSACTION', 'DISTRIBUTED')) return false
  if (upper === 'BEGIN' || upper === 'END') void (cursor.skipWords('TRY') || cursor.skipWords('CATCH'))
  if (upper !== 'IF' && upper !== 'WHILE') return true
  while (!isEnd(cursor.peek()) && !cursor.isWord(...branchStatements)) {
    cursor.skipOne()
  }
  return true
}

const branches = new Set(['IF', 'ELSE', 'WHILE', 'BEGIN', 'END'])

/** Skips a command of a command-line tool. */
function isCommand({ cursor, dialect }: Context, start: Token): boolean {
  if (!start.first) return false
  const { lineCommands }: ScriptDialect = databases[dialect].read
  if (lineCommands && (lineCommands.has(start.upper) || start.value.startsWith('@'))) {
    cursor.skipLine(start)
    return true
  }
  if (dialect !== 'mysql' || start.upper !== 'USE') return false
  cursor.take()
  return true
}

/** Statements without effect on a schema, or with one that models do not need. */
const ignoredStatements = new Set(
  `SET USE LOCK UNLOCK BEGIN COMMIT START ROLLBACK ANALYZE VACUUM GRANT REVOKE PRINT IF END SELECT PROMPT SPOOL WHENEVER EXIT
  CHECKPOINT DECLARE DENY DISCARD RESET`.split(/\s+/),
)
const rows = new Set('INSERT UPDATE DELETE MERGE REPLACE COPY LOAD TRUNCATE'.split(' '))

function statement(context: Context, start: Token): void {
  const { cursor } = context
  switch (start.upper) {
    case 'CREATE':
      return create(context, start)
    case 'ALTER':
      return alter(context, start)
    case 'COMMENT':
      return commentOn(context, start)
    case 'EXEC':
    case 'EXECUTE':
      return extendedProperty(context, start)
  }
  if (start.upper === 'DROP') return drop(context, start)
  if (ignoredStatements.has(start.upper)) return
  if (!rows.has(start.upper)) return unknown(context, start)
  context.remarkOnce({ line: context.lineOf(start), kind: 'note', message: 'Table rows are not imported.' })
  if (start.upper !== 'COPY') return
  let isInline = false
  for (; !isEnd(cursor.peek()); cursor.take()) isInline = cursor.isWord('STDIN')
  if (isInline || cursor.isSign(';')) cursor.skipRows()
}

const modifiers = new Set(
  `OR REPLACE EDITIONABLE NONEDITIONABLE GLOBAL LOCAL TEMPORARY TEMP UNLOGGED MEMORY CACHED TEXT FOREIGN EXTERNAL PRIVATE IMMUTABLE UNIQUE CLUSTERED NONCLUSTERED
  BITMAP FULLTEXT SPATIAL`.split(/\s+/),
)
const ignoredObjects = new Set(
  'SEQUENCE SCHEMA DATABASE EXTENSION USER ROLE LOGIN TABLESPACE PUBLICATION SUBSCRIPTION SYNONYM COLLATION'.split(' '),
)
/** Objects that contain statements. */
const routines = new Set('VIEW FUNCTION PROCEDURE PROC TRIGGER PACKAGE'.split(' '))

const externalTable = 'A foreign or external table is imported as an ordinary one.'
const remarkedTables = [
  ['TEMPORARY', temporary],
  ['TEMP', temporary],
  ['FOREIGN', externalTable],
  ['EXTERNAL', externalTable],
] as const

function create(context: Context, start: Token): void {
  const { cursor } = context
  const before = new Set<string>()
  while (modifiers.has(cursor.peek().upper)) before.add(cursor.take().upper)
  if (cursor.skipWords('TABLE')) {
    cursor.inner.markRead(start)
    const remarked = remarkedTables.find(([word]) => before.has(word))
    if (remarked) context.changed(context.lineOf(start), remarked[1])
    return createTable(context, start)
  }
  if (cursor.skipWords('INDEX')) return createIndex(context, start, [...before])
  if (cursor.skipWords('TYPE')) return createType(context, start)
  if (cursor.skipWords('DOMAIN')) return namedType(context, start, cursor.qualifiedName())
  if (ignoredObjects.has(cursor.peek().upper)) return
  unknown(context, start)
  const isRoutine = routines.has(cursor.peek().upper) && cursor.peek().upper !== 'VIEW'
  const isBatch =
    context.dialect === 'mssql' ? routines.has(cursor.peek().upper) : context.dialect === 'oracle' && isRoutine
  if (isBatch || cursor.isDelimited) cursor.skipBatch()
}

/** `CREATE TYPE name AS ENUM ('a', 'b')`, `CREATE TYPE name FROM varchar(9)` and, in HSQLDB, `AS VARCHAR(9)`. */
function createType(context: Context, start: Token): void {
  const { cursor } = context
  const name = cursor.qualifiedName()
  const isAlias = cursor.isWord('FROM') || (context.dialect === 'hsql' && cursor.isWord('AS'))
  if (isAlias) return namedType(context, start, name)
  if (!cursor.skipWords('AS', 'ENUM')) return unknown(context, start, 'TYPE')
  const values = cursor.parenthesised().filter(token => token.kind === 'text')
  context.schema.enumerations.set(
    foldedName(name),
    values.map(({ value }) => value),
  )
}

/** A named type; its constraints are ignored. */
function namedType(context: Context, start: Token, parts: readonly string[]): void {
  const { cursor, schema } = context
  if (!cursor.skipWords('AS')) cursor.skipWords('FROM')
  const { kind } = cursor.peek()
  if (kind !== 'word' && kind !== 'name') return unknown(context, start, 'TYPE')
  schema.namedTypes.set(foldedName(parts), rawType(context))
  if (isEnd(cursor.peek())) return
  const name = context.quoted(parts.at(-1) ?? '')
  context.lost(context.lineOf(start), `Constraints of type ${name} are ignored.`)
}

/** Drops a table of the script. Dropped indexes are kept in the model, with a remark; other objects were never read. */
function drop(context: Context, start: Token): void {
  const { cursor, schema } = context
  if (cursor.skipWords('INDEX')) {
    cursor.skipWords('CONCURRENTLY')
    cursor.skipWords('IF', 'EXISTS')
    const isKnown = !isEnd(cursor.peek()) && schema.indexNames.has(foldedName(cursor.qualifiedName()))
    if (isKnown) context.lost(context.lineOf(start), 'DROP INDEX is ignored.')
    return
  }
  cursor.skipWords('FOREIGN')
  if (!cursor.skipWords('TABLE')) return
  cursor.skipWords('IF', 'EXISTS')
  do {
    if (isEnd(cursor.peek())) return
    const table = schema.find(cursor.qualifiedName())
    if (table) schema.drop(table)
  } while (cursor.skipSign(','))
}

function alter(context: Context, start: Token): void {
  const { cursor } = context
  cursor.skipWords('FOREIGN')
  if (cursor.skipWords('TABLE')) {
    cursor.inner.markRead(start)
    return alterTable(context, start)
  }
  if (cursor.isWord('TYPE')) return alterType(context, start)
  const isIgnored =
    ignoredObjects.has(cursor.peek().upper) || cursor.isWord('INDEX', 'FUNCTION', 'DEFAULT', 'AUTHORIZATION')
  const isSchemaChange = cursor.isWord('SCHEMA') && ['RENAME', 'TRANSFER'].includes(cursor.peek(2).upper)
  if (!isIgnored || isSchemaChange) unknown(context, start)
  if (context.dialect === 'mssql' && routines.has(cursor.peek().upper)) cursor.skipBatch()
}

/** `ALTER TYPE name ADD VALUE 'new' BEFORE 'old'`, `RENAME VALUE 'old' TO 'new'`. */
function alterType(context: Context, start: Token): void {
  const { cursor, schema } = context
  cursor.take()
  const name = foldedName(cursor.qualifiedName())
  if (cursor.isWord('OWNER')) return
  const values = [...(schema.enumerations.get(name) ?? [])]
  if (cursor.skipWords('RENAME', 'VALUE')) {
    const at = values.indexOf(cursor.peek().value)
    if (at >= 0) values[at] = cursor.peek(2).value
  } else if (cursor.skipWords('ADD', 'VALUE')) {
    cursor.skipWords('IF', 'NOT', 'EXISTS')
    const [{ value }, { upper: where }, other] = [cursor.peek(), cursor.peek(1), cursor.peek(2)]
    const neighbour = where === 'BEFORE' || where === 'AFTER' ? values.indexOf(other.value) : -1
    const at = neighbour < 0 ? values.length : neighbour + (where === 'AFTER' ? 1 : 0)
    if (!values.includes(value)) values.splice(at, 0, value)
  } else return unknown(context, start, 'TYPE')
  schema.enumerations.set(name, values)
}

function unknown(context: Context, start: Token, what?: string): void {
  const words = [start.value]
  const next = context.cursor.peek()
  if (what !== undefined) words.push(what)
  else if (start.kind === 'word' && next.kind === 'word') words.push(next.value)
  context.lost(context.lineOf(start), `Statement '${shown(words.join(' '))} …' is not supported: it is ignored.`)
}

/** Applies CREATE [UNIQUE …] INDEX; the cursor is after INDEX. */
function createIndex(context: Context, start: Token, modifiers: readonly string[]): void {
  const { cursor, schema } = context
  const line = context.lineOf(start)
  cursor.skipWords('CONCURRENTLY')
  cursor.skipWords('IF', 'NOT', 'EXISTS')
  if (!cursor.isWord('ON')) schema.indexNames.add(foldedName(cursor.qualifiedName()))
  cursor.expectWord('ON')
  cursor.skipWords('ONLY')
  const parts = cursor.qualifiedName()
  const table = schema.find(parts)
  while (!isEnd(cursor.peek()) && !cursor.isSign('(')) cursor.take()
  const key = keyColumns(context)
  const { isPartial, isOneNull } = rowsOf(context, key?.columns ?? [])
  if (!table) {
    const name = context.quoted(parts.join('.'))
    return context.lost(line, `${name} has an index but is not created in the script: the index is ignored.`)
  }
  const isKnown = !isPartial && !modifiers.includes('FULLTEXT') && !modifiers.includes('SPATIAL')
  if (!key || !isKnown) return context.lost(line, 'An expression, partial or special index is ignored.')
  if (!modifiers.includes('UNIQUE')) return void table.indexes.push({ columns: key.columns, line })
  remarkPrefix(context, line, key)
  table.uniques.push({ columns: key.columns, line, isOneNull })
}

/**
 * The rows that the index covers. `isPartial`: it omits rows other than those without a value, which a unique column
 * may omit; `isOneNull`: it allows only one row without a value.
 */
function rowsOf(context: Context, columns: readonly string[]): { isPartial: boolean; isOneNull: boolean } {
  const { cursor } = context
  let isOneNull = context.dialect === 'mssql'
  for (; !isEnd(cursor.peek()) && !cursor.isWord('WHERE'); cursor.skipOne()) {
    if (cursor.isWord('NULLS') && cursor.peek(1).upper === 'NOT') isOneNull = true
  }
  if (!cursor.skipWords('WHERE')) return { isPartial: false, isOneNull }
  const condition: Token[] = []
  let depth = 0
  for (let token = cursor.peek(); !isEnd(token); token = cursor.peek()) {
    if (depth === 0 && cursor.isWord('WITH', 'ON', 'TABLESPACE')) break
    if (isSign(token, '(')) depth += 1
    if (isSign(token, ')')) depth -= 1
    condition.push(cursor.take())
  }
  const expression = parseExpression(condition)
  const isPresence = expression?.kind === 'isPresent' && expression.part.kind === 'column'
  const coversPresent = isPresence && columns.length === 1 && columns[0] === expression.part.name
  return { isPartial: !coversPresent, isOneNull: false }
}

function foldedName(parts: readonly string[]): string {
  return (parts.at(-1) ?? '').toLowerCase()
}
