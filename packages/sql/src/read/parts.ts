import { databases } from '../databases.ts'
import type { Dialect } from '../dialect.ts'
import { columnNames } from './checks.ts'
import type { Context } from './context.ts'
import type { Thing } from '@cadmus/model/import-things'
import { thingOf } from './declared.ts'
import type { Expression } from './expression.ts'
import type { RawColumn, RawOther, RawPart, RawReference, RawTable, Span } from './read-schema.ts'
import type { Token } from './token.ts'

/** A part of a table as written: its columns by name. */
export type PartDefinition = { name: string; line: number; columns: readonly string[] } & (
  | ({ kind: 'primary' | 'unique' | 'index'; isOneNull: boolean } & KeyDetails)
  | {
      kind: 'check'
      expression: Expression | null
      span: Span
      tokens: readonly Token[]
      /** Present names of columns that had others in the expression. */
      renamed?: ReadonlyMap<string, string>
    }
  | { kind: 'foreignKey'; reference: RawReference }
  | { kind: RawOther['kind']; message: string; thing: Thing; tokens: readonly Token[] }
)

type KeyDetails = { descending?: readonly string[]; onlyPresent?: boolean | undefined }

/** How many columns take the memory and time of a constraint, which is found by several names. */
const partWeight = 8

/** Adds a part to a table; while the table is created, as soon as its columns are known. */
export function definePart(context: Context, table: RawTable, definition: PartDefinition): void {
  context.countParts(partWeight)
  if (table.unbound) table.unbound.push(() => bind(context, table, definition))
  else bind(context, table, definition)
}

/** Adds a primary key that the database makes for a table without another one. */
export function implyKey(context: Context, table: RawTable, definition: PartDefinition): void {
  const define = () => {
    if (!table.primaryKey) definePart(context, table, definition)
  }
  if (table.unbound) table.impliedKey = define
  else define()
}

/** The columns of a new table are known from now on. */
export function bindParts(table: RawTable): void {
  const unbound = table.unbound ?? []
  table.unbound = null
  for (const part of unbound) part()
  table.impliedKey?.()
}

function bind(context: Context, table: RawTable, definition: PartDefinition): void {
  const columns = columnsOf(context, table, definition)
  if (!columns) return
  const { line, kind } = definition
  const name = definition.name === '' ? impliedName(context, table, kind, columns) : definition.name
  const base = { name, schema: table.schema, line, table, columns }
  switch (definition.kind) {
    case 'primary':
      if (table.primaryKey)
        return context.lost(line, `Table ${context.quoted(table.name)} has a second primary key: it is ignored.`, {
          of: 'key',
        })
      for (const column of columns) column.nullable = false
      return context.schema.addPart({ ...base, kind: 'primary', isOneNull: false, stated: definition.name })
    case 'unique':
    case 'index':
      return context.schema.addPart({
        ...base,
        kind: definition.kind,
        isOneNull: definition.isOneNull,
        stated: definition.name,
        onlyPresent: definition.onlyPresent ?? false,
        descending: columns.filter((_column, at) => definition.descending?.includes(definition.columns[at] ?? '')),
      })
    case 'check': {
      const { expression, span, name: stated } = definition
      const named = namedColumns(table, definition)
      const [column] = named.size === 1 ? named.values() : []
      return context.schema.addPart({ ...base, kind: 'check', expression, span, column: column ?? null, named, stated })
    }
    case 'foreignKey': {
      const key = { ...base, kind: 'foreignKey' as const, ...definition.reference, target: null }
      context.schema.addPart(key)
      return context.schema.bindTarget(key)
    }
    default:
      context.schema.addPart({ ...base, kind: definition.kind, message: definition.message, thing: definition.thing })
  }
}

/** The columns of a condition by the names in it. */
function namedColumns(
  table: RawTable,
  { expression, renamed }: PartDefinition & { kind: 'check' },
): Map<string, RawColumn | undefined> {
  const names = expression ? [...columnNames(expression)] : []
  return new Map(names.map(name => [name, table.column(renamed?.get(name) ?? name)]))
}

/** Undefined, and a remark, if the table does not have one of the columns. */
function columnsOf(context: Context, table: RawTable, definition: PartDefinition): RawColumn[] | undefined {
  const columns: RawColumn[] = []
  const missing = (name: string) =>
    context.lost(
      definition.line,
      `Table ${context.quoted(table.name)} has no column ${context.quoted(name)}: its ${nouns[definition.kind]} is ignored.`,
      { of: thingOf(definition) },
    )
  for (const name of definition.columns) {
    const column = table.column(name)
    if (!column) return void missing(name)
    columns.push(column)
  }
  if (!('tokens' in definition)) return columns
  const mentioned = definition.tokens
    .filter(({ kind }) => kind === 'word' || kind === 'name')
    .map(({ value }) => table.column(value))
  return [...new Set([...columns, ...mentioned.filter(column => column !== undefined)])]
}

const nouns: Readonly<Record<RawPart['kind'], string>> = {
  primary: 'primary key',
  unique: 'unique constraint',
  index: 'index',
  check: 'check',
  foreignKey: 'foreign key',
  default: 'default value',
  other: 'index or constraint',
}

const { impliedName: postgresqlName }: Dialect = databases.postgresql.export
const labels = { primary: 'pkey', unique: 'key', index: 'idx', check: 'check', foreignKey: 'fkey' } as const
const mysqlLabels = { check: 'chk', foreignKey: 'ibfk' } as const

/** The name that the database gives to a nameless part; '' if it cannot be foreseen. */
function impliedName(
  { dialect }: Context,
  table: RawTable,
  kind: RawPart['kind'],
  columns: readonly RawColumn[],
): string {
  if (kind === 'default' || kind === 'other') return ''
  if (dialect === 'mysql') {
    if (kind === 'primary') return 'PRIMARY'
    if (kind === 'check' || kind === 'foreignKey')
      return numbered(table, kind, `${table.name}_${mysqlLabels[kind]}_`, 1)
    return numbered(table, kind, columns[0]?.name ?? '', 0, '_')
  }
  if (dialect !== 'postgresql') return ''
  const label = labels[kind]
  if (kind === 'primary') return `${table.name}_${label}`
  const isNamed = kind !== 'check' || columns.length === 1
  const names = columns.map(({ name }) => name).join('_')
  if (!isNamed) return numbered(table, kind, `${table.name}_${label}`, 0)
  return numbered(table, kind, postgresqlName?.(table.name, names, label) ?? '', 0)
}

/** The name with the next free number; without one for 0. */
function numbered(table: RawTable, kind: RawPart['kind'], start: string, first: number, separator = ''): string {
  for (;;) {
    const number = table.numbers.get(`${kind} ${start}`) ?? first
    table.numbers.set(`${kind} ${start}`, number + 1)
    const shownNumber = separator !== '' && number > 0 ? number + 1 : number
    const name = number === 0 ? start : `${start}${separator}${shownNumber}`
    if (!table.hasName(kind, name)) return name
  }
}
