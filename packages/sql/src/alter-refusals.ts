import { formatCount } from '@cadmus/model/display'
import { isEqual } from '@cadmus/model/equal'
import { fieldOf, recordsOf, rowsOf } from './alter-changes.ts'
import { type ColumnPair, countKey, type SchemaPairs, type TablePair } from './alter-pairs.ts'
import { between, convertedValue, isConvertible, misfitOf, needsValue } from './alter-conversions.ts'
import { queriedCondition } from './condition-sql.ts'
import { withColumns } from '@cadmus/model/conditions/types'
import { isFixed, isText, rangeOf } from './column-types.ts'
import { type Dialect, lengthCheck } from './dialect.ts'
import { isAdded } from './instance-tables.ts'
import type { Check, Column, ColumnSource, ForeignKey, Table } from './tree.ts'

/** A reason to reject the alteration, valid if the query returns rows, one for each of what is counted. */
export type SchemaRefusal = {
  /** For records that are not known. */
  readonly text: string
  readonly query: string
  /** Identifies its count. */
  readonly key: string
  readonly claim: string
  /** What the query counts, and which of them. */
  readonly counted: readonly [unit: 'record' | 'value' | 'combination', which: string]
  /** Uid of the entity. */
  readonly entity: string
  readonly source: ColumnSource
}

/** Rows that a query returns at most, to be counted. */
const maxCounted = 1000

/** The reason with the number of rows that its query has returned. */
export function refusalText({ claim, counted: [unit, which] }: SchemaRefusal, count: number): string {
  if (count === 1) return `${claim}, and there is 1 ${unit} ${which}.`
  const number = count > maxCounted ? `more than ${formatCount(maxCounted)}` : formatCount(count)
  return `${claim}, and there are ${number} ${unit}s ${which}.`
}

/** The table and column as they shall be. `detail`: tells refusals of one kind apart. */
type About = { table: Table; column: Column; claim: string; kind: string; detail?: string }

function refusal({ table, column, claim, kind, detail }: About, records: string, query: string): SchemaRefusal {
  const text = `${claim}, which fails if there are records ${records}.`
  const key = countKey(table, column, kind, detail)
  return { text, query, key, claim, counted: ['record', records], entity: table.source.uid, source: column.source }
}

/** The reasons why existing records may prevent the alteration. */
export function refusalsOf({ pairs, added }: SchemaPairs, dialect: Dialect): SchemaRefusal[] {
  const targets = new Map(pairs.map(pair => [pair.after.name, pair]))
  const titles = new Map([...added, ...pairs.map(pair => pair.after)].map(({ name, source }) => [name, source.name]))
  return pairs.flatMap(pair => [
    ...pair.added.filter(needsValue).map(column => neededRefusal(pair, column, dialect)),
    ...pair.columns.flatMap(column => columnRefusals(pair, column, dialect)),
    ...(pair.isSame
      ? []
      : [
          ...choiceRefusals(pair, dialect),
          ...conditionRefusals(pair, pair.after.conditions, dialect),
          ...uniqueRefusals(pair, dialect),
        ]),
    ...conditionRefusals(pair, pair.after.counted, dialect),
    ...targetRefusals(pair, targets, titles, dialect),
  ])
}

function columnRefusals(tables: TablePair, pair: ColumnPair, dialect: Dialect): SchemaRefusal[] {
  const { before, after } = tables
  const { before: old, after: now } = pair
  if (!isConvertible(pair)) return needsValue(now) ? [neededRefusal(tables, now, dialect)] : []
  const refusals: SchemaRefusal[] = []
  const refused = (kind: string, what: string, records: string, condition: string) => {
    const claim = `${fieldOf(after, now)} ${what}`
    refusals.push(refusal({ table: after, column: now, claim, kind }, records, countedRows(before, dialect, condition)))
  }
  const quoted = dialect.quote(old.name)
  if (old.nullable && !now.nullable && now.default === null) {
    refused('without', 'is required and has no default', 'without it', `${quoted} IS NULL`)
  }
  const misfit = misfitOf(pair, dialect)
  // Also applies to generated keys: only a column that is not copied gets generated values.
  if (misfit !== null && !now.nullable && now.default === null) {
    refused('unfit', 'is required and has no default', 'whose value does not fit its new type', misfit)
  }
  const maxLength = lengthOf(now)
  if (isFixed(now.type)) {
    const isFull = lengthCheck(dialect, now.type, convertedValue(pair, dialect))
    if (!isFixed(old.type) || maxLength !== lengthOf(old))
      refused('length', `has exactly ${maxLength} characters`, 'with fewer or more', `NOT (${isFull})`)
  } else if (isText(now.type) && maxLength < lengthOf(old)) {
    refused(
      'length',
      `has at most ${maxLength} characters`,
      'with more',
      `${dialect.characters(convertedValue(pair, dialect))} > ${maxLength}`,
    )
  }
  if (old.type.kind === 'integer' && now.type.kind === 'integer') {
    const { bits, digits } = now.type
    const what = `is a whole number of at most ${digits === undefined ? `${bits} bits` : `${digits} digits`}`
    if (rangeOf(now.type).largest < rangeOf(old.type).largest)
      refused('range', what, 'with larger ones', `${quoted} NOT ${between(now.type)}`)
  }
  return refusals
}

