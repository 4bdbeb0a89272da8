import type { Context } from './context.ts'
import type { Expression } from './expression.ts'
import { parseExpression } from './expression-parser.ts'
import { itemsOf, type KeyColumns, keyOf, keyOfItems, remarkPrefix } from './keys.ts'
import { definePart } from './parts.ts'
import type { RawColumn, RawTable } from './read-schema.ts'
import { isEnd, isSign, type Token } from './token.ts'

/** Applies CREATE [UNIQUE …] INDEX; the cursor is after INDEX. */
export function createIndex(context: Context, start: Token, modifiers: ReadonlySet<string>): void {
  const { cursor, schema } = context
  const line = context.lineOf(start)
  cursor.skipWords('CONCURRENTLY')
  cursor.skipWords('IF', 'NOT', 'EXISTS')
  const first = cursor.peek()
  const name = cursor.isWord('ON') ? '' : (cursor.qualifiedName().at(-1) ?? '')
  while (!isEnd(cursor.peek()) && !cursor.isWord('ON')) cursor.take()
  cursor.expectWord('ON')
  cursor.skipWords('ONLY')
  const parts = cursor.qualifiedName()
  const table = schema.tables.find(parts)
  if (!table) {
    const message = `${context.quoted(parts.join('.'))} has an index but is not created in the script: the index is ignored.`
    return context.waitFor('table', parts, { start, message, of: modifiers.has('UNIQUE') ? 'unique' : 'index' })
  }
  defineIndex(context, table, { name, line, shownName: name === '' ? '' : ` ${first.value}`, modifiers })
}

/** Adds the index to its table; the cursor is after the table's name. */
function defineIndex(
  context: Context,
  table: RawTable,
  {
    name,
    line,
    shownName,
    modifiers,
  }: { name: string; line: number; shownName: string; modifiers: ReadonlySet<string> },
): void {
  context.attend(table)
  const method = methodOf(context)
  const open = context.cursor.peek()
  const isUnique = modifiers.has('UNIQUE')
  const { key, tokens, constants } = keyList(context, table, isUnique)
  const rows = rowsOf(context, table, key?.columns ?? [])
  const isSpecial = specialMethods.has(method) || specialKinds.some(word => modifiers.has(word))
  if (!key || rows.isPartial || isSpecial) {
    const using = specialMethods.has(method) ? ` USING ${method.toLowerCase()}` : ''
    const message = `INDEX${shownName}${using} ${context.textFrom(open)}`.trimEnd()
    const thing = isUnique ? 'unique' : 'index'
    const columns = key?.columns ?? []
    return definePart(context, table, { kind: 'other', name, line, columns, message, thing, tokens })
  }
  const { columns, descending, onlyPresent } = key
  remarkOptions(context, line, { name, table, method, key, rows, isUnique, constants })
  if (isUnique) remarkPrefix(context, line, key)
  const kind = isUnique ? 'unique' : 'index'
  definePart(context, table, { kind, name, line, columns, descending, onlyPresent, isOneNull: rows.isOneNull })
}

const specialKinds = ['FULLTEXT', 'SPATIAL', 'COLUMNSTORE', 'XML']

/** Indexes for other conditions than comparisons of values. */
const specialMethods = new Set('GIN GIST SPGIST BRIN BLOOM RUM IVFFLAT HNSW'.split(' '))

/** The method after USING, '' for none. */
function methodOf({ cursor }: Context): string {
  let method = ''
  for (; !isEnd(cursor.peek()) && !cursor.isSign('('); cursor.take()) {
    if (cursor.isWord('USING')) method = cursor.peek(1).upper
  }
  return method
}

type Options = {
  name: string
  table: RawTable
  method: string
  key: KeyColumns
  rows: ReturnType<typeof rowsOf>
  isUnique: boolean
  constants: number
}

/** Reports the options of an index of one column that models do not have. */
function remarkOptions(
  context: Context,
  line: number,
  { name, table, method, key, rows, isUnique, constants }: Options,
): void {
  const of = name === '' ? `${table.name} (${key.columns.join(', ')})` : name
  const without = (what: string) => context.changed(line, `An index is imported without ${what}.`, { name: of })
  if (method === 'HASH') without('its method')
  if (constants > 0) without('its constants')
  if (rows.includes) without('the columns that it includes')
  if (rows.isCovering && !isUnique) without('its condition')
  if (key.hasOptions) without('its operators or collation')
}

