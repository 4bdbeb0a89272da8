import type { Context } from './context.ts'
import { definePart } from './parts.ts'
import { newColumn, type RawColumn, type RawPart, RawTable } from './read-schema.ts'
import type { Token } from './token.ts'

/** Exceeds the nesting of partitions in any database. */
const maxNesting = 20

/** Another table that a new one needs; `names` of those that are not created yet are added to it. */
export type Sources = { missing: string[][] }

/** `LIKE source INCLUDING ALL`; the cursor is after LIKE. */
export function likeTable(context: Context, table: RawTable, sources: Sources): void {
  const { cursor, dialect } = context
  const start = cursor.peek()
  const parts = cursor.qualifiedName()
  const included = new Set(dialect === 'mysql' ? ['ALL'] : [])
  while (cursor.isWord('INCLUDING', 'EXCLUDING')) {
    const isIncluded = cursor.take().upper === 'INCLUDING'
    const option = cursor.take().upper
    if (isIncluded) included.add(option)
    else if (included.delete('ALL')) for (const one of options) if (one !== option) included.add(one)
  }
  const source = context.schema.tables.find(parts)
  if (source) return copyTable(context, source, table, included)
  if (context.isLast)
    context.lost(
      context.lineOf(start),
      `${context.quoted(parts.join('.'))} is not in the script: its columns are not copied.`,
    )
  sources.missing.push(parts)
}

const options = ['DEFAULTS', 'IDENTITY', 'GENERATED', 'COMMENTS', 'INDEXES', 'CONSTRAINTS']

function copyTable(context: Context, source: RawTable, table: RawTable, included: ReadonlySet<string>): void {
  const has = (option: string) => included.has('ALL') || included.has(option)
  countSource(context, source)
  for (const column of source.liveColumns) {
    if (table.column(column.name)) continue
    table.addColumn({
      ...newColumn(column.name, column.line, column.type),
      nullable: column.nullable,
      default: has('DEFAULTS') ? column.default : null,
      identity: has('IDENTITY') && column.identity,
      comment: has('COMMENTS') ? column.comment : '',
    })
  }
  if (has('COMMENTS') && context.dialect === 'mysql') table.comment ||= source.comment
  const line = context.lineOf(context.cursor.peek())
  for (const part of source.parts) {
    const isCopied = part.kind === 'check' ? has('CONSTRAINTS') : part.kind !== 'foreignKey' && has('INDEXES')
    if (isCopied) copyPart(context, part, table, line)
  }
}

/** How many columns take the memory and time of one constraint, which is found by several names. */
const constraintWeight = 20

function countSource(context: Context, { columns, parts }: RawTable): void {
  context.countParts(columns.length + constraintWeight * parts.length)
}

function copyPart(context: Context, part: RawPart, table: RawTable, line: number): void {
  const columns = part.columns.filter(({ isDropped }) => !isDropped).map(({ name }) => name)
  // The expression of a check has the names that its columns had.
  if (columns.length !== part.columns.length) return
  const base = { name: context.dialect === 'mysql' ? part.name : '', line, columns }
  switch (part.kind) {
    case 'primary':
    case 'unique':
    case 'index':
      return definePart(context, table, { ...base, kind: part.kind, isOneNull: part.isOneNull })
    case 'check': {
      const { expression, span, named } = part
      const renamed = new Map([...named].flatMap(([name, column]) => (column ? [[name, column.name] as const] : [])))
      return definePart(context, table, { ...base, kind: 'check', expression, span, renamed, tokens: [] })
    }
    case 'other':
      return definePart(context, table, {
        ...base,
        kind: 'other',
        message: part.message,
        thing: part.thing,
        tokens: [],
      })
  }
}

/** `INHERITS (parents)`; the cursor is at the parenthesis. */
export function inheritedTables(context: Context, table: RawTable, sources: Sources): void {
  const { cursor } = context
  const start = cursor.peek()
  const inherited: RawColumn[] = []
  cursor.expectSign('(')
  do {
    if (cursor.isSign(')')) break
    const parts = cursor.qualifiedName()
    const parent = context.schema.tables.find(parts)
    if (!parent) {
      sources.missing.push(parts)
      continue
    }
    for (const column of inherit(context, table, parent)) inherited.push(column)
    context.changed(
      context.lineOf(start),
      `Table ${context.quoted(table.name)} inherits from ${context.quoted(parts.join('.'))}: it has a copy of each column.`,
    )
  } while (cursor.skipSign(','))
  cursor.expectSign(')')
  // Inherited columns come first.
  if (inherited.length > 0) table.putFirst(inherited)
}

/** Adds the columns and checks of a parent; returns the new columns. */
export function inherit(context: Context, table: RawTable, parent: RawTable): RawColumn[] {
  countSource(context, parent)
  parent.heirs.add(table)
  const columns = parent.liveColumns.filter(column => !table.column(column.name)).map(column => ({ ...column }))
  for (const column of columns) table.addColumn(column)
  for (const part of parent.parts) if (part.kind === 'check') copyPart(context, part, table, part.line)
  return columns
}

/** `CREATE TABLE name PARTITION OF parent …`; the cursor is after OF. */
export function createPartition(context: Context, start: Token, parts: readonly string[]): void {
  const { cursor, schema } = context
  const parentName = cursor.qualifiedName()
  const parent = schema.tables.find(parentName)
  const line = context.lineOf(start)
  const names = `${context.quoted(parts.join('.'))} is a partition of ${context.quoted(parentName.join('.'))}`
  if (!parent)
    return context.waitFor('table', parentName, {
      start,
      message: `${names}, which is not created: it is ignored.`,
      of: 'table',
    })
  const table = new RawTable(parts, schema.scope.current, line)
  if (!attach(context, parent, table, line)) return
  countSource(context, parent)
  for (const column of parent.liveColumns) table.addColumn({ ...column })
  table.unbound = null
  schema.add(table)
}

/** `ATTACH PARTITION name …`; the cursor is after PARTITION. */
export function attachPartition(context: Context, start: Token, parent: RawTable): void {
  const { cursor, schema } = context
  const parts = cursor.qualifiedName()
  const table = schema.tables.find(parts)
  const message = `${context.quoted(parts.join('.'))} is attached as a partition but not created in the script.`
  if (table) attach(context, parent, table, context.lineOf(start))
  else context.waitFor('table', parts, { start, message })
}

/** False, and a remark, for a partition of itself. */
function attach(context: Context, parent: RawTable, table: RawTable, line: number): boolean {
  let ancestor: RawTable | null = parent
  for (let level = 0; ancestor && ancestor !== table && level < maxNesting; level += 1) ancestor = ancestor.partitionOf
  if (ancestor) {
    context.lost(line, `Table ${context.quoted(table.name)} cannot be a partition of ${context.quoted(parent.name)}.`, {
      of: 'table',
    })
    return false
  }
  table.partitionOf = parent
  parent.partitions.add(table)
  return true
}

export function detachPartition(context: Context, parent: RawTable): void {
  const table = context.schema.tables.find(context.cursor.qualifiedName())
  if (table?.partitionOf !== parent) return
  table.partitionOf = null
  parent.partitions.delete(table)
}
