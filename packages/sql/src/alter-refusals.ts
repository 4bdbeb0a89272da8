import { fieldOf, rowsOf } from './alter-changes.ts'
import type { ColumnPair, SchemaPairs, TablePair } from './alter-pairs.ts'
import { convertedValue, isConvertible, misfitOf, needsValue } from './alter-conversions.ts'
import { isText } from './column-types.ts'
import type { Dialect } from './dialect.ts'
import type { Column, Table } from './tree.ts'

/** A reason to reject the alteration, valid if the query returns rows. */
export type SchemaRefusal = { readonly text: string; readonly query: string }

/** The reasons why existing records may prevent the alteration. */
export function refusalsOf(all: SchemaPairs, dialect: Dialect): SchemaRefusal[] {
  return all.pairs.flatMap(pair => [
    ...pair.added.filter(needsValue).map(column => ({
      text: neededText(pair.after, column),
      query: rowsOf(pair.before, dialect),
    })),
    ...pair.columns.flatMap(column => columnRefusals(pair, column, dialect)),
    ...(pair.isSame ? [] : [...choiceRefusals(pair, dialect), ...uniqueRefusals(pair, dialect)]),
    ...targetRefusals(pair, all, dialect),
  ])
}

function columnRefusals({ before, after }: TablePair, pair: ColumnPair, dialect: Dialect): SchemaRefusal[] {
  const { before: old, after: now } = pair
  if (!isConvertible(pair)) {
    return needsValue(now) ? [{ text: neededText(after, now), query: rowsOf(before, dialect) }] : []
  }
  const refusals: SchemaRefusal[] = []
  const refused = (what: string, condition: string) =>
    void refusals.push({ text: `${fieldOf(after, now)} ${what}`, query: rowsOf(before, dialect, condition) })
  const quoted = dialect.quote(old.name)
  if (old.nullable && !now.nullable && now.default === null) {
    refused('is required and has no default, and there are records without it.', `${quoted} IS NULL`)
  }
  const misfit = misfitOf(pair, dialect)
  // Also applies to generated keys: only a column that is not copied gets generated values.
  if (misfit !== null && !now.nullable && now.default === null) {
    refused('is required and has no default, and there are records whose value does not fit its new type.', misfit)
  }
  const maxLength = lengthOf(now)
  if (isText(now.type) && maxLength < lengthOf(old)) {
    const written = convertedValue(pair, dialect)
    const what = `has at most ${maxLength} characters, and there are records with more.`
    refused(what, `${dialect.characters(written)} > ${maxLength}`)
  }
  if (old.type.kind === 'integer' && now.type.kind === 'integer' && now.type.bits < old.type.bits) {
    const largest = 2n ** BigInt(now.type.bits - 1) - 1n
    const what = `is a whole number of at most ${now.type.bits} bits, and there are records with larger ones.`
    refused(what, `${quoted} NOT BETWEEN ${-largest - 1n} AND ${largest}`)
  }
  return refusals
}

function choiceRefusals({ before, after, columns }: TablePair, dialect: Dialect): SchemaRefusal[] {
  return after.checks.flatMap(({ column, values }) => {
    const pair = columns.find(one => one.after.name === column)
    if (!pair || !isConvertible(pair)) return []
    const text = `${fieldOf(after, pair.after)} is one of its choices, and there are records with none of them.`
    return [{ text, query: rowsOf(before, dialect, `NOT (${dialect.isOneOf(convertedValue(pair, dialect), values)})`) }]
  })
}

/** If defaults fill missing values, the database detects duplicates. */
function uniqueRefusals({ before, after, columns }: TablePair, dialect: Dialect): SchemaRefusal[] {
  const keysOf = ({ primaryKey, uniques, indexes }: Table) => [
    ...(primaryKey ? [primaryKey] : []),
    ...uniques,
    ...indexes.filter(({ unique }) => unique),
  ]
  const existing = new Set(keysOf(before).map(key => key.columns.join('\n')))
  return keysOf(after).flatMap(key => {
    const pairs = key.columns.flatMap(name => columns.find(one => one.after.name === name) ?? [])
    const [last] = pairs.slice(-1)
    const names = pairs.map(pair => pair.before.name)
    if (!last || pairs.length < key.columns.length || !pairs.every(isConvertible) || existing.has(names.join('\n')))
      return []
    const values = pairs.map(pair => convertedValue(pair, dialect))
    const isThere = values.map(value => `${value} IS NOT NULL`).join(' AND ')
    const text = `${fieldOf(after, last.after)} is unique, and there are records with the same value.`
    return [{ text, query: rowsOf(before, dialect, `${isThere} GROUP BY ${values.join(', ')} HAVING COUNT(*) > 1`) }]
  })
}

/** Checks keys that are new or have a new target. The last column identifies the record, the others are tenants. */
function targetRefusals({ before, after, columns }: TablePair, all: SchemaPairs, dialect: Dialect): SchemaRefusal[] {
  return after.foreignKeys.flatMap(key => {
    const pair = columns.find(one => one.after.name === key.columns.at(-1))
    const target = all.pairs.find(one => one.after.name === key.references.table)
    const column = target?.columns.find(one => one.after.name === key.references.columns.at(-1))
    const isKnown = before.foreignKeys.some(
      old =>
        old.columns.at(-1) === pair?.before.name &&
        old.references.table === target?.before.name &&
        old.references.columns.at(-1) === column?.before.name,
    )
    if (!pair || !isConvertible(pair) || !target || !column || !isConvertible(column) || isKnown) return []
    const [own, other, value] = ['cadmus_own', 'cadmus_other', 'cadmus_value'].map(name => dialect.quote(name))
    const valuesOf = (table: Table, one: ColumnPair) =>
      `(SELECT ${convertedValue(one, dialect)} AS ${value} FROM ${dialect.quote(table.name)})`
    const match = `SELECT 1 FROM ${valuesOf(target.before, column)} AS ${other} WHERE ${other}.${value} = ${own}.${value}`
    const text = `${fieldOf(after, pair.after)} refers to '${target.after.source.name}', and there are records whose value is none there.`
    const query = `SELECT 1 FROM ${valuesOf(before, pair)} AS ${own} WHERE ${value} IS NOT NULL AND NOT EXISTS (${match}) LIMIT 1`
    return [{ text, query }]
  })
}

/** The maximum length of a value as text. */
function lengthOf({ type }: Column): number {
  if (type.kind === 'integer') return 20
  if (type.kind === 'guid') return 36
  return type.kind === 'text' || type.kind === 'varchar' ? (type.length ?? Infinity) : Infinity
}

function neededText(table: Table, column: Column): string {
  if (column.source.uid === 'added:tenant') return `The records of '${table.source.name}' belong to no tenant yet.`
  return `${fieldOf(table, column)} is required and has no default, and there are records already.`
}