/** The key, the tokens between its parentheses, and the number of constants that are left out. */
function keyList(
  { cursor }: Context,
  table: RawTable,
  isUnique: boolean,
): { key: KeyColumns | null; tokens: readonly Token[]; constants: number } {
  // A clustered columnstore index has all columns.
  if (!cursor.isSign('(')) return { key: null, tokens: [], constants: 0 }
  const tokens = cursor.parenthesised()
  const key = keyOf(tokens) ?? presentKey(tokens, table)
  if (key || isUnique) return { key, tokens, constants: 0 }
  const items = itemsOf(tokens)
  const columns = items.filter(item => !isConstant(item))
  const isMixed = columns.length > 0 && columns.length < items.length
  return { key: isMixed ? keyOfItems(columns) : null, tokens, constants: items.length - columns.length }
}

/** A constant in an index of Oracle lets it contain rows without a value. */
function isConstant([token, ...others]: readonly Token[]): boolean {
  return others.length === 0 && (token?.kind === 'number' || token?.kind === 'text')
}

/** `CASE WHEN a IS NOT NULL AND b IS NOT NULL THEN a END, …`: Oracle's form of a key that ignores rows without a value. */
function presentKey(tokens: readonly Token[], table: RawTable): KeyColumns | null {
  const items = itemsOf(tokens)
  const columns = items.flatMap(([start, ...rest]) => {
    const [then, name, end] = rest.slice(-3)
    const isCase =
      start?.upper === 'CASE' && rest[0]?.upper === 'WHEN' && then?.upper === 'THEN' && end?.upper === 'END'
    return isCase && name ? [{ name: name.value, condition: rest.slice(1, -3) }] : []
  })
  const names = columns.map(({ name }) => name)
  const isPresent = columns.every(({ condition }) => {
    const present = presentIn(condition, table)
    return present?.size === names.length && names.every(name => present.has(table.column(name)))
  })
  return isPresent && columns.length === items.length
    ? { columns: names, descending: [], onlyPresent: true, prefix: null, hasOptions: false }
    : null
}

/** The columns of a condition that requires values of them and nothing else; null for another condition. */
function presentIn(condition: readonly Token[], table: RawTable): ReadonlySet<RawColumn | undefined> | null {
  const expression = parseExpression(condition)
  const names = expression && presentColumns(expression)
  return names && new Set(names.map(name => table.column(name)))
}

/** The columns of `a IS NOT NULL AND b IS NOT NULL`; null for another condition. */
function presentColumns(expression: Expression): string[] | null {
  if (expression.kind === 'isPresent' && expression.part.kind === 'column') return [expression.part.name]
  if (expression.kind !== 'all') return null
  const parts = expression.parts.map(presentColumns)
  return parts.every(part => part !== null) ? parts.flat() : null
}

/**
 * The rows that the index covers. `isPartial`: it omits rows other than those without a value, which a unique column
 * may omit; `isCovering`: it omits only those; `isOneNull`: it allows only one row without a value.
 */
function rowsOf(
  context: Context,
  table: RawTable,
  columns: readonly string[],
): { isPartial: boolean; isCovering: boolean; isOneNull: boolean; includes: boolean } {
  const { cursor } = context
  let isOneNull = context.dialect === 'mssql'
  let includes = false
  for (; !isEnd(cursor.peek()) && !cursor.isWord('WHERE'); cursor.skipOne()) {
    if (cursor.isWord('NULLS') && cursor.peek(1).upper === 'NOT') isOneNull = true
    includes ||= cursor.isWord('INCLUDE')
  }
  if (!cursor.skipWords('WHERE')) return { isPartial: false, isCovering: false, isOneNull, includes }
  const condition: Token[] = []
  let depth = 0
  for (let token = cursor.peek(); !isEnd(token); token = cursor.peek()) {
    if (depth === 0 && cursor.isWord('WITH', 'ON', 'TABLESPACE')) break
    if (isSign(token, '(')) depth += 1
    if (isSign(token, ')')) depth -= 1
    condition.push(cursor.take())
  }
  const present = presentIn(condition, table)
  const key = new Set(columns.map(name => table.column(name)))
  const coversPresent =
    present !== null &&
    [...present].every(column => key.has(column)) &&
    [...key].every(column => present.has(column) || !isOneNull || column?.nullable === false)
  return { isPartial: !coversPresent, isCovering: coversPresent, isOneNull: false, includes }
}
