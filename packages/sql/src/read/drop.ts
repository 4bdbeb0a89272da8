import type { Context } from './context.ts'
import { dropOther, dropOtherType, dropQueryTable } from './other-statements.ts'
import type { RawColumn, RawPart, RawTable } from './read-schema.ts'
import { isEnd } from './token.ts'

/** What an item without a keyword drops. */
export type Dropping = 'column' | 'constraint'

/** `DROP COLUMN a`, `DROP CONSTRAINT b`, `DROP (a, b)`; the cursor is after DROP. */
export function dropFromTable(context: Context, table: RawTable, last: Dropping | null): Dropping | null {
  const { cursor } = context
  const isNamed = cursor.peek(1).kind === 'word' || cursor.peek(1).kind === 'name'
  if (cursor.skipWords('PRIMARY', 'KEY')) {
    if (table.primaryKey) deletePart(context, table.primaryKey)
    return null
  }
  if (isNamed && cursor.skipWords('CONSTRAINT')) return dropPart(context, table, undefined)
  if (cursor.skipWords('FOREIGN', 'KEY')) return dropPart(context, table, ['foreignKey'])
  if (isNamed && cursor.skipWords('CHECK')) return dropPart(context, table, ['check'])
  if (isNamed && (cursor.skipWords('INDEX') || cursor.skipWords('KEY'))) return dropPart(context, table, ['index'])
  if (cursor.isWord('UNIQUE') && cursor.peek(1).value === '(') return dropUnique(context, table)
  // Its rows are not imported.
  if (isNamed && cursor.isWord('PARTITION')) return null
  if (last === 'constraint' && !cursor.isWord('COLUMN')) return dropPart(context, table, undefined)
  if (isNamed) cursor.skipWords('COLUMN')
  const isGuarded = cursor.skipWords('IF', 'EXISTS')
  const isList = cursor.skipSign('(')
  do dropColumn(context, table, isGuarded)
  while (isList && cursor.skipSign(','))
  if (isList) cursor.expectSign(')')
  return 'column'
}

function dropPart(context: Context, table: RawTable, kinds: RawPart['kind'][] | undefined): Dropping {
  const { cursor } = context
  const isGuarded = cursor.skipWords('IF', 'EXISTS')
  const token = cursor.peek()
  const part = table.part(cursor.name(), kinds)
  if (part) deletePart(context, part)
  else if (!isGuarded)
    context.lost(
      context.lineOf(token),
      `Table ${context.quoted(table.name)} has no constraint or index ${context.quoted(token.value)} to drop.`,
    )
  return 'constraint'
}

function deletePart(context: Context, part: RawPart): void {
  context.schema.deletePart(part)
  if (context.cursor.isWord('CASCADE')) deleteReferrers(context, part)
  const [column] = part.columns
  if (part.kind === 'default' && column) column.default = null
}

/** CASCADE drops the foreign keys that need a key. */
function deleteReferrers(context: Context, key: RawPart): void {
  const { referrers } = key.table
  if (key.kind !== 'primary' && key.kind !== 'unique') return
  context.countParts(referrers.size)
  for (const referrer of referrers) {
    const columns = referrer.target?.columns ?? []
    const isSame = columns.length === key.columns.length && columns.every((one, at) => one === key.columns[at])
    if (isSame || (columns.length === 0 && key.kind === 'primary')) context.schema.deletePart(referrer)
  }
}

/** `UNIQUE (a, b)` of Oracle. */
function dropUnique(context: Context, table: RawTable): null {
  const { cursor } = context
  cursor.take()
  const names = cursor.parenthesised().filter(({ kind }) => kind === 'word' || kind === 'name')
  const columns = names.map(({ value }) => table.column(value))
  const isSame = (part: RawPart) =>
    part.kind === 'unique' &&
    part.columns.length === columns.length &&
    columns.every((one, at) => one === part.columns[at])
  context.countParts(table.parts.length)
  const part = table.parts.find(isSame)
  if (part) context.schema.deletePart(part)
  return null
}

function dropColumn(context: Context, table: RawTable, isGuarded: boolean): void {
  const { cursor } = context
  const token = cursor.peek()
  const column = table.column(cursor.name())
  if (column) {
    table.dropColumn(column)
    dropKey(context, table)
    dropInHeirs(context, table, column)
  } else if (!isGuarded)
    context.lost(
      context.lineOf(token),
      `Table ${context.quoted(table.name)} has no column ${context.quoted(token.value)} to drop.`,
    )
}

