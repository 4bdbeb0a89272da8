import type { ScriptDialect } from '../database-kind.ts'
import { databases } from '../databases.ts'
import { alterTable } from './alter-table.ts'
import { call, callProcedure, commentOn, setVariable } from './comments.ts'
import type { Context } from './context.ts'
import { createIndex } from './create-index.ts'
import { createTable, temporary } from './create-table.ts'
import { blockOf, readBlock } from './do-block.ts'
import { drop } from './drop.ts'
import { createDomain, createType, alterType } from './named-types.ts'
import { addOther, addQueryTable, alterOther, createOther, isOther } from './other-statements.ts'
import { alterIndex, alterSchema, rename } from './rename.ts'
import { isEnd, isSign, shown, type Token } from './token.ts'
import type { WaitingStatement } from './waiting.ts'

/** Reads all statements of a script; unknown ones become remarks. */
export function readStatements(context: Context): void {
  const { cursor } = context
  for (let token = cursor.peek(); token.kind !== 'end'; token = cursor.peek()) {
    cursor.take()
    if (isEnd(token) || isCommand(context, token) || skipBranch(context, token)) continue
    statement(context, token)
    cursor.skipStatement()
    readWaiting(context)
  }
  giveUpWaiting(context)
  for (const { at, value } of cursor.inner.unread) {
    const what = `'${value.toUpperCase()} TABLE …'`
    context.lost(context.lineOf({ at }), `${what} is inside another statement: it is ignored.`)
  }
}

/** Reads the statements whose objects exist by now. */
function readWaiting(context: Context, isLast = false): void {
  const { waiting } = context.schema
  for (let next = waiting.next(); next; next = waiting.next()) readAgain(context, next, isLast)
}

function readAgain(context: Context, { from, to }: WaitingStatement, isLast: boolean): void {
  const cursor = context.cursor.part(from, to)
  statement(context.at(cursor, isLast), cursor.take())
}

