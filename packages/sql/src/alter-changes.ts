import type { SchemaGrade, SchemaStep } from '@cadmus/model/schema-step'
import type { ColumnPair, SchemaPairs, TablePair } from './alter-pairs.ts'
import { countKey, isHistory } from './alter-pairs.ts'
import { isConvertible, misfitOf } from './alter-conversions.ts'
import { withColumns } from '@cadmus/model/conditions/types'
import { isSameType } from './column-types.ts'
import type { Dialect } from './dialect.ts'
import { scriptedOf } from './scripted-conversions.ts'
import type { Column, Table } from './tree.ts'

export type ChangeKind =
  | 'newTable'
  | 'droppedTable'
  | 'renamed'
  | 'newColumn'
  | 'droppedColumn'
  | 'inconvertible'
  | 'misfits'
  | 'type'
  | 'required'
  | 'optional'
  | 'default'
  | 'identity'
  | 'target'
  | 'keys'
  | 'foreignKeys'
  | 'order'
  | 'data'
  | 'lostData'

export type SchemaChange = Readonly<SchemaStep> & {
  readonly kind: ChangeKind
  /** What changes: a table or a column. */
  readonly of: Table | Column | ColumnPair
  /** A query that returns rows if data would be lost. */
  readonly query: string | null
  /** Identifies its count. */
  readonly key: string
}

export function changesOf({ pairs, added, dropped }: SchemaPairs, dialect: Dialect): SchemaChange[] {
  return [
    ...added.map(table => change('newTable', 'safe', table, null, 'is new.')),
    ...pairs.flatMap(pair => tableChanges(pair, dialect)),
    ...targetChanges(pairs, dialect),
    ...dropped.map(table =>
      loss('droppedTable', table, null, 'is dropped with all its records.', rowsOf(table, dialect)),
    ),
  ]
}

function tableChanges(pair: TablePair, dialect: Dialect): SchemaChange[] {
  const { before, after, columns, added, dropped, isSame } = pair
  if (isSame) return []
  const isRenamed = before.name !== after.name
  const changes = [
    ...(isRenamed ? [change('renamed', 'locks', before, null, `is renamed to '${after.source.name}'.`)] : []),
    ...added.map(column => change('newColumn', 'locks', after, column, 'is new.')),
    ...dropped.flatMap(column => droppedChanges(pair, column, dialect)),
    ...columns.flatMap(columnPair => columnChanges(before, after, columnPair, dialect)),
    ...constraintChanges(pair),
  ]
  return changes.length > 0
    ? changes
    : [change('order', 'locks', after, null, 'changes the order of its columns or the names of its constraints.')]
}

function droppedChanges({ before, carried }: TablePair, column: Column, dialect: Dialect): SchemaChange[] {
  const way = carried?.get(column)
  if (way === 'replaced') return []
  if (way === 'carried') return [change('data', 'locks', before, column, 'is dropped: data steps carry its values.')]
  return [loss('droppedColumn', before, column, 'is dropped with its values.', valuesOf(before, column, dialect))]
}

function columnChanges(before: Table, after: Table, pair: ColumnPair, dialect: Dialect): SchemaChange[] {
  const { before: old, after: now } = pair
  const changes: SchemaChange[] = []
  const locks = (kind: ChangeKind, text: string) => void changes.push(change(kind, 'locks', after, now, text, pair))
  for (const text of pair.data?.texts ?? []) locks('data', text)
  for (const { text, condition } of pair.data?.lost ?? [])
    changes.push(loss('lostData', after, now, text, rowsOf(before, dialect, condition), pair))
  if (old.name !== now.name && !pair.data)
    changes.push(change('renamed', 'locks', before, old, `is renamed to '${now.source.name}'.`, pair))
  const misfit = isConvertible(pair) ? misfitOf(pair, dialect) : null
  if (!isConvertible(pair)) {
    const text = 'changes to a type to which its values cannot be converted.'
    changes.push(loss('inconvertible', after, now, text, valuesOf(before, old, dialect), pair))
  } else if (misfit !== null) {
    const text =
      scriptedOf(dialect) === undefined
        ? 'changes its type, and loses the values that do not fit the new one.'
        : 'changes its type: values that do not fit the new one are rounded or stop the statements.'
    changes.push(loss('misfits', after, now, text, rowsOf(before, dialect, misfit), pair))
  } else if (!isSameType(old.type, now.type) && !pair.data) locks('type', 'changes its type.')
  if (old.nullable && !now.nullable) {
    const filled = now.default === null ? '' : ', and records without it get its default'
    locks('required', `becomes required${filled}.`)
  }
  if (pair.data) return changes
  if (!old.nullable && now.nullable) locks('optional', 'becomes optional.')
  if (JSON.stringify(old.default) !== JSON.stringify(now.default)) locks('default', 'changes its default value.')
  if (old.identity !== now.identity) locks('identity', `is ${now.identity ? '' : 'no longer '}generated.`)
  return changes
}

/**
 * A foreign key value identifies a record of its target: after a change of the target it identifies another record or
 * none.
 */
