import { withoutPlaceholders } from './lexer.ts'
import type { Context } from './context.ts'
import type { RawColumn, RawTable } from './read-schema.ts'
import { isEnd, type Token } from './token.ts'

/** `RENAME TO t`, `RENAME [COLUMN] a TO b`, `RENAME CONSTRAINT a TO b`; the cursor is after RENAME. */
export function renameInTable(context: Context, table: RawTable): void {
  const { cursor, schema } = context
  const isNamed = cursor.peek(1).kind !== 'sign' && !isEnd(cursor.peek(1))
  if (cursor.isWord('CONSTRAINT', 'INDEX', 'KEY') && isNamed && cursor.peek(2).upper === 'TO') {
    const kinds = cursor.take().upper === 'CONSTRAINT' ? undefined : (['index'] as const)
    const part = table.part(cursor.name(), kinds)
    cursor.expectWord('TO')
    const name = cursor.name()
    if (part) schema.renamePart(part, name)
    return
  }
  if (cursor.skipWords('PARTITION')) return cursor.skipItem()
  if (cursor.skipWords('TO') || cursor.skipWords('AS') || !isNamed)
    return renameTable(context, table, cursor.qualifiedName())
  if (cursor.peek(1).upper !== 'TO') cursor.skipWords('COLUMN')
  cursor.skipWords('IF', 'EXISTS')
  const token = cursor.peek()
  const column = table.column(cursor.name())
  cursor.expectWord('TO')
  const name = cursor.name()
  if (column) renameColumn(context, table, { column, name })
  else
    context.lost(
      context.lineOf(token),
      `Table ${context.quoted(table.name)} has no column ${context.quoted(token.value)}.`,
    )
}

function renameTable({ schema }: Context, table: RawTable, parts: readonly string[]): void {
  schema.rename(table, { name: parts.at(-1) ?? '', schema: parts.at(-2) ?? table.schema })
}

export function renameColumn(
  context: Context,
  table: RawTable,
  { column, name }: { column: RawColumn; name: string },
): void {
  const { name: old } = column
  table.renameColumn(column, name)
  for (const heir of context.heirsOf(table)) {
    const inherited = heir.column(old)
    if (inherited) heir.renameColumn(inherited, name)
  }
}

/** `RENAME TABLE a TO b, c TO d` of MySQL and `RENAME a TO b` of Oracle; the cursor is after RENAME. */
export function rename(context: Context, start: Token): void {
  const { cursor, schema } = context
  if (!cursor.skipWords('TABLES')) cursor.skipWords('TABLE')
  cursor.skipWords('IF', 'EXISTS')
  do {
    const parts = cursor.qualifiedName()
    const table = schema.tables.find(parts)
    const message = `${context.quoted(parts.join('.'))} is renamed but not created in the script.`
    if (!table) return context.waitFor('table', parts, { start, message })
    cursor.expectWord('TO')
    renameTable(context, table, cursor.qualifiedName())
  } while (cursor.skipSign(','))
}

/** `ALTER INDEX a RENAME TO b`; the cursor is after INDEX. */
export function alterIndex({ cursor, schema }: Context): void {
  cursor.skipWords('IF', 'EXISTS')
  const part = isEnd(cursor.peek()) ? undefined : schema.indexes.find(cursor.qualifiedName())
  if (part && cursor.skipWords('RENAME', 'TO')) schema.renamePart(part, cursor.name())
}

/** Each renames all tables of a schema. */
const maxRenamedSchemas = 100

/** `ALTER SCHEMA a RENAME TO b`, and `ALTER SCHEMA a TRANSFER t` of SQL Server; the cursor is after SCHEMA. */
export function alterSchema(context: Context, start: Token): void {
  const { cursor, schema } = context
  const name = cursor.name()
  if (cursor.skipWords('RENAME', 'TO')) {
    const next = cursor.name()
    schema.renamedSchemas += 1
    if (schema.renamedSchemas > maxRenamedSchemas) cursor.failAt('the script renames too many schemas', start)
    for (const table of schema.tables.in(name)) schema.rename(table, { schema: next })
    for (const type of schema.types.in(name)) schema.types.rename(type, { schema: next })
  } else if (cursor.skipWords('TRANSFER')) {
    if (cursor.skipWords('OBJECT')) for (let colons = 0; colons < 2; colons += 1) cursor.skipSign(':')
    cursor.skipSign('::')
    const parts = cursor.qualifiedName()
    const table = schema.tables.find(parts)
    const message = `${context.quoted(parts.join('.'))} is moved to another schema but not created in the script.`
    if (table) schema.rename(table, { schema: name })
    else context.waitFor('table', parts, { start, message })
  }
}

/** `sp_rename 'dbo.t.a', 'b', 'COLUMN'` of SQL Server. */
export function storedRename(context: Context, start: Token, parameters: ReadonlyMap<string, string>): void {
  const { schema } = context
  const parts = namesIn(parameters.get('objname') ?? '')
  const name = parameters.get('newname') ?? ''
  const kind = (parameters.get('objtype') ?? '').toUpperCase()
  const isPart = kind === 'COLUMN' || kind === 'INDEX'
  const table = schema.tables.find(isPart ? parts.slice(0, -1) : parts)
  const message = `${context.quoted(parts.join('.'))} is renamed but not created in the script.`
  if (!table) {
    const constraint = kind === 'COLUMN' ? undefined : schema.constraints.find(parts)
    if (constraint) return schema.renamePart(constraint, name)
    return context.waitFor('table', isPart ? parts.slice(0, -1) : parts, { start, message })
  }
  const last = parts.at(-1) ?? ''
  const column = kind === 'COLUMN' ? table.column(last) : undefined
  const index = kind === 'INDEX' ? table.part(last, ['index']) : undefined
  if (column) renameColumn(context, table, { column, name })
  else if (index) schema.renamePart(index, name)
  else if (isPart) context.lost(context.lineOf(start), message)
  else schema.rename(table, { name })
}

/** `dbo.[Order Line].a` */
export function namesIn(text: string): string[] {
  const names = withoutPlaceholders(text).match(/\[(?:[^\]]|\]\])*\]|"(?:[^"]|"")*"|[^.[\]"]+/g) ?? []
  return names.map(name => {
    if (name.startsWith('[')) return name.slice(1, -1).replaceAll(']]', ']')
    return name.startsWith('"') ? name.slice(1, -1).replaceAll('""', '"') : name
  })
}