function choiceRefusals({ before, after, columns }: TablePair, dialect: Dialect): SchemaRefusal[] {
  return after.checks.flatMap(({ column, values }) => {
    const pair = columns.find(one => one.after.name === column)
    if (!pair || !isConvertible(pair) || isChosenAlready(before, pair, values)) return []
    const claim = `${fieldOf(after, pair.after)} is one of its choices`
    const query = countedRows(before, dialect, `NOT (${dialect.isOneOf(convertedValue(pair, dialect), values)})`)
    return [refusal({ table: after, column: pair.after, claim, kind: 'choices' }, 'with none of them', query)]
  })
}

/** Whether the present choices of a field are all among the new ones. */
function isChosenAlready({ checks }: Table, { before, after }: ColumnPair, values: Check['values']): boolean {
  const present = checks.find(({ column }) => column === before.name)
  return (
    present !== undefined &&
    isEqual(before.type, after.type) &&
    present.values.every(value => values.some(one => isEqual(one, value)))
  )
}

/** Records that violate a new one of the conditions; a new column has its default. */
function conditionRefusals(
  { before, after, columns }: TablePair,
  conditions: Table['conditions'],
  dialect: Dialect,
): SchemaRefusal[] {
  const former = [...(before.conditions ?? []), ...(before.counted ?? [])]
  const existing = new Set(former.map(({ condition }) => JSON.stringify(condition)))
  return (conditions ?? []).flatMap(check => {
    const pairs = columns.filter(pair => check.columns.includes(pair.after.name))
    const [first] = pairs
    const old = withColumns(check.condition, column => {
      const pair = pairs.find(one => one.after.name === column.name)
      return pair ? { ...column, name: pair.before.name, columnType: pair.before.type } : column
    })
    if (!first || !pairs.every(isConvertible) || existing.has(JSON.stringify(old))) return []
    const value = ({ name }: { name: string }) => {
      const pair = pairs.find(one => one.after.name === name)
      const added = after.columns.find(one => one.name === name)?.default
      return pair ? convertedValue(pair, dialect) : added && added.kind !== 'computed' ? dialect.literal(added) : 'NULL'
    }
    const condition = queriedCondition(check.condition, dialect.condition, value)
    if (condition === null) return []
    const claim = `Records of '${after.source.name}' meet the check '${check.name}'`
    const query = countedRows(before, dialect, `NOT (${condition})`)
    const about = { table: after, column: first.after, claim, kind: 'check', detail: check.name }
    return [refusal(about, 'violating it', query)]
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
    const own = pairs.map(pair => pair.after).filter(({ source }) => !isAdded(source))
    const isTogether = own.length > 1
    const claim = isTogether
      ? `${own.map(({ source }) => `'${source.name.trim()}'`).join(', ')} of '${after.source.name}' are unique together`
      : `${fieldOf(after, last.after)} is unique`
    const query = countedRows(before, dialect, `${isThere} GROUP BY ${values.join(', ')} HAVING COUNT(*) > 1`)
    const which = `with the same ${isTogether ? 'values' : 'value'}`
    const detail = own.map(({ source }) => source.uid).join(' ')
    const repeated = refusal({ table: after, column: last.after, claim, kind: 'unique', detail }, which, query)
    return [
      {
        ...repeated,
        counted: isTogether ? ['combination', 'of values of several records'] : ['value', 'of several records'],
      },
    ]
  })
}

