import { checkOf, collationName, columnDefinition, deferrable, unenforced } from './column-definition.ts'
import type { Context } from './context.ts'
import { createPartition, inheritedTables, likeTable, type Sources } from './copies.ts'
import { columnNames, keyColumns, type KeyColumns, referenceOf, remarkPrefix } from './keys.ts'
import { addQueryTable } from './other-statements.ts'
import { bindParts, definePart } from './parts.ts'
import { RawTable } from './read-schema.ts'
import { isEnd, isSign, type Token } from './token.ts'

export const temporary = 'A temporary table is imported as a permanent one.'

/** Applies CREATE [GLOBAL TEMPORARY …] TABLE; the cursor is after TABLE. */
export function createTable(context: Context, start: Token, replaces: boolean): void {
  const { cursor, schema } = context
  const isGuarded = cursor.skipWords('IF', 'NOT', 'EXISTS')
  const parts = cursor.qualifiedName()
  const line = context.lineOf(start)
  const name = context.quoted(parts.join('.'))
  if (cursor.skipWords('PARTITION', 'OF')) return createPartition(context, start, parts)
  const table = new RawTable(parts, schema.scope.current, line)
  context.attend(table)
  const sources: Sources = { missing: [] }
  if (cursor.skipWords('LIKE')) likeTable(context, table, sources)
  else if (cursor.isSign('(')) tableElements(context, table, sources)
  else {
    addQueryTable(context, start, parts)
    return cursor.skipStatement()
  }
  if (context.dialect === 'mssql' && parts.at(-1)?.startsWith('#') === true) context.changed(line, temporary)
  tableSuffix(context, table, sources)
  const [missing] = sources.missing
  if (missing && !context.isLast) {
    const message = `Table ${name} needs ${context.quoted(missing.join('.'))}, which is not created in the script.`
    return context.waitFor('table', missing, { start, message, does: 'create' })
  }
  addTable(context, table, { replaces, isGuarded })
}

/** How many columns take the memory of an empty table. */
const tableWeight = 4

function addTable(
  context: Context,
  table: RawTable,
  { replaces, isGuarded }: { replaces: boolean; isGuarded: boolean },
): void {
  const { schema } = context
  const { name, line } = table
  const existing = schema.tables.find([table.schema, name])
  const isSame = existing?.name === name && existing.schema === table.schema
  if (isSame && isGuarded) return context.note(line, 'A table that exists already is not created again.', { name })
  if (isSame && !replaces)
    return context.lost(line, `Table ${context.quoted(name)} is created twice: the second definition is ignored.`, {
      of: 'table',
    })
  if (isSame) schema.drop(existing, 'alone')
  context.countParts(tableWeight)
  schema.add(table)
  bindParts(table)
}

function tableElements(context: Context, table: RawTable, sources: Sources): void {
  const { cursor } = context
  cursor.take()
  do {
    if (cursor.isSign(')')) break
    if (cursor.isWord('LIKE') && cursor.peek(1).kind !== 'sign') {
      cursor.take()
      likeTable(context, table, sources)
    } else if (isConstraint(context)) tableConstraint(context, table)
    else if (!isLeftOut(context, table, '')) columnDefinition(context, table)
    cursor.skipItem()
  } while (cursor.skipSign(','))
  cursor.expectSign(')')
}

/** Whether a constraint or an index begins here rather than a column. */
export function isConstraint({ cursor }: Context): boolean {
  const [{ kind, upper }, next] = [cursor.peek(), cursor.peek(1)]
  if (kind !== 'word') return false
  switch (upper) {
    case 'CONSTRAINT':
      return true
    case 'PRIMARY':
    case 'FOREIGN':
      return next.upper === 'KEY'
    case 'CHECK':
      return isSign(next, '(')
    case 'UNIQUE':
      return isSign(next, '(') || isIndex({ cursor }) || uniqueWords.has(next.upper)
    case 'KEY':
    case 'INDEX':
      return isIndex({ cursor })
    case 'FULLTEXT':
    case 'SPATIAL':
      return next.upper === 'KEY' || next.upper === 'INDEX' || isIndex({ cursor })
    default:
      return false
  }
}

const uniqueWords = new Set(['KEY', 'INDEX', 'CLUSTERED', 'NONCLUSTERED', 'NULLS', 'USING'])
const indexWords = new Set(['USING', 'BTREE', 'HASH', 'UNIQUE', 'CLUSTERED', 'NONCLUSTERED', 'COLUMNSTORE', 'TYPE'])

/**
 * Whether a list of columns follows, after a name and words such as USING BTREE: the column `key varchar(9)` has a
 * number in parentheses, and the column `index text` no parentheses.
 */