/** Reports the statements whose objects are never created. Tables come first, as others may wait for them. */
function giveUpWaiting(context: Context): void {
  const { waiting } = context.schema
  const all = waiting.takeAll()
  for (const one of all) if (one.does !== 'create') waiting.add(one.kind, one.parts, one)
  for (const one of all) {
    if (one.does !== 'create') continue
    readAgain(context, one, true)
    readWaiting(context, true)
  }
  for (const one of waiting.takeAll()) context.giveUp(one)
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
function isCommand(context: Context, start: Token): boolean {
  const { cursor, dialect, schema } = context
  if (!start.first) return false
  const { lineCommands }: ScriptDialect = databases[dialect].read
  if (lineCommands && (lineCommands.has(start.upper) || start.value.startsWith('@'))) {
    if (start.upper === 'START' || start.value.startsWith('@')) remarkOtherScript(context, start)
    cursor.skipLine(start)
    return true
  }
  if (dialect === 'mssql' && isSign(start, ':')) {
    if (cursor.isWord('R')) remarkOtherScript(context, start)
    cursor.skipLine(start)
    return true
  }
  if (dialect !== 'mysql' || start.upper !== 'USE') return false
  schema.scope.current = cursor.take().value
  return true
}

function remarkOtherScript(context: Context, start: Token): void {
  context.lost(context.lineOf(start), `The script that ${context.quoted(start.value)} reads is not imported.`)
}

/** Statements without effect on a schema, or with one that models do not need. */
const ignoredStatements = new Set(
  `LOCK UNLOCK BEGIN COMMIT START ROLLBACK ANALYZE VACUUM GRANT REVOKE PRINT IF END PROMPT SPOOL WHENEVER EXIT
  CHECKPOINT CLUSTER DECLARE DENY DISABLE DISCARD ENABLE FLUSH RAISERROR RESET RETURN REFRESH REINDEX`.split(/\s+/),
)
const rows = new Set('BULK INSERT UPDATE DELETE MERGE REPLACE COPY LOAD TRUNCATE WITH'.split(' '))

function statement(context: Context, start: Token): void {
  const { cursor } = context
  context.attend(null)
  switch (start.upper) {
    case 'CREATE':
      return create(context, start)
    case 'ALTER':
      return alter(context, start)
    case 'COMMENT':
      return commentOn(context, start)
    case 'DROP':
      return drop(context)
    case 'EXEC':
    case 'EXECUTE':
      return context.dialect === 'mssql' ? callProcedure(context, start) : unknown(context, start)
    case 'RENAME':
      return rename(context, start)
    case 'SET':
    case 'USE':
      return setScope(context, start)
    case 'SELECT':
      return select(context, start)
    case 'DO':
      return doBlock(context, start)
  }
  if (context.dialect === 'mssql' && start.upper.startsWith('SP_')) return call(context, start, start.value)
  if (isBlock(context, start)) {
    unknown(context, start)
    return cursor.skipBatch()
  }
  if (context.dialect === 'mssql' && start.upper === 'DECLARE') return setVariable(context)
  if (ignoredStatements.has(start.upper)) return
  if (!rows.has(start.upper)) return unknown(context, start)
  context.remarkOnce({ line: context.lineOf(start), kind: 'note', message: 'Table rows are not imported.' })
  if (start.upper !== 'COPY') return
  let isInline = false
  for (; !isEnd(cursor.peek()); cursor.take()) isInline ||= cursor.isWord('STDIN')
  if (isInline) cursor.skipRows()
}

/** Reads a block of PostgreSQL, which migrations use to create what does not exist yet. */
function doBlock(context: Context, start: Token): void {
  const block = context.dialect === 'postgresql' ? blockOf(context) : null
  if (!block) return unknown(context, start)
  if (!context.isOwn)
    context.changed(context.lineOf(start), 'The statements of this DO block are read as if all of them ran.')
  readBlock(context.at(context.cursor.part(...block), context.isLast), (inner, token) =>
    token.upper === 'DO' ? unknown(inner, token) : statement(inner, token),
  )
}

/** `BEGIN … END` and `DECLARE … END` of Oracle contain statements. */
function isBlock({ cursor, dialect }: Context, { upper }: Token): boolean {
  return dialect === 'oracle' && (upper === 'BEGIN' || upper === 'DECLARE') && !isEnd(cursor.peek())
}

/** `SET search_path = a, b`, `SET SCHEMA a`, `USE a`: where names without a schema belong. */
function setScope(context: Context, start: Token): void {
  const { cursor, dialect, schema } = context
  if (dialect === 'mssql') {
    if (start.upper === 'SET') setVariable(context)
    return
  }
  if (start.upper === 'USE') return
  void (cursor.skipWords('SESSION') || cursor.skipWords('LOCAL'))
  const isPath = cursor.skipWords('SEARCH_PATH')
  if (!isPath && !cursor.skipWords('SCHEMA') && !cursor.skipWords('CURRENT_SCHEMA')) return
  void (cursor.skipSign('=') || cursor.skipWords('TO'))
  const { kind, value } = cursor.peek()
  const isName = kind === 'word' || kind === 'name' || kind === 'text'
  if (isName && value !== 'pg_catalog' && !value.startsWith('$')) schema.scope.current = value
}

/** Reports a query that creates a table. */
function select(context: Context, start: Token): void {
  const { cursor } = context
  for (; !isEnd(cursor.peek()); cursor.skipOne()) {
    if (!cursor.skipWords('INTO')) continue
    const { kind, value } = cursor.peek()
    const isTable = kind !== 'sign' && !value.startsWith('@') && !cursor.isWord('OUTFILE', 'DUMPFILE')
    if (isTable && !isEnd(cursor.peek())) addQueryTable(context, start, cursor.qualifiedName())
    return
  }
}

const modifiers = new Set(
  `OR REPLACE EDITIONABLE NONEDITIONABLE GLOBAL LOCAL TEMPORARY TEMP UNLOGGED MEMORY CACHED TEXT FOREIGN EXTERNAL PRIVATE IMMUTABLE UNIQUE CLUSTERED NONCLUSTERED
  BITMAP FULLTEXT SPATIAL COLUMNSTORE PRIMARY XML`.split(/\s+/),
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
  while (modifiers.has(cursor.peek().upper) && !isOther(context)) before.add(cursor.take().upper)
  if (cursor.skipWords('TABLE')) {
    cursor.inner.markRead(start)
    const remarked = remarkedTables.find(([word]) => before.has(word))
    if (remarked) context.changed(context.lineOf(start), remarked[1])
    return createTable(context, start, before.has('REPLACE'))
  }
  if (cursor.skipWords('INDEX')) return createIndex(context, start, before)
  if (cursor.isWord('TYPE', 'DOMAIN') && cursor.peek(1).upper !== 'BODY') return createNamedType(context, start)
  if (cursor.skipWords('SCHEMA')) return createSchema(context)
  if (cursor.isWord('DATABASE') && cursor.peek(1).upper !== 'LINK') return
  const kind = createOther(context, start)
  if (!kind) unknown(context, start)
  if (isBatch(context, kind?.words ?? [])) cursor.skipBatch()
}

/** `CREATE SCHEMA a CREATE TABLE …`: the objects of a schema may be created with it. */
function createSchema(context: Context): void {
  const { cursor, schema } = context
  cursor.skipWords('IF', 'NOT', 'EXISTS')
  const { scope } = schema
  const { current } = scope
  if (cursor.isWord('AUTHORIZATION')) cursor.take()
  if (!isEnd(cursor.peek())) scope.current = cursor.qualifiedName().at(-1) ?? current
  while (!isEnd(cursor.peek())) {
    const token = cursor.take()
    if (token.upper === 'CREATE') create(context, token)
  }
  scope.current = current
}

function createNamedType(context: Context, start: Token): void {
  const { cursor } = context
  const isDomain = cursor.take().upper === 'DOMAIN'
  const name = cursor.qualifiedName()
  const other = () => addOther(context, start, { word: isDomain ? 'DOMAIN' : 'TYPE', parts: name })
  if (isDomain) createDomain(context, start, name, other)
  else createType(context, start, name, other)
}

/** Whether an object contains statements up to the end of the batch. */
function isBatch({ cursor, dialect }: Context, [word = '', next]: readonly string[]): boolean {
  if (cursor.isDelimited) return true
  if (dialect === 'oracle') return next === 'BODY' || (routines.has(word) && word !== 'VIEW')
  return dialect === 'mssql' && routines.has(word)
}

function alter(context: Context, start: Token): void {
  const { cursor } = context
  cursor.skipWords('FOREIGN')
  if (cursor.skipWords('TABLE')) {
    cursor.inner.markRead(start)
    return alterTable(context, start)
  }
  if (cursor.isWord('TYPE', 'DOMAIN')) {
    const word = cursor.take().upper
    return alterType(context, start, () => unknown(context, start, word))
  }
  if (cursor.skipWords('INDEX')) return alterIndex(context)
  if (cursor.skipWords('SCHEMA')) return alterSchema(context, start)
  if (cursor.skipWords('SESSION', 'SET')) return setScope(context, start)
  if (cursor.isWord('DATABASE', 'DEFAULT', 'AUTHORIZATION', 'SYSTEM')) return
  const kind = alterOther(context, start)
  if (!kind) unknown(context, start)
  if (context.dialect === 'mssql' && isBatch(context, kind?.words ?? [])) cursor.skipBatch()
}

function unknown(context: Context, start: Token, what?: string): void {
  const words = [start.value]
  const next = context.cursor.peek()
  if (what !== undefined) words.push(what)
  else if (start.kind === 'word' && next.kind === 'word') words.push(next.value)
  context.lost(context.lineOf(start), `Statement '${shown(words.join(' '))} …' is not supported: it is ignored.`)
}
