import type { ReferentialAction } from '../tree.ts'
import type { Context } from './context.ts'
import type { RawReference } from './read-schema.ts'
import { isSign, type Token } from './token.ts'

/**
 * `prefix`: a column of which only the first characters are compared; `descending`: the columns in descending order;
 * `onlyPresent`: rows with a missing value do not count; `hasOptions`: a column is compared by operators or a collation
 * of the index.
 */
export type KeyColumns = {
  columns: string[]
  descending: string[]
  onlyPresent?: boolean
  prefix: { column: string; length: string } | null
  hasOptions: boolean
}

/** `(a, "b" DESC, c(10))`; null if an item is an expression. */
export function keyColumns({ cursor }: Context): KeyColumns | null {
  return keyOf(cursor.parenthesised())
}

export function keyOf(tokens: readonly Token[]): KeyColumns | null {
  return keyOfItems(itemsOf(tokens))
}

/** The key of items that are separate already. */
export function keyOfItems(items: readonly (readonly Token[])[]): KeyColumns | null {
  const key: KeyColumns = { columns: [], descending: [], prefix: null, hasOptions: false }
  for (const item of items) {
    const column = nameOf(item)
    if (column === null) return null
    key.columns.push(column)
    if (item.some(({ kind, upper }) => kind === 'word' && upper === 'DESC')) key.descending.push(column)
    if (isSign(item[1], '(')) key.prefix ??= { column, length: item[2]?.value ?? '' }
    key.hasOptions ||= item.slice(1).some(({ kind, upper }) => kind === 'word' && !orderWords.has(upper))
  }
  return key
}

const orderWords = new Set(['ASC', 'DESC', 'NULLS', 'FIRST', 'LAST'])

/** A unique prefix is stricter than a unique column: values that differ only after it are rejected by the database. */
export function remarkPrefix(context: Context, line: number, { columns, prefix }: KeyColumns): void {
  if (!prefix) return
  const characters = `first ${prefix.length} characters`
  const column = context.quoted(prefix.column)
  context.changed(
    line,
    columns.length > 1
      ? `(${columns.join(', ')}) are unique together by the ${characters} of ${column}: they are imported as unique as a whole.`
      : `${column} is unique by its ${characters}: it is imported as unique as a whole.`,
  )
}

/** The tokens between commas outside parentheses. */
export function itemsOf(tokens: readonly Token[]): Token[][] {
  const items: Token[][] = [[]]
  let depth = 0
  for (const token of tokens) {
    if (isSign(token, '(')) depth += 1
    if (isSign(token, ')')) depth -= 1
    if (depth === 0 && isSign(token, ',')) items.push([])
    else items.at(-1)?.push(token)
  }
  return items
}

function nameOf([first, second, third, fourth]: readonly Token[]): string | null {
  if (first?.kind !== 'name' && first?.kind !== 'word') return null
  if (first.kind === 'word' && first.upper === 'CASE' && second?.upper === 'WHEN') return null
  if (!second || second.kind === 'word' || second.kind === 'name') return first.value
  // `name(10)`: the number of indexed characters.
  const isPrefix = isSign(second, '(') && third?.kind === 'number' && isSign(fourth, ')')
  return isPrefix ? first.value : null
}

/** `REFERENCES table (columns) ON DELETE …`, up to the first word that does not belong to it. */
export function referenceOf(context: Context): RawReference {
  const { cursor } = context
  const line = context.lineOf(cursor.peek())
  cursor.expectWord('REFERENCES')
  const path = cursor.qualifiedName()
  const references = cursor.isSign('(') ? columnNames(context) : []
  let onDelete: ReferentialAction = 'noAction'
  let onUpdate: ReferentialAction = 'noAction'
  for (;;) {
    if (cursor.skipWords('MATCH')) cursor.take()
    else if (cursor.skipWords('ON', 'DELETE')) onDelete = action(context, line, 'DELETE')
    else if (cursor.skipWords('ON', 'UPDATE')) onUpdate = action(context, line, 'UPDATE')
    else return { line, path, references, onDelete, onUpdate }
  }
}

/** Names in parentheses. */
export function columnNames({ cursor }: Context): string[] {
  const names: string[] = []
  cursor.expectSign('(')
  do names.push(cursor.name())
  while (cursor.skipSign(','))
  cursor.expectSign(')')
  return names
}

function action(context: Context, line: number, on: 'DELETE' | 'UPDATE'): ReferentialAction {
  const { cursor } = context
  if (cursor.skipWords('CASCADE')) return 'cascade'
  if (cursor.skipWords('RESTRICT')) return 'restrict'
  if (cursor.skipWords('SET', 'NULL')) return 'setNull'
  if (cursor.skipWords('NO', 'ACTION')) return 'noAction'
  if (!cursor.skipWords('SET', 'DEFAULT'))
    cursor.fail('CASCADE, RESTRICT, SET NULL, SET DEFAULT or NO ACTION is expected')
  context.changed(line, `ON ${on} SET DEFAULT is imported as RESTRICT.`)
  return 'noAction'
}
