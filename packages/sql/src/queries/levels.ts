import type { OperationResult, WireKey, WireRecord, WireValue } from '@cadmus/model/api/operation'
import { limits } from '@cadmus/model/limits'
import type { Literal } from '@cadmus/model/values/literal'
import { statement, type Query } from './context.ts'
import type { Field } from './fields.ts'
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
import { columnOf, equal, parameter, read, SelectBuilder, tenantCondition } from './selects.ts'
import { newSelect, type Condition, type Expression, type Select } from './tree.ts'
import { readCompared, wireOf } from './values.ts'

// For databases that do not build JSON: the related records of all records of a level are read at once.

type Level<T> = Generator<BoundStatement, T, SqlRows>

/** `joins`: the values that join each relation. */
type LevelRecord = { readonly record: Record<string, WireValue>; readonly joins: readonly WireKey[] }

/** Values of the parent level per query. */
const maxValues = 1000

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
  return [...fields, ...relations.flatMap(({ pairs }) => pairs.map(({ field }) => field))].map(field =>
    read(field, alias),
  )
}

function levelRecord(reading: Reading, row: readonly unknown[], start: number): LevelRecord {
  const own = row.slice(start)
  let next = reading.fields.length
  const joins = reading.relations.map(({ pairs }) => pairs.map(({ field }) => wireOf(field.type, own[next++])))
  return { record: { ...recordOf(reading, own, false) }, joins }
}

function* addRelated(query: Query, reading: Reading, above: readonly LevelRecord[], shape: string): Level<void> {
  for (const [index, relation] of reading.relations.entries()) {
    const keys = new Map<string, WireKey>()
    for (const { joins } of above) {
      const key = joins[index] ?? []
      if (!key.includes(null)) keys.set(groupKey(key), key)
    }
    const records = new Map<string, WireRecord[]>()
    for (const some of chunksOf([...keys.values()], Math.floor(maxValues / relation.pairs.length))) {
      yield* readLevel(query, relation, some, `${shape} > ${index}`, records)
    }
    for (const { record, joins } of above) {
      const key = joins[index] ?? []
      const related = (key.includes(null) ? undefined : records.get(groupKey(key))) ?? []
      put(record, relation.name, relation.kind === 'toOne' ? (related[0] ?? null) : related)
    }
  }
}

function* readLevel(
  query: Query,
  relation: RelatedReading,
  keys: readonly WireKey[],
  shape: string,
  records: Map<string, WireRecord[]>,
): Level<void> {
  const { checker, dialect } = query
  const { pairs, reading, list } = relation
  const literals = padToPowerOfTwo(keys).flatMap(key =>
    pairs.map(({ otherField }, at) => readCompared(otherField, key[at] ?? null)),
  )
  const start = checker.values.length
  const slots: readonly (Literal | null)[] = [...checker.values, ...literals]
  const key = `${shape} ${literals.length}`
  const build = () => levelSelect(relation, start, literals.length, dialect.numbersRows)
  const rows = yield statement(query, key, build, slots)
  const window = list && !dialect.numbersRows ? pageOf(list, slots) : null
  const below: LevelRecord[] = []
  const groups = new Map<string, LevelRecord[]>()
  for (const row of rows) {
    const name = groupKey(pairs.map(({ otherField }, at) => wireOf(otherField.type, row[at])))
    const group = groups.get(name) ?? []
    group.push(levelRecord(reading, row, pairs.length))
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

/** The records whose fields have the values of one of the keys; these fields come first. */
function levelSelect({ pairs, reading, list }: RelatedReading, start: number, count: number, pages: boolean): Select {
  const builder = new SelectBuilder()
  const alias = builder.alias()
  const others = pairs.map(({ otherField }) => otherField)
  const among = amongKeys(others, start, count, alias)
  const columns = [...others.map(field => read(field, alias)), ...levelColumns(reading, alias)]
  if (!list) {
    return newSelect({
      columns,
      from: { table: reading.mapping.table.name, alias },
      where: [among, ...tenantCondition(reading.mapping, alias)],
    })
  }
  const select = builder.list(reading, list, alias, [among], false)
  return pages
    ? { ...select, columns, pageOf: others.map(field => columnOf(field, alias)) }
    : { ...select, columns, page: null }
}

/** `count`: of the values, which are in slots from `start` on, key by key. */
function amongKeys(fields: readonly Field[], start: number, count: number, alias: string): Condition {
  const [field, ...others] = fields
  const slots = Array.from({ length: count }, (_, index) => start + index)
  if (field && others.length === 0) {
    const values = slots.map(slot => parameter(slot, field.column.type))
    return { kind: 'in', ref: columnOf(field, alias), values }
  }
  const keys = chunksOf(slots, fields.length)
  return {
    kind: 'any',
    of: keys.map(key =>
      equal(
        fields.map((one, at) => ({ field: one, slot: key[at] ?? 0 })),
        alias,
      ),
    ),
  }
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

function groupKey(key: WireKey): string {
  return key.length === 1 ? String(key[0]) : JSON.stringify(key)
}

function chunksOf<T>(all: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, at) => all.slice(at * size, (at + 1) * size))
}
