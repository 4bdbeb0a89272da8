import { constantOf } from './constant.ts'
import type { Context } from './context.ts'
import { enumeratedTypes } from './enumerations.ts'
import { parseExpression } from './expression-parser.ts'
import { storedRename } from './rename.ts'
import { isEnd, isSign, type Token } from './token.ts'

/** Objects whose names belong to a table or type of the script. */
const partObjects = new Set('CONSTRAINT INDEX TYPE DOMAIN VIEW MATERIALIZED'.split(' '))

/** `ON TABLE t IS 'text'`, `ON COLUMN t.c IS 'text'`. Comments on other objects are not imported. */
export function commentOn(context: Context, start: Token): void {
  const { cursor } = context
  if (!cursor.skipWords('ON')) return
  const isColumn = cursor.isWord('COLUMN')
  const object = cursor.peek()
  cursor.take()
  if (partObjects.has(object.upper)) return commentOnPart(context, start, object.upper)
  if (!isColumn && object.upper !== 'TABLE')
    return context.note(context.lineOf(start), otherComments, { name: objectName(context, object) })
  const parts = cursor.qualifiedName()
  cursor.expectWord('IS')
  const text = textOf(valueTokens(context, false))
  setComment(context, isColumn ? parts.slice(0, -1) : parts, isColumn ? (parts.at(-1) ?? '') : null, text, start)
}

const otherComments = 'Comments are imported only on tables and columns.'

/** The kind and name of an object, such as `function a.f`. */
function objectName(context: Context, kind: Token): string {
  const { cursor } = context
  while (!isEnd(cursor.peek()) && !cursor.isWord('IS')) cursor.skipOne()
  return context.textFrom(kind)
}

/** `IS NULL` removes a comment. */
function commentOnPart(context: Context, start: Token, kind: string): void {
  const { cursor } = context
  const parts = cursor.qualifiedName()
  const type = kind === 'TYPE' || kind === 'DOMAIN' ? context.schema.types.find(parts) : undefined
  if (type && enumeratedTypes(context, [type]).length > 0 && cursor.skipWords('IS')) {
    type.comment = textOf(valueTokens(context, false))
    return
  }
  while (!isEnd(cursor.peek()) && !cursor.isWord('IS')) cursor.take()
  if (!cursor.skipWords('IS', 'NULL')) remarkComment(context, start, parts)
}

function remarkComment(context: Context, start: Token, parts: readonly string[]): void {
  context.lost(
    context.lineOf(start),
    `The comment on ${context.quoted(parts.join('.'))} is ignored: it is neither a table nor a column.`,
    { of: 'comment' },
  )
}

const propertyParameters = 'name value level0type level0name level1type level1name level2type level2name'.split(' ')
const renameParameters = ['objname', 'newname', 'objtype']

/** A procedure of SQL Server; the cursor is at its name. */
export function callProcedure(context: Context, start: Token): void {
  const { cursor } = context
  // `EXEC @result = procedure`
  if (cursor.peek().value.startsWith('@') && isSign(cursor.peek(1), '=')) for (const _ of '@=') cursor.take()
  const first = cursor.peek()
  call(context, start, first.kind === 'word' || first.kind === 'name' ? (cursor.qualifiedName().at(-1) ?? '') : '')
}

/** Calls the procedure of the name; the cursor is after it. */
export function call(context: Context, start: Token, name: string): void {
  if (/^sp_(?:add|update|drop)extendedproperty$/i.test(name))
    return extendedProperty(context, start, parametersOf(context, propertyParameters))
  if (/^sp_rename$/i.test(name)) return storedRename(context, start, parametersOf(context, renameParameters))
  context.lost(context.lineOf(start), `Procedure ${context.quoted(name)} is not supported: the call is ignored.`)
}

function parametersOf(context: Context, names: readonly string[]): Map<string, string> {
  const { cursor } = context
  const parameters = new Map<string, string>()
  for (let position = 0; !isEnd(cursor.peek()); position += 1) {
    const isNamed = cursor.peek().value.startsWith('@') && isSign(cursor.peek(1), '=')
    const key = isNamed ? cursor.take().value.slice(1).toLowerCase() : (names[position] ?? '')
    if (isNamed) cursor.take()
    parameters.set(key, argument(context, valueTokens(context, true)))
    if (!cursor.skipSign(',')) break
  }
  return parameters
}

/** A text, a name with or without brackets, or a variable. */
function argument(context: Context, tokens: readonly Token[]): string {
  const [token] = tokens
  if (tokens.length !== 1 || !token || token.upper === 'NULL') return textOf(tokens)
  if (token.kind === 'name') return token.value
  if (token.kind !== 'word') return textOf(tokens)
  return token.value.startsWith('@') ? (context.variables.get(token.upper) ?? '') : token.value
}

/** `SET @v = N'text'`, as tools write the value of a property; the cursor is after SET or DECLARE. */
export function setVariable(context: Context): void {
  const { cursor } = context
  const { value, upper } = cursor.peek()
  if (!value.startsWith('@')) return
  cursor.take()
  while (!cursor.isItemEnd() && !cursor.isSign('=')) cursor.skipOne()
  if (cursor.skipSign('=')) context.variables.set(upper, textOf(valueTokens(context, true)))
}

/** `sys.sp_addextendedproperty @name = N'MS_Description', @value = …`: how SQL Server's tools store a description. */
function extendedProperty(context: Context, start: Token, parameters: ReadonlyMap<string, string>): void {
  const line = context.lineOf(start)
  const get = (name: string) => parameters.get(name) ?? ''
  const property = get('name')
  if (!/^(?:MS_)?Description$/i.test(property))
    return context.lost(line, `Extended property ${context.quoted(property)} is ignored.`)
  const names = [get('level0name'), get('level1name')].filter(part => part !== '').map(unbracketed)
  const [table, part] = [get('level1type').toUpperCase(), get('level2type').toUpperCase()]
  const column = unbracketed(get('level2name'))
  if (table === '') return context.note(line, otherComments, { name: names[0] ?? 'database' })
  if (table !== 'TABLE' || (part !== '' && part !== 'COLUMN'))
    return remarkComment(context, start, column === '' ? names : [...names, column])
  setComment(context, names, part === 'COLUMN' ? column : null, get('value'), start)
}

/** Some tools write the brackets of a name into its text. */
function unbracketed(name: string): string {
  return /^\[[^\]]+\]$/.test(name) ? name.slice(1, -1) : name
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
  const table = context.schema.tables.find(parts)
  const column = table && columnName !== null ? table.column(columnName) : undefined
  const name = context.quoted([...parts, ...(columnName === null ? [] : [columnName])].join('.'))
  const message = `${name} has a comment but is not created in the script: the comment is ignored.`
  context.attend(table ?? null)
  if (!table) context.waitFor('table', parts, { start, message, of: 'comment' })
  else if (columnName === null) table.comment = text
  else if (column) column.comment = text
  else context.lost(context.lineOf(start), message, { of: 'comment' })
}