/** Checks keys that are new or have a new target. */
function targetRefusals(
  pair: TablePair,
  targets: ReadonlyMap<string, TablePair>,
  titles: ReadonlyMap<string, string>,
  dialect: Dialect,
): SchemaRefusal[] {
  const { after } = pair
  return after.foreignKeys.flatMap(key => {
    const target = targets.get(key.references.table)
    const query = newTargetQuery(key, pair, target, dialect)
    const column = after.columns.find(({ source }) => source.uid === key.source.uid)
    if (query === null || !column) return []
    const claim = `${fieldOf(after, column)} refers to '${titles.get(key.references.table) ?? ''}'`
    return [refusal({ table: after, column, claim, kind: 'reference' }, 'whose value is none there', query)]
  })
}

/** A query of the values that the target does not have; null if the key is not new. Tenants are not compared. */
function newTargetQuery(
  key: ForeignKey,
  { before, after, columns }: TablePair,
  target: TablePair | undefined,
  dialect: Dialect,
): string | null {
  const isTenant = (name: string) => after.columns.some(one => one.name === name && isAdded(one.source))
  const pairs = key.columns.flatMap((name, at) => {
    if (isTenant(name)) return []
    const column = target?.columns.find(one => one.after.name === key.references.columns[at])
    return [{ own: columns.find(one => one.after.name === name), column }]
  })
  const owns = pairs.flatMap(({ own }) => (own && isConvertible(own) ? [own] : []))
  const isKnown = before.foreignKeys.some(
    old =>
      old.references.table === target?.before.name &&
      pairs.every(({ own, column }) => {
        const at = old.columns.indexOf(own?.before.name ?? '')
        return at !== -1 && old.references.columns[at] === column?.before.name
      }),
  )
  if (owns.length < pairs.length || isKnown) return null
  // A new table has no records.
  if (!target) {
    const present = owns.map(own => `${dialect.quote(own.before.name)} IS NOT NULL`)
    return countedRows(before, dialect, present.join(' AND '))
  }
  const others = pairs.flatMap(({ column }) => (column && isConvertible(column) ? [column] : []))
  return others.length < pairs.length ? null : unmatchedRows([before, owns], [target.before, others], dialect)
}

type Compared = readonly [table: Table, columns: readonly ColumnPair[]]

function unmatchedRows(from: Compared, to: Compared, dialect: Dialect): string {
  const [own = '', other = ''] = ['cadmus_own', 'cadmus_other'].map(name => dialect.quote(name))
  const values = from[1].map((_, at) => dialect.quote(at === 0 ? 'cadmus_value' : `cadmus_value${at + 1}`))
  const valuesOf = ([table, columns]: Compared) => {
    const converted = columns.map((one, at) => `${convertedValue(one, dialect)} AS ${values[at]}`)
    return `(SELECT ${converted.join(', ')} FROM ${recordsOf(table, dialect)})`
  }
  const equal = values.map(value => `${other}.${value} = ${own}.${value}`).join(' AND ')
  const match = `SELECT 1 FROM ${valuesOf(to)} AS ${other} WHERE ${equal}`
  const present = values.map(value => `${value} IS NOT NULL`).join(' AND ')
  return `SELECT 1 FROM ${valuesOf(from)} AS ${own} WHERE ${present} AND NOT EXISTS (${match}) LIMIT ${maxCounted + 1}`
}

/** The maximum length of a value as text. */
function lengthOf({ type }: Column): number {
  if (type.kind === 'integer') return 20
  if (type.kind === 'guid') return 36
  return type.kind === 'text' || type.kind === 'varchar' ? (type.length ?? Infinity) : Infinity
}

function neededRefusal({ before, after }: TablePair, column: Column, dialect: Dialect): SchemaRefusal {
  const isTenant = column.source.uid === 'added:tenant'
  const claim = isTenant
    ? `'${after.source.name}' belongs to tenants`
    : `${fieldOf(after, column)} is required and has no default`
  const about = { table: after, column, claim, kind: 'required' }
  return refusal(about, isTenant ? 'of none yet' : 'already', countedRows(before, dialect))
}

function countedRows(table: Table, dialect: Dialect, condition?: string): string {
  return rowsOf(table, dialect, condition, maxCounted + 1)
}
