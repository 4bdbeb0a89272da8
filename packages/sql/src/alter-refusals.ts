import { fieldOf, rowsOf } from './alter-changes.ts'
import type { ColumnPair, SchemaPairs, TablePair } from './alter-pairs.ts'
import { isKept, isText, needsValue } from './alter-values.ts'
import { isSameType } from './column-types.ts'
import type { Dialect } from './dialect.ts'
import type { Column, Table } from './tree.ts'

/** What cannot be where the query has rows. */
export type SchemaRefusal = { readonly text: string; readonly asks: string }

/** What the records that are there may stand in the way of, each said of its field. */
export function refusalsOf(all: SchemaPairs, dialect: Dialect): SchemaRefusal[] {
  return all.pairs.flatMap(pair => [
    ...pair.added.filter(needsValue).map(column => ({
      text: neededText(pair.after, column),
      asks: rowsOf(pair.before, dialect),
    })),
    ...pair.columns.flatMap(column => columnRefusals(pair, column, dialect)),
    ...(pair.isSame ? [] : [...choiceRefusals(pair, dialect), ...uniqueRefusals(pair, dialect)]),
    ...targetRefusals(pair, all, dialect),
  ])
}

function columnRefusals({ before, after }: TablePair, pair: ColumnPair, dialect: Dialect): SchemaRefusal[] {
  const { before: old, after: now } = pair
  if (!isKept(pair)) {
    return needsValue(now) ? [{ text: neededText(after, now), asks: rowsOf(before, dialect) }] : []
  }
  const found: SchemaRefusal[] = []
  const refused = (what: string, condition: string) =>
    void found.push({ text: `${fieldOf(after, now)} ${what}`, asks: rowsOf(before, dialect, condition) })
  const quoted = dialect.quote(old.name)
  if (old.nullable && !now.nullable && now.default === null) {
    refused('is required and has no default, and there are records without it.', `${quoted} IS NULL`)
  }
  const most = lengthOf(now)
  if (isText(now.type) && most < lengthOf(old)) {
    const written = isText(old.type) ? quoted : `CAST(${quoted} AS TEXT)`
    const what = `has at most ${most} characters, and there are records with more.`
    refused(what, `${dialect.characters(written)} > ${most}`)
  }
  if (old.type.kind === 'integer' && now.type.kind === 'integer' && now.type.bits < old.type.bits) {
    const largest = 2n ** BigInt(now.type.bits - 1) - 1n
    const what = `is a whole number of at most ${now.type.bits} bits, and there are records with larger ones.`
    refused(what, `${quoted} NOT BETWEEN ${-largest - 1n} AND ${largest}`)
  }
  return found
}

function choiceRefusals({ before, after, columns }: TablePair, dialect: Dialect): SchemaRefusal[] {
  return after.checks.flatMap(({ column, values }) => {
    const pair = columns.find(one => one.after.name === column)
    if (!pair || !(isText(pair.before.type) || isSameType(pair.before.type, pair.after.type))) return []
    const text = `${fieldOf(after, pair.after)} is one of its choices, and there are records with none of them.`
    return [
      { text, asks: rowsOf(before, dialect, `NOT (${dialect.isOneOf(dialect.quote(pair.before.name), values)})`) },
    ]
  })
}

/** Where a default comes to what is missing, too, the database says it. */
function uniqueRefusals({ before, after, columns }: TablePair, dialect: Dialect): SchemaRefusal[] {
  const keysOf = ({ primaryKey, uniques, indexes }: Table) => [
    ...(primaryKey ? [primaryKey] : []),
    ...uniques,
    ...indexes.filter(({ unique }) => unique),
  ]
  const known = new Set(keysOf(before).map(key => key.columns.join('\n')))
  return keysOf(after).flatMap(key => {
    const pairs = key.columns.flatMap(name => columns.find(one => one.after.name === name) ?? [])
    const [last] = pairs.slice(-1)
    const names = pairs.map(pair => pair.before.name)
    if (!last || pairs.length < key.columns.length || !pairs.every(isKept) || known.has(names.join('\n'))) return []
    const quoted = names.map(name => dialect.quote(name))
    const isThere = quoted.map(name => `${name} IS NOT NULL`).join(' AND ')
    const text = `${fieldOf(after, last.after)} is unique, and there are records with the same value.`
    return [{ text, asks: rowsOf(before, dialect, `${isThere} GROUP BY ${quoted.join(', ')} HAVING COUNT(*) > 1`) }]
  })
}

/** Of a key that is new, or refers to something else than before: the last column tells records apart, others are tenants. */
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
    if (!pair || !isKept(pair) || !target || !column || isKnown) return []
    const isAlike = isText(pair.before.type) && isText(column.before.type)
    if (!isAlike && !isSameType(pair.before.type, column.before.type)) return []
    const [own, other] = [before.name, 'cadmus_other'].map(name => dialect.quote(name))
    const [value, there] = [pair.before.name, column.before.name].map(name => dialect.quote(name))
    const found = `SELECT 1 FROM ${dialect.quote(target.before.name)} AS ${other} WHERE ${other}.${there} = ${own}.${value}`
    const text = `${fieldOf(after, pair.after)} refers to '${target.after.source.name}', and there are records whose value is none there.`
    return [{ text, asks: rowsOf(before, dialect, `${value} IS NOT NULL AND NOT EXISTS (${found})`) }]
  })
}

/** How many characters a value has at most as a text. */
function lengthOf({ type }: Column): number {
  if (type.kind === 'integer') return 20
  if (type.kind === 'guid') return 36
  return type.kind === 'text' || type.kind === 'varchar' ? (type.length ?? Infinity) : Infinity
}

function neededText(table: Table, column: Column): string {
  if (column.source.uid === 'added:tenant') return `The records of '${table.source.name}' belong to no tenant yet.`
  return `${fieldOf(table, column)} is required and has no default, and there are records already.`
}