/** A table whose primary key is gone with its columns can have another one. MySQL drops the column from the key. */
function dropKey({ schema, dialect }: Context, { primaryKey }: RawTable): void {
  const gone = primaryKey?.columns.filter(({ isDropped }) => isDropped) ?? []
  const isGone = dialect === 'mysql' ? gone.length === primaryKey?.columns.length : gone.length > 0
  if (primaryKey && isGone) schema.deletePart(primaryKey)
}

function dropInHeirs(context: Context, table: RawTable, { name }: RawColumn): void {
  for (const heir of context.heirsOf(table)) {
    const inherited = heir.column(name)
    if (!inherited) continue
    heir.dropColumn(inherited)
    dropKey(context, heir)
  }
}

/** Applies a DROP statement to the objects of the script. */
export function drop(context: Context): void {
  const { cursor } = context
  cursor.skipWords('FOREIGN')
  cursor.skipWords('TEMPORARY')
  if (cursor.skipWords('INDEX')) return dropIndexes(context)
  if (cursor.skipWords('TABLE')) return dropEach(context, dropTable(context))
  if (isType(context)) return dropEach(context, dropType(context))
  if (cursor.skipWords('SCHEMA') || cursor.skipWords('DATABASE')) return dropEach(context, dropSchema(context))
  dropOther(context)
}

/** Takes TYPE or DOMAIN before the name of a type. */
function isType({ cursor }: Context): boolean {
  return cursor.peek(1).upper !== 'BODY' && (cursor.skipWords('TYPE') || cursor.skipWords('DOMAIN'))
}

type Drop = (parts: readonly string[], options: { isGuarded: boolean; isCascade: boolean }) => void

/** `IF EXISTS a, b CASCADE`. */
function dropEach({ cursor }: Context, apply: Drop): void {
  const isGuarded = cursor.skipWords('IF', 'EXISTS')
  const names: string[][] = []
  do {
    if (isEnd(cursor.peek())) break
    names.push(cursor.qualifiedName())
  } while (cursor.skipSign(','))
  const isCascade = cursor.isWord('CASCADE')
  for (const name of names) apply(name, { isGuarded, isCascade })
}

function dropTable(context: Context): Drop {
  const { schema } = context
  return (parts, { isGuarded, isCascade }) => {
    const table = schema.tables.find(parts)
    dropQueryTable(context, parts)
    if (table) schema.drop(table, isCascade ? 'cascade' : 'alone')
    else if (!isGuarded) {
      // A guarded statement drops what an earlier run of the script created. SQL Server guards it with IF, which is not read.
      const isByIf = context.dialect === 'mssql'
      for (const statement of schema.waiting.cancel('table', parts))
        if (!isByIf || statement.does !== 'alter') context.giveUp(statement)
    }
  }
}

function dropType(context: Context): Drop {
  const { schema } = context
  return (parts, { isCascade }) => {
    const type = schema.types.find(parts)
    if (!type?.definition) return dropOtherType(context, parts)
    schema.types.delete(type)
    // Also drops the columns of the type.
    type.isDropped = isCascade
  }
}

function dropSchema({ schema }: Context): Drop {
  return parts => {
    const name = parts.at(-1) ?? ''
    for (const table of schema.tables.in(name)) schema.drop(table, 'cascade')
  }
}

/** `DROP INDEX a, b`, `DROP INDEX a ON t`, `DROP INDEX t.a`. */
function dropIndexes(context: Context): void {
  const { cursor, schema } = context
  cursor.skipWords('CONCURRENTLY')
  cursor.skipWords('IF', 'EXISTS')
  do {
    if (isEnd(cursor.peek())) return
    const parts = cursor.qualifiedName()
    const path = cursor.skipWords('ON') ? cursor.qualifiedName() : parts.slice(0, -1)
    const table = path.length === 0 ? undefined : schema.tables.find(path)
    const part = table?.part(parts.at(-1) ?? '', ['index']) ?? schema.indexes.find(parts)
    if (part) schema.deletePart(part)
  } while (cursor.skipSign(','))
}
