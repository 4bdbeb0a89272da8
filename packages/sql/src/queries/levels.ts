import type { OperationResult, WireRecord, WireValue } from '@cadmus/model/api/operation'
import { limits } from '@cadmus/model/limits'
import type { Literal } from '@cadmus/model/values/literal'
import { statement, type Query } from './context.ts'
import type { BoundStatement, SqlRows } from './plan.ts'
import { put, recordOf } from './records.ts'
import {
  padToPowerOfTwo,
  type ListOrigin,
  type ListReading,
  type Reading,
  type RelatedReading,
  type Totals,
} from './reading.ts'
import { columnOf, parameter, read, SelectBuilder, tenantCondition } from './selects.ts'
import { newSelect, type Condition, type Expression, type Select } from './tree.ts'
import { readCompared, wireOf } from './values.ts'

// For databases that do not build JSON: the related records of all records of a level are read at once.

type Level<T> = Generator<BoundStatement, T, SqlRows>

type LevelRecord = { readonly record: Record<string, WireValue>; readonly joins: readonly WireValue[] }

/** Values of the parent level per query. */
const maxParents = 1000

export function* oneByLevels(
  query: Query,
  reading: Reading,
  conditions: (alias: string) => readonly Condition[],
): Level<WireRecord | null> {
  const build = () => {
    const alias = new SelectBuilder().alias()
    return newSelect({
      columns: levelColumns(reading, alias),
      from: { table: reading.mapping.table.name, alias },
      where: [...conditions(alias), ...tenantCondition(reading.mapping, alias)],
    })
  }
  const rows = yield statement(query, query.checker.shape, build, query.checker.values)
  const [first] = rows.slice(0, 1).map(row => levelRecord(reading, row, 0))
  if (!first) return null
  yield* addRelated(query, reading, [first], query.checker.shape)
  return first.record
}

/** The rows include the totals; a page without rows needs a second query for them. */
export function* listByLevels(
  query: Query,
  reading: Reading,
  list: ListReading,
  { conditions }: ListOrigin,
  { columns, readTotals }: Totals,
): Level<OperationResult> {
  const { checker } = query
  const build = (): Select => {
    const builder = new SelectBuilder()
    const alias = builder.alias()
    const select = builder.list(reading, list, alias, conditions(alias), false)
    return { ...select, columns: [...columns, ...levelColumns(reading, alias)] }
  }
  const rows = yield statement(query, checker.shape, build, checker.values)
  const [first = []] = rows.length > 0 ? rows : yield totalsOf(query, columns)
  const totals = readTotals(first)
  const records = rows.map(row => levelRecord(reading, row, columns.length))
  yield* addRelated(query, reading, records, checker.shape)
  return { kind: 'list', records: records.map(({ record }) => record), ...totals }
}

export function totalsOf(query: Query, columns: readonly Expression[]): BoundStatement {
  const { checker } = query
  return statement(query, `${checker.shape} totals`, () => newSelect({ columns }), checker.values)
}

/** The selected fields and the columns that join relations. */
function levelColumns({ fields, relations }: Reading, alias: string): Expression[] {
  return [...fields, ...relations.map(({ field }) => field)].map(field => read(field, alias))
}

function levelRecord(reading: Reading, row: readonly unknown[], start: number): LevelRecord {
  const own = row.slice(start)
  const joins = reading.relations.map(({ field }, index) => wireOf(field.type, own[reading.fields.length + index]))
  return { record: { ...recordOf(reading, own, false) }, joins }
}

function* addRelated(query: Query, reading: Reading, above: readonly LevelRecord[], shape: string): Level<void> {
  for (const [index, relation] of reading.relations.entries()) {
    const values = [...new Set(above.map(({ joins }) => joins[index] ?? null))].filter(value => value !== null)
    const records = new Map<string, WireRecord[]>()
    for (let start = 0; start < values.length; start += maxParents) {
      yield* readLevel(query, relation, values.slice(start, start + maxParents), `${shape} > ${index}`, records)
    }
    for (const { record, joins } of above) {
      const related = records.get(groupKey(joins[index] ?? null)) ?? []
      put(record, relation.name, relation.kind === 'toOne' ? (related[0] ?? null) : related)
    }
  }
}

function* readLevel(
  query: Query,
  relation: RelatedReading,
  values: readonly WireValue[],
  shape: string,
  records: Map<string, WireRecord[]>,
): Level<void> {
  const { checker, dialect } = query
  const { otherField, reading, list } = relation
  const literals = padToPowerOfTwo(values.map(value => readCompared(otherField, value)))
  const start = checker.values.length
  const slots: readonly (Literal | null)[] = [...checker.values, ...literals]
  const key = `${shape} ${literals.length}`
  const build = () => levelSelect(relation, start, literals.length, dialect.numbersRows)
  const rows = yield statement(query, key, build, slots)
  const window = list && !dialect.numbersRows ? pageOf(list, slots) : null
  const below: LevelRecord[] = []
  const groups = new Map<string, LevelRecord[]>()
  for (const row of rows) {
    const name = groupKey(wireOf(otherField.type, row[0]))
    const group = groups.get(name) ?? []
    group.push(levelRecord(reading, row, 1))
    groups.set(name, group)
  }
  for (const [name, group] of groups) {
    const page = window ? group.slice(window.offset, window.offset + window.limit) : group
    below.push(...page)
    records.set(
      name,
      page.map(({ record }) => record),
    )
  }
  yield* addRelated(query, reading, below, shape)
}

/** The records whose field has one of the values; that field comes first. */
function levelSelect(
  { otherField, reading, list }: RelatedReading,
  start: number,
  count: number,
  pages: boolean,
): Select {
  const builder = new SelectBuilder()
  const alias = builder.alias()
  const values = Array.from({ length: count }, (_, index) => parameter(start + index, otherField.column.type))
  const among: Condition = { kind: 'in', ref: columnOf(otherField, alias), values }
  const columns = [read(otherField, alias), ...levelColumns(reading, alias)]
  if (!list) {
    return newSelect({
      columns,
      from: { table: reading.mapping.table.name, alias },
      where: [among, ...tenantCondition(reading.mapping, alias)],
    })
  }
  const select = builder.list(reading, list, alias, [among], false)
  return pages ? { ...select, columns, pageOf: columnOf(otherField, alias) } : { ...select, columns, page: null }
}

/** The page to cut from each group, for a database without ROW_NUMBER. */
function pageOf(
  { limit, offset }: ListReading,
  values: readonly (Literal | null)[],
): { limit: number; offset: number } {
  const numberAt = (slot: number | null, otherwise: number) =>
    slot === null ? otherwise : Number(values[slot]?.value ?? otherwise)
  return { limit: numberAt(limit, limits.rows.maxPageSize), offset: numberAt(offset, 0) }
}

function groupKey(value: WireValue): string {
  return String(value)
}