function isIndex({ cursor }: Pick<Context, 'cursor'>): boolean {
  let at = 1
  if (indexWords.has(cursor.peek(at).upper) || !isName(cursor.peek(at))) at -= 1
  for (at += 1; indexWords.has(cursor.peek(at).upper); at += 1) if (cursor.peek(at).upper === 'COLUMNSTORE') return true
  const [open, first] = [cursor.peek(at), cursor.peek(at + 1)]
  return isSign(open, '(') && (isName(first) || isSign(first, '('))
}

function isName({ kind }: Token): boolean {
  return kind === 'word' || kind === 'name'
}

/**
 * Skips an element that is neither a column nor a key. Its words can also be column names.
 */
export function isLeftOut(context: Context, table: RawTable, name: string): boolean {
  const { cursor } = context
  const next = cursor.peek(1)
  const isOther =
    (cursor.isWord('EXCLUDE') && (next.upper === 'USING' || isSign(next, '('))) ||
    (cursor.isWord('PERIOD') && next.upper === 'FOR') ||
    (cursor.isWord('SUPPLEMENTAL') && next.upper === 'LOG') ||
    (cursor.isWord('SYSTEM') && next.upper === 'VERSIONING')
  if (!isOther) return false
  const token = cursor.take()
  cursor.skipItem()
  const message = context.textFrom(token)
  definePart(context, table, {
    kind: 'other',
    name,
    line: context.lineOf(token),
    columns: [],
    message,
    thing: 'other',
    tokens: [],
  })
  return true
}

export function tableConstraint(context: Context, table: RawTable): void {
  const { cursor } = context
  const isNamed =
    cursor.skipWords('CONSTRAINT') && !(cursor.isWord('PRIMARY', 'UNIQUE', 'FOREIGN', 'CHECK') && isConstraint(context))
  if (isNamed) cursor.skipWords('IF', 'NOT', 'EXISTS')
  const name = isNamed ? cursor.name() : ''
  if (isLeftOut(context, table, name)) return
  const line = context.lineOf(cursor.peek())
  if (cursor.isWord('CHECK')) checkOf(context, table, name)
  else if (cursor.skipWords('PRIMARY', 'KEY')) {
    const { key } = keyList(context, table, line)
    if (key) definePart(context, table, { kind: 'primary', name, line, columns: key.columns, isOneNull: false })
    if (key) remarkPrefix(context, line, key)
  } else if (cursor.skipWords('FOREIGN', 'KEY')) {
    wordsUpTo(context, '(')
    const columns = columnNames(context)
    const reference = referenceOf(context)
    definePart(context, table, { kind: 'foreignKey', name, line: reference.line, columns, reference })
  } else index(context, table, line, name)
  remarkUnenforced(context, line)
}

const specialKinds = ['FULLTEXT', 'SPATIAL', 'COLUMNSTORE']

function index(context: Context, table: RawTable, line: number, constraint: string): void {
  const { cursor } = context
  const start = cursor.peek()
  const { key, words, name: indexName } = keyList(context, table, line)
  const name = constraint === '' ? indexName : constraint
  if (key === undefined && !words.has('COLUMNSTORE')) return
  while (!cursor.isItemEnd() && !cursor.isWord('WHERE')) skipIndexOption(context, table, name)
  const isSpecial = specialKinds.some(word => words.has(word))
  const isUnique = words.has('UNIQUE')
  if (!key || isSpecial || cursor.isWord('WHERE')) {
    cursor.skipItem()
    const message = context.textFrom(start)
    return definePart(context, table, {
      kind: 'other',
      name,
      line,
      columns: key?.columns ?? [],
      message,
      thing: isUnique ? 'unique' : 'index',
      tokens: [],
    })
  }
  const { columns, descending } = key
  if (!isUnique) return definePart(context, table, { kind: 'index', name, line, columns, descending, isOneNull: false })
  remarkPrefix(context, line, key)
  const isOneNull = context.dialect === 'mssql' || words.has('DISTINCT')
  definePart(context, table, { kind: 'unique', name, line, columns, isOneNull })
}

/** Also reports a comment, which models do not have on indexes. */
function skipIndexOption(context: Context, table: RawTable, name: string): void {
  const { cursor } = context
  const token = cursor.peek()
  if (cursor.isWord('COMMENT') && cursor.peek(1).kind === 'text')
    context.lost(
      context.lineOf(token),
      `The comment on index ${context.quoted(name)} of table ${context.quoted(table.name)} is ignored.`,
      { of: 'comment' },
    )
  cursor.skipOne()
}

