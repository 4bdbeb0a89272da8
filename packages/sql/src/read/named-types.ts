import { columnOptions, rawType } from './column-definition.ts'
import type { Context } from './context.ts'
import { bindParts } from './parts.ts'
import { newColumn, RawTable, type NamedType } from './read-schema.ts'
import { isEnd, type Token } from './token.ts'

/** `CREATE TYPE name AS ENUM ('a', 'b')`, `CREATE TYPE name FROM varchar(9)` and, in HSQLDB, `AS VARCHAR(9)`. */
export function createType(context: Context, start: Token, name: readonly string[], unknown: () => void): void {
  const { cursor } = context
  const isAlias = cursor.isWord('FROM') || (context.dialect === 'hsql' && cursor.isWord('AS'))
  if (isAlias) return createDomain(context, start, name, unknown)
  if (!cursor.skipWords('AS', 'ENUM')) return unknown()
  const values = cursor.parenthesised().filter(token => token.kind === 'text')
  define(context, context.lineOf(start), name, { values: values.map(({ value }) => value) })
}

/** A named type, whose constraints apply to its columns. */
export function createDomain(context: Context, start: Token, parts: readonly string[], unknown: () => void): void {
  const { cursor } = context
  if (!cursor.skipWords('AS')) cursor.skipWords('FROM')
  const { kind } = cursor.peek()
  if (kind !== 'word' && kind !== 'name') return unknown()
  const line = context.lineOf(start)
  const column = newColumn('VALUE', line, rawType(context))
  const table = new RawTable(parts, '', line)
  table.addColumn(column)
  bindParts(table)
  if (!isEnd(cursor.peek())) columnOptions(context, table, column)
  const checks = table.parts.filter(part => part.kind === 'check')
  define(context, line, parts, { column, checks })
}

function define(
  { schema }: Context,
  line: number,
  parts: readonly string[],
  definition: NonNullable<NamedType['definition']>,
): void {
  const type = schema.typeNamed(parts)
  const isOther =
    type.definition !== null && (type.name !== parts.at(-1) || type.schema !== (parts.at(-2) ?? type.schema))
  const own = isOther ? schema.newType(parts) : type
  Object.assign(own, { definition, line })
  schema.waiting.arrive('type', own)
}

/**
 * `ALTER TYPE name ADD VALUE 'new' BEFORE 'old'`, `RENAME VALUE 'old' TO 'new'`, `RENAME TO name`; the cursor is after
 * TYPE or DOMAIN.
 */
export function alterType(context: Context, start: Token, unknown: () => void): void {
  const { cursor, schema } = context
  const parts = cursor.qualifiedName()
  if (cursor.isWord('OWNER')) return
  const type = schema.types.find(parts)
  if (!type?.definition) {
    const message = `Type ${context.quoted(parts.join('.'))} is altered but not created in the script: the change is ignored.`
    return context.waitFor('type', parts, { start, message })
  }
  if (cursor.skipWords('RENAME', 'TO')) {
    schema.types.rename(type, { name: cursor.name() })
    return schema.waiting.arrive('type', type)
  }
  if (cursor.skipWords('SET', 'SCHEMA')) return schema.types.rename(type, { schema: cursor.name() })
  const isAltered = 'values' in type.definition && alterValues(context, type.definition.values)
  if (!isAltered) unknown()
}

/** No enumeration of a real script has more. */
const maxValues = 10_000

/** False for another change. */
function alterValues({ cursor }: Context, values: string[]): boolean {
  if (cursor.skipWords('RENAME', 'VALUE')) {
    const at = values.indexOf(cursor.peek().value)
    if (at >= 0) values[at] = cursor.peek(2).value
    return true
  }
  if (values.length >= maxValues || !cursor.skipWords('ADD', 'VALUE')) return false
  cursor.skipWords('IF', 'NOT', 'EXISTS')
  const [{ value }, { upper: where }, other] = [cursor.peek(), cursor.peek(1), cursor.peek(2)]
  const neighbour = where === 'BEFORE' || where === 'AFTER' ? values.indexOf(other.value) : -1
  const at = neighbour < 0 ? values.length : neighbour + (where === 'AFTER' ? 1 : 0)
  if (!values.includes(value)) values.splice(at, 0, value)
  return true
}
