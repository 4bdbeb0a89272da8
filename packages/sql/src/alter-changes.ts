import type { SchemaGrade, SchemaStep } from '@cadmus/model/schema-step'
import type { ColumnPair, SchemaPairs, TablePair } from './alter-pairs.ts'
import { isHistory } from './alter-pairs.ts'
import { isKept } from './alter-values.ts'
import { isSameType } from './column-types.ts'
import type { Dialect } from './dialect.ts'
import type { Column, Table } from './tree.ts'

export type SchemaChange = Readonly<SchemaStep> & {
  /** Of what loses data: a query that has rows where there are any to lose. */
  readonly asks: string | null
}

export function changesOf({ pairs, added, dropped }: SchemaPairs, dialect: Dialect): SchemaChange[] {
  return [
    ...added.map(table => change('safe', table, null, 'is new.')),
    ...pairs.flatMap(pair => tableChanges(pair, dialect)),
    ...targetChanges(pairs, dialect),
    ...dropped.map(table => lost(table, null, 'goes, with all its records.', rowsOf(table, dialect))),
  ]
}

function tableChanges(pair: TablePair, dialect: Dialect): SchemaChange[] {
  const { before, after, columns, added, dropped, isSame } = pair
  if (isSame) return []
  const isRenamed = before.name !== after.name
  const found = [
    ...(isRenamed ? [change('locks', before, null, `is called '${after.source.name}'.`)] : []),
    ...added.map(column => change('locks', after, column, 'is new.')),
    ...dropped.map(column => lost(before, column, 'goes, with its values.', valuesOf(before, column, dialect))),
    ...columns.flatMap(columnPair => columnChanges(before, after, columnPair, dialect)),
    ...constraintChanges(pair),
  ]
  return found.length > 0 ? found : [change('locks', after, null, 'has another order or other names of constraints.')]
}

function columnChanges(before: Table, after: Table, pair: ColumnPair, dialect: Dialect): SchemaChange[] {
  const { before: old, after: now } = pair
  const found: SchemaChange[] = []
  const locks = (text: string) => void found.push(change('locks', after, now, text))
  if (old.name !== now.name) found.push(change('locks', before, old, `is called '${now.source.name}'.`))
  if (!isKept(pair)) {
    const text = 'is of another type, which its values cannot be turned into.'
    found.push(lost(after, now, text, valuesOf(before, old, dialect)))
  } else if (!isSameType(old.type, now.type)) locks('is of another type.')
  if (old.nullable && !now.nullable) {
    const filled = now.default === null ? '' : ', and records without it get its default'
    locks(`is required${filled}.`)
  }
  if (!old.nullable && now.nullable) locks('may be missing.')
  if (JSON.stringify(old.default) !== JSON.stringify(now.default)) locks('has another default.')
  if (old.identity !== now.identity) locks(`is ${now.identity ? '' : 'no longer '}generated.`)
  return found
}

/** What a foreign key holds means a record of what it refers to: elsewhere the same value is another record, or none. */
function targetChanges(pairs: readonly TablePair[], dialect: Dialect): SchemaChange[] {
  const targets = new Map(pairs.map(pair => [pair.before.name, pair]))
  return pairs.flatMap(({ before, after, columns }) =>
    columns.flatMap(pair => {
      const old = targetOf(before, pair.before)
      const now = targetOf(after, pair.after)
      if (!old || !now || !isKept(pair)) return []
      const target = targets.get(old.table)
      const column = target?.columns.find(one => one.before.name === old.column)
      if (target?.after.name === now.table && column?.after.name === now.column) return []
      const text = 'refers to something else, where its values mean other records.'
      return [lost(after, pair.after, text, valuesOf(before, pair.before, dialect))]
    }),
  )
}

/** A tenant stands before the column itself. */
function targetOf({ foreignKeys }: Table, { name }: Column): { table: string; column: string | undefined } | null {
  const key = foreignKeys.find(({ columns }) => columns.at(-1) === name)
  return key ? { table: key.references.table, column: key.references.columns.at(-1) } : null
}

/** Constraints are told by what they hold, under the names that the columns have now. */
function constraintChanges({ before, after, columns }: TablePair): SchemaChange[] {
  const now = new Map(columns.map(pair => [pair.before.name, pair.after.name]))
  const named = (names: readonly string[]) => names.map(name => now.get(name) ?? `${name} (gone)`)
  const differs = (what: string, old: unknown, other: unknown) =>
    JSON.stringify(old) === JSON.stringify(other) ? [] : [change('locks', after, null, `has ${what}.`)]
  return [
    ...differs('another key', named(before.primaryKey?.columns ?? []), after.primaryKey?.columns ?? []),
    ...differs(
      'other unique fields',
      before.uniques.map(key => named(key.columns)),
      after.uniques.map(key => key.columns),
    ),
    ...differs(
      'other choices',
      before.checks.map(({ column, values }) => [...named([column]), values]),
      after.checks.map(({ column, values }) => [column, values]),
    ),
    ...differs(
      'other indexes',
      before.indexes.map(index => [named(index.columns), index.unique]),
      after.indexes.map(index => [index.columns, index.unique]),
    ),
    ...differs(
      'other relations',
      before.foreignKeys.map(key => [named(key.columns), key.references, key.onDelete]),
      after.foreignKeys.map(key => [key.columns, key.references, key.onDelete]),
    ),
  ]
}

/** `what` is said of the column, or of the whole table. */
function change(grade: SchemaGrade, table: Table, column: Column | null, what: string): SchemaChange {
  const subject = column ? fieldOf(table, column) : titleOf(table)
  const attribute = column?.source.name.trim() ?? ''
  return { grade, entity: table.source.name, attribute, text: `${subject} ${what}`, asks: null }
}

function lost(table: Table, column: Column | null, what: string, asks: string): SchemaChange {
  return { ...change('losesData', table, column, what), asks }
}

function titleOf(table: Table): string {
  return isHistory(table) ? `The history of '${table.source.name}'` : `'${table.source.name}'`
}

/** As a sentence names a column. */
export function fieldOf(table: Table, { source }: Column): string {
  return `'${source.name.trim()}' of '${table.source.name}'`
}

function valuesOf(table: Table, { name }: Column, dialect: Dialect): string {
  return rowsOf(table, dialect, `${dialect.quote(name)} IS NOT NULL`)
}

/** A query that has a row where the table has one of which the condition is true. */
export function rowsOf({ name }: Table, dialect: Dialect, condition = '1 = 1'): string {
  return `SELECT 1 FROM ${dialect.quote(name)} WHERE ${condition} LIMIT 1`
}