function targetChanges(pairs: readonly TablePair[], dialect: Dialect): SchemaChange[] {
  const targets = new Map(pairs.map(pair => [pair.before.name, pair]))
  return pairs.flatMap(({ before, after, columns }) =>
    columns.flatMap(pair => {
      const old = targetOf(before, pair.before)
      const now = targetOf(after, pair.after)
      if (!old || !now || !isConvertible(pair)) return []
      const target = targets.get(old.table)
      const column = target?.columns.find(one => one.before.name === old.column)
      if (target?.after.name === now.table && column?.after.name === now.column) return []
      const text = 'refers to a different target, where its values identify other records.'
      return [loss('target', after, pair.after, text, valuesOf(before, pair.before, dialect), pair)]
    }),
  )
}

/** The column of a value that a data step computes has another name. */
function targetOf(
  { columns, foreignKeys }: Table,
  { source }: Column,
): { table: string; column: string | undefined } | null {
  const key = foreignKeys.find(one => one.source.uid === source.uid)
  const own = columns.find(one => one.source.uid === source.uid)
  if (!key || !own) return null
  return { table: key.references.table, column: key.references.columns[key.columns.indexOf(own.name)] }
}

/** Compares constraints by their contents, with columns renamed to their new names. */
function constraintChanges({ before, after, columns }: TablePair): SchemaChange[] {
  const now = new Map(columns.map(pair => [pair.before.name, pair.after.name]))
  const renamed = (names: readonly string[]) => names.map(name => now.get(name) ?? `${name} (gone)`)
  const differs = (what: string, old: unknown, other: unknown) =>
    JSON.stringify(old) === JSON.stringify(other)
      ? []
      : [change(what === 'relations' ? 'foreignKeys' : 'keys', 'locks', after, null, `changes its ${what}.`)]
  return [
    ...differs('key', renamed(before.primaryKey?.columns ?? []), after.primaryKey?.columns ?? []),
    ...differs(
      'unique fields',
      before.uniques.map(key => renamed(key.columns)),
      after.uniques.map(key => key.columns),
    ),
    ...differs(
      'choices',
      before.checks.map(({ column, values }) => [...renamed([column]), values]),
      after.checks.map(({ column, values }) => [column, values]),
    ),
    ...differs(
      'checks',
      (before.conditions ?? []).map(({ condition }) =>
        withColumns(condition, column => ({ ...column, name: renamed([column.name])[0] })),
      ),
      (after.conditions ?? []).map(({ condition }) => condition),
    ),
    ...differs(
      'indexes',
      before.indexes.map(index => [renamed(index.columns), index.unique, index.descending]),
      after.indexes.map(index => [index.columns, index.unique, index.descending]),
    ),
    ...differs(
      'relations',
      before.foreignKeys.map(key => [renamed(key.columns), key.references, key.onDelete, key.onUpdate]),
      after.foreignKeys.map(key => [key.columns, key.references, key.onDelete, key.onUpdate]),
    ),
  ]
}

/** `what` describes the column or, if it is null, the table. */
function change(
  kind: ChangeKind,
  grade: SchemaGrade,
  table: Table,
  column: Column | null,
  what: string,
  of: SchemaChange['of'] = column ?? table,
): SchemaChange {
  const subject = column ? fieldOf(table, column) : titleOf(table)
  const attribute = column?.source.name.trim() ?? ''
  const key = countKey(table, column, kind, kind === 'lostData' ? what : '')
  return { grade, entity: table.source.name, attribute, text: `${subject} ${what}`, query: null, key, kind, of }
}

function loss(
  kind: ChangeKind,
  table: Table,
  column: Column | null,
  what: string,
  query: string,
  of?: ColumnPair,
): SchemaChange {
  return { ...change(kind, 'losesData', table, column, what, of), query }
}

function titleOf(table: Table): string {
  return isHistory(table) ? `The history of '${table.source.name}'` : `'${table.source.name}'`
}

/** The name of a column in messages. */
export function fieldOf(table: Table, { source }: Column): string {
  return `'${source.name.trim()}' of '${table.source.name}'`
}

function valuesOf(table: Table, { name }: Column, dialect: Dialect): string {
  return rowsOf(table, dialect, `${dialect.quote(name)} IS NOT NULL`)
}

/** A query that returns rows if the condition is true for any row of the table. */
export function rowsOf(table: Table, dialect: Dialect, condition = '1 = 1', limit = 1): string {
  return `SELECT 1 FROM ${recordsOf(table, dialect)} WHERE ${condition} LIMIT ${limit}`
}

/** The records of a table with its computed columns, as a table of a query. `name`: another one that the table has. */
export function recordsOf({ name: own, computed }: Table, { quote }: Pick<Dialect, 'quote'>, name = own): string {
  if (computed === undefined) return quote(name)
  const columns = computed.map(one => `${one.sql} AS ${quote(one.name)}`).join(', ')
  return `(SELECT ${quote(name)}.*, ${columns} FROM ${quote(name)}) ${quote('cadmus_records')}`
}
