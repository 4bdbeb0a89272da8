import { constantOf } from './constant.ts'
import type { Context } from './context.ts'
import { parseExpression } from './expression-parser.ts'
import { isEnd, isSign, type Token } from './token.ts'

/** `ON TABLE t IS 'text'`, `ON COLUMN t.c IS 'text'`. Comments on other objects are ignored. */
export function commentOn(context: Context, start: Token): void {
  const { cursor } = context
  if (!cursor.skipWords('ON')) return
  const isColumn = cursor.isWord('COLUMN')
  if (cursor.isWord('CONSTRAINT', 'INDEX'))
    return context.lost(context.lineOf(start), 'A comment on a constraint or an index is ignored.')
  if (!isColumn && !cursor.isWord('TABLE')) return
  cursor.take()
  const parts = cursor.qualifiedName()
  cursor.expectWord('IS')
  const text = textOf(valueTokens(context, false))
  setComment(context, isColumn ? parts.slice(0, -1) : parts, isColumn ? (parts.at(-1) ?? '') : null, text, start)
}

const levels = ['name', 'value', 'level0type', 'level0name', 'level1type', 'level1name', 'level2type', 'level2name']

/** `sys.sp_addextendedproperty @name = N'MS_Description', @value = …`: how SQL Server stores a description. */
export function extendedProperty(context: Context, start: Token): void {
  const { cursor } = context
  const first = cursor.peek()
  const name = first.kind === 'word' || first.kind === 'name' ? cursor.qualifiedName().at(-1) : ''
  if (!/^sp_(?:add|update)extendedproperty$/i.test(name ?? '')) {
    return context.lost(
      context.lineOf(start),
      `Procedure ${context.quoted(name ?? '')} is not supported: the call is ignored.`,
    )
  }
  const parameters = new Map<string, string>()
  for (let position = 0; !isEnd(cursor.peek()); position += 1) {
    const isNamed = cursor.peek().value.startsWith('@') && isSign(cursor.peek(1), '=')
    const key = isNamed ? cursor.take().value.slice(1).toLowerCase() : (levels[position] ?? '')
    if (isNamed) cursor.take()
    parameters.set(key, textOf(valueTokens(context, true)))
    if (!cursor.skipSign(',')) break
  }
  if (parameters.get('level1type')?.toUpperCase() !== 'TABLE') return
  const property = parameters.get('name') ?? ''
  if (property !== 'MS_Description')
    return context.lost(context.lineOf(start), `Extended property ${context.quoted(property)} is ignored.`)
  const parts = [parameters.get('level0name') ?? '', parameters.get('level1name') ?? ''].filter(part => part !== '')
  const isColumn = parameters.get('level2type')?.toUpperCase() === 'COLUMN'
  if (parameters.has('level2type') && !isColumn && parameters.get('level2type') !== '')
    return context.lost(context.lineOf(start), 'A comment on a constraint or an index is ignored.')
  setComment(
    context,
    parts,
    isColumn ? (parameters.get('level2name') ?? '') : null,
    parameters.get('value') ?? '',
    start,
  )
}

/** The tokens up to the end of the statement or, for an argument, to a comma. */
function valueTokens({ cursor, dialect }: Context, isArgument: boolean): Token[] {
  const tokens: Token[] = []
  for (let depth = 0; !isEnd(cursor.peek());) {
    const token = cursor.peek()
    if (isArgument && depth === 0 && isSign(token, ',')) break
    if (dialect === 'mssql' && token.first && token.kind === 'word' && !token.value.startsWith('@') && depth === 0)
      break
    if (isSign(token, '(')) depth += 1
    if (isSign(token, ')')) depth -= 1
    tokens.push(cursor.take())
  }
  return tokens
}

/** '' for NULL and for anything but a text. */
function textOf(tokens: readonly Token[]): string {
  const expression = parseExpression(tokens)
  const constant = expression && constantOf(expression)
  return constant?.kind === 'text' ? constant.value : ''
}

function setComment(
  context: Context,
  parts: readonly string[],
  columnName: string | null,
  text: string,
  start: Token,
): void {
  const table = context.schema.find(parts)
  const column = table && columnName !== null ? context.schema.column(table, columnName) : undefined
  if (table && columnName === null) table.comment = text
  else if (column) column.comment = text
  else {
    const name = context.quoted([...parts, ...(columnName === null ? [] : [columnName])].join('.'))
    context.lost(
      context.lineOf(start),
      `${name} has a comment but is not created in the script: the comment is ignored.`,
    )
  }
}