/** The name, the key columns and the words before them; no key, and a remark, if there is no column list. */
function keyList(
  context: Context,
  table: RawTable,
  line: number,
): { key?: KeyColumns | null; words: ReadonlySet<string>; name: string } {
  const { cursor } = context
  const words = new Set<string>()
  let name = ''
  while (!cursor.isItemEnd() && !cursor.isSign('(')) {
    const { kind, upper, value } = cursor.take()
    const isKeyword = kind === 'word' && keyWords.has(upper)
    if (isKeyword) words.add(upper)
    else if (name === '') name = value
  }
  if (cursor.isSign('(')) return { key: keyColumns(context), words, name }
  if (words.has('COLUMNSTORE')) return { words, name }
  const index = words.has('USING') && words.has('INDEX') ? table.part(name, ['index']) : undefined
  if (index) {
    context.schema.deletePart(index)
    return {
      key: { columns: index.columns.map(column => column.name), descending: [], prefix: null, hasOptions: false },
      words,
      name,
    }
  }
  context.lost(line, `A key without a column list of table ${context.quoted(table.name)} is ignored.`)
  return { words, name }
}

const keyWords = new Set(
  `UNIQUE KEY INDEX FULLTEXT SPATIAL CLUSTERED NONCLUSTERED COLUMNSTORE USING BTREE HASH NULLS NOT DISTINCT`.split(' '),
)

function wordsUpTo({ cursor }: Context, sign: string): void {
  while (!cursor.isItemEnd() && !cursor.isSign(sign)) cursor.take()
}

/** `DISABLE`, `NOT ENFORCED`. */
function remarkUnenforced(context: Context, line: number): void {
  const { cursor } = context
  for (; !cursor.isItemEnd(); cursor.skipOne()) {
    const isNot = cursor.isWord('DISABLE') || (cursor.isWord('NOT') && cursor.peek(1).upper === 'ENFORCED')
    if (isNot) context.changed(line, unenforced)
    if (cursor.isWord('NOT') && cursor.peek(1).upper === 'DEFERRABLE') cursor.take()
    else if (cursor.isWord('DEFERRABLE')) context.remarkOnce({ line, kind: 'changed', message: deferrable })
  }
}

/** Words after which a table's storage is described. */
const storageWords = new Set(
  'TABLESPACE STORAGE PCTFREE PCTUSED COMPRESS ROW_FORMAT KEY_BLOCK_SIZE FILESTREAM_ON'.split(' '),
)

function isStorage({ cursor }: Context): boolean {
  const { kind, upper } = cursor.peek()
  return kind === 'word' && (storageWords.has(upper) || (upper === 'WITH' && isSign(cursor.peek(1), '(')))
}

/** Reports once for a table that its storage has options. */
export function remarkStorage(context: Context, table: RawTable, { at }: Pick<Token, 'at'>): void {
  if (table.isStorageReported) return
  table.isStorageReported = true
  context.note(context.lineOf({ at }), 'Storage options are not imported.', { name: table.name })
}

/** Reads a comment after the column list and reports clauses that affect the rows. */
function tableSuffix(context: Context, table: RawTable, sources: Sources): void {
  const { cursor } = context
  while (!isEnd(cursor.peek())) {
    const token = cursor.peek()
    if (
      context.dialect === 'mssql' &&
      token.first &&
      token.kind === 'word' &&
      !cursor.isWord('ON', 'WITH', 'TEXTIMAGE_ON')
    )
      return
    // The next object of CREATE SCHEMA.
    if (cursor.isWord('CREATE')) return
    if (cursor.skipWords('COMMENT')) {
      cursor.skipSign('=')
      if (cursor.peek().kind === 'text') table.comment = cursor.take().value
    } else if (cursor.isWord('INHERITS') && isSign(cursor.peek(1), '(')) {
      cursor.take()
      inheritedTables(context, table, sources)
    } else {
      const isReported =
        cursor.isWord('INHERITS', 'PARTITION', 'SELECT', 'AS') ||
        (cursor.isWord('SYSTEM') && cursor.peek(1).upper === 'VERSIONING') ||
        (cursor.isWord('EXTERNAL') && context.dialect === 'oracle')
      if (isReported)
        context.lost(context.lineOf(token), `${token.upper} of table ${context.quoted(table.name)} is ignored.`)
      else if (isStorage(context)) remarkStorage(context, table, token)
      else if (cursor.skipWords('COLLATE')) {
        cursor.skipSign('=')
        table.collation = collationName(context)
        continue
      }
      cursor.skipOne()
    }
  }
}
