import { alterTable } from './alter-table.ts'
import { commentOn, extendedProperty } from './comments.ts'
import type { Context } from './context.ts'
import { createIndex } from './create-index.ts'
import { createTable } from './create-table.ts'
import { skipBatch, skipStatement } from './skip.ts'
import { shown } from './sql-error.ts'
import { isEnd, type Token } from './token.ts'

/** Reads all statements of a script; those that say nothing of tables are passed over, those that are not known are told. */
export function readStatements(context: Context): void {
  const { cursor } = context
  for (let token = cursor.peek(); token.kind !== 'end'; token = cursor.peek()) {
    cursor.take()
    if (isEnd(token)) continue
    statement(context, token)
    skipStatement(context)
  }
}

/** What changes nothing of a schema, or says of it what a model has no word for and nobody misses. */
const silent = new Set(
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
  if (start.upper === 'DROP') return drop(context)
  if (silent.has(start.upper)) return
  if (!rows.has(start.upper)) return unknown(context, start)
  context.remark(context.lineOf(start), 'Rows of tables are not imported.')
  if (start.upper !== 'COPY') return
  let isFromHere = false
  for (; !isEnd(cursor.peek()); cursor.take()) isFromHere = cursor.isWord('STDIN')
  if (isFromHere || cursor.isSign(';')) cursor.skipRows()
}

const modifiers = new Set(
  `OR REPLACE GLOBAL LOCAL TEMPORARY TEMP UNLOGGED MEMORY CACHED TEXT FOREIGN EXTERNAL PRIVATE IMMUTABLE UNIQUE CLUSTERED NONCLUSTERED
  BITMAP FULLTEXT SPATIAL`.split(/\s+/),
)
const silentThings = new Set(
  'SEQUENCE SCHEMA DATABASE EXTENSION USER ROLE LOGIN TABLESPACE PUBLICATION SUBSCRIPTION SYNONYM COLLATION'.split(' '),
)
/** What holds statements of its own. */
const routines = new Set('VIEW FUNCTION PROCEDURE PROC TRIGGER PACKAGE'.split(' '))

function create(context: Context, start: Token): void {
  const { cursor } = context
  const before = new Set<string>()
  while (modifiers.has(cursor.peek().upper)) before.add(cursor.take().upper)
  if (cursor.skipWords('TABLE')) return createTable(context, start)
  if (cursor.skipWords('INDEX')) return createIndex(context, start, [...before])
  if (cursor.skipWords('TYPE')) return createType(context, start)
  if (silentThings.has(cursor.peek().upper)) return
  unknown(context, start)
  const isRoutine = routines.has(cursor.peek().upper) && cursor.peek().upper !== 'VIEW'
  if (context.dialect === 'mssql' ? routines.has(cursor.peek().upper) : context.dialect === 'oracle' && isRoutine)
    skipBatch(context)
}

/** `CREATE TYPE name AS ENUM ('a', 'b')`. */
function createType(context: Context, start: Token): void {
  const { cursor } = context
  const name = cursor.qualifiedName().at(-1) ?? ''
  if (!cursor.skipWords('AS', 'ENUM')) return unknown(context, start)
  const values = cursor.parenthesised().filter(token => token.kind === 'text')
  context.schema.enumerations.set(
    name.toLowerCase(),
    values.map(({ value }) => value),
  )
}

/** A table that the script made before; what else is dropped nobody has. */
function drop({ cursor, schema }: Context): void {
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
  if (cursor.skipWords('TABLE')) return alterTable(context, start)
  const isSilent =
    silentThings.has(cursor.peek().upper) || cursor.isWord('INDEX', 'FUNCTION', 'TYPE', 'DEFAULT', 'AUTHORIZATION')
  if (!isSilent) unknown(context, start)
}

function unknown(context: Context, start: Token): void {
  const words = [start.value]
  const next = context.cursor.peek()
  if (start.kind === 'word' && next.kind === 'word') words.push(next.value)
  context.remark(context.lineOf(start), `The statement '${shown(words.join(' '))} …' is not known: it is left out.`)
}
