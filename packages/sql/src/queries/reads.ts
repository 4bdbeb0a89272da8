import type { Operation, OperationResult } from '@cadmus/model/api/operation'
import { limits } from '@cadmus/model/limits'
import { type Query, statement } from './context.ts'
import { faults } from './faults.ts'
import type { EntityMapping } from './fields.ts'
import { listByLevels, oneByLevels, totalsOf } from './levels.ts'
import { type BoundStatement, PlanFault, type SqlRows, type Steps } from './plan.ts'
import { type FieldPair, type ListOrigin, type ListReading, pairsOf, type Reading, type Totals } from './reading.ts'
import { countOf, recordOf, recordsOf } from './records.ts'
import {
  columnOf,
  countRecords,
  equal,
  type FieldSlot,
  listConditions,
  recordWith,
  SelectBuilder,
  selectExisting,
  tenantCondition,
} from './selects.ts'
import { type Condition, type Expression, newSelect, type Select } from './tree.ts'
import { keySlots, readKey } from './keys.ts'

/** The form of the result: records or JSON. */
export type Form<Result> = {
  /** The record that satisfies the conditions, or null. */
  one(
    query: Query,
    reading: Reading,
    conditions: (alias: string) => readonly Condition[],
  ): Generator<BoundStatement, Result | null, SqlRows>
  list(query: Query, reading: Reading, list: ListReading, origin: ListOrigin, totals: Totals): Steps<Result>
}

const allRecords: ListOrigin = { conditions: () => [], from: null }

export function selectAll<R>(query: Query, operation: Operation & { kind: 'selectAll' }, form: Form<R>): Steps<R> {
  const mapping = query.mappings.of(operation.entity)
  query.checker.addToShape('all')
  const reading = query.checker.selection(mapping, operation.select)
  const list = query.checker.list(mapping, operation)
  return boundCopies(query, reading, list, listSteps(query, reading, list, allRecords, form))
}

export function select<R>(query: Query, operation: Operation & { kind: 'select' }, form: Form<R>): Steps<R> {
  const { checker, mappings } = query
  const mapping = mappings.of(operation.entity)
  checker.addToShape('one')
  const key = keySlots(checker, readKey(mapping, operation.key))
  const reading = checker.selection(mapping, operation.select)
  const steps = recordSteps(query, reading, alias => equal(key, alias), form)
  return boundCopies(query, reading, null, steps)
}

/** The records related to one record; a single record for a relation to one. */
export function related<R>(query: Query, operation: Operation & { kind: 'related' }, form: Form<R>): Steps<R> {
  const { checker, mappings } = query
  const mapping = mappings.of(operation.entity)
  const entry = mapping.relations.get(operation.relation)
  if (!entry) throw new PlanFault('invalid', faults.noRelation(operation.relation))
  const { relation, index } = entry
  const other = mappings.of(relation.entity)
  checker.addToShape('related', mapping.index, index)
  const key = keySlots(checker, readKey(mapping, operation.key))
  const reading = checker.selection(other, operation.select)
  const pairs = pairsOf(mapping, other, relation)
  const conditions = (alias: string) => pairs.flatMap(pair => relatedCondition(mapping, key, pair, alias))
  const exists = selectExisting(mapping, key, 't0')
  if (relation.kind === 'toMany') {
    const list = checker.list(other, operation)
    const steps = listSteps(query, reading, list, { conditions, from: { exists, entity: mapping.entity.name } }, form)
    return boundCopies(query, reading, list, steps)
  }
  const steps = recordSteps(query, reading, conditions, form)
  return relatedSteps(query, mapping, exists, boundCopies(query, reading, null, steps))
}

/** The other field is equal to that of the record with the key. */
export function relatedCondition(
  mapping: EntityMapping,
  key: readonly FieldSlot[],
  { field, otherField }: FieldPair,
  alias: string,
): Condition[] {
  const part = key.find(one => one.field === field)
  if (part) return equal([{ field: otherField, slot: part.slot }], alias)
  const columns = [{ kind: 'column', ref: columnOf(field, 't0') }] as const
  return [{ kind: 'is', ref: columnOf(otherField, alias), select: recordWith(mapping, key, columns) }]
}

/** Checks that the record exists before reading the related one. */
function* relatedSteps<R>(query: Query, { entity }: EntityMapping, exists: Select, steps: Steps<R>): Steps<R> {
  const { checker } = query
  const rows = yield statement(query, `${checker.shape} there`, () => exists, checker.values)
  if (rows.length === 0) throw new PlanFault('notFound', faults.notFound(entity.name))
  return yield* steps
}

function* recordSteps<R>(
  query: Query,
  reading: Reading,
  conditions: (alias: string) => readonly Condition[],
  form: Form<R>,
): Steps<R> {
  const result = yield* form.one(query, reading, conditions)
  if (result === null) throw new PlanFault('notFound', faults.notFound(reading.mapping.entity.name))
  return result
}

/** More columns than a query of any database has. */
export const maxQueryColumns = 1500

/** Records as values, for any database. */
export const asRecords: Form<OperationResult> = {
  one: readRecord,
  list(query, reading, ...rest) {
    const { json } = query.dialect
    if (json === null) return listByLevels(query, reading, ...rest)
    const isNarrow = reading.fields.length + reading.relations.length <= maxQueryColumns
    return json.listsAsRows && isNarrow ? listAsRows(query, reading, ...rest) : listAsJson(query, reading, ...rest)
  },
}

function* readRecord(
  query: Query,
  reading: Reading,
  conditions: (alias: string) => readonly Condition[],
): Generator<BoundStatement, OperationResult | null, SqlRows> {
  const { checker, dialect } = query
  if (!dialect.json) {
    const record = yield* oneByLevels(query, reading, conditions)
    return record && { kind: 'record', record }
  }
  const build = () => {
    const builder = new SelectBuilder()
    const alias = builder.alias()
    return newSelect({
      columns: builder.columns(reading, alias, true),
      from: { table: reading.mapping.table.name, alias },
      where: [...conditions(alias), ...tenantCondition(reading.mapping, alias)],
    })
  }
  const [row] = yield statement(query, checker.shape, build, checker.values)
  return row ? { kind: 'record', record: recordOf(reading, row, true) } : null
}

function listSteps<R>(query: Query, reading: Reading, list: ListReading, origin: ListOrigin, form: Form<R>): Steps<R> {
  const { from } = origin
  const isWhole = list.filters.length === 0 && list.search === null
  const columns: Expression[] = [
    { kind: 'scalar', select: countOfList(reading, list, origin) },
    ...(isWhole ? [] : [{ kind: 'scalar', select: countOfList(reading, null, origin) } as const]),
    ...(from ? [{ kind: 'exists', select: from.exists } as const] : []),
  ]
  const readTotals = (row: readonly unknown[]) => {
    if (from && countOf(row[isWhole ? 1 : 2]) === 0) throw new PlanFault('notFound', faults.notFound(from.entity))
    return { total: countOf(row[0]), totalNotFiltered: countOf(row[isWhole ? 0 : 1]) }
  }
  return form.list(query, reading, list, origin, { columns, readTotals })
}

function* listAsJson(
  query: Query,
  reading: Reading,
  list: ListReading,
  { conditions }: ListOrigin,
  { columns, readTotals }: Totals,
): Steps {
  const { checker } = query
  const build = () => {
    const builder = new SelectBuilder()
    const alias = builder.alias()
    return newSelect({
      columns: [...columns, { kind: 'rows', select: builder.list(reading, list, alias, conditions(alias), true) }],
    })
  }
  const [row = []] = yield statement(query, checker.shape, build, checker.values)
  const totals = readTotals(row)
  return { kind: 'list', records: recordsOf(reading, row[columns.length]), ...totals }
}

/** The rows include the totals; a page without rows needs a second query for them. */
function* listAsRows(
  query: Query,
  reading: Reading,
  list: ListReading,
  { conditions }: ListOrigin,
  { columns, readTotals }: Totals,
): Steps {
  const { checker } = query
  const build = () => {
    const builder = new SelectBuilder()
    const alias = builder.alias()
    const select = builder.list(reading, list, alias, conditions(alias), true)
    return { ...select, columns: [...columns, ...select.columns] }
  }
  const rows = yield statement(query, checker.shape, build, checker.values)
  const [first = []] = rows.length > 0 ? rows : yield totalsOf(query, columns)
  const totals = readTotals(first)
  const records = rows.map(row => recordOf(reading, row.slice(columns.length), true))
  return { kind: 'list', records, ...totals }
}

/** Counts the records of the list without its page and, if `list` is null, without its filters. */
function countOfList({ mapping }: Reading, list: ListReading | null, { conditions }: ListOrigin): Select {
  const own = list ? listConditions(mapping, list, 'c') : []
  return countRecords(mapping, 'c', [...conditions('c'), ...own])
}

/** The maximum number of records of an entity. */
type Sizes = (mapping: EntityMapping) => number

/**
 * Bounds repeated records: nested lists hold a record once, but below a record that many others refer to, related
 * records are repeated for each of these. Relations back and forth can repeat a few records millions of times, which
 * would block the database and the instance. If the limit could be exceeded, the table sizes are read first; a
 * PlanFault is thrown if they do not rule it out. `list`: null if a single record is read.
 */
function boundCopies<R>(query: Query, reading: Reading, list: ListReading | null, steps: Steps<R>): Steps<R> {
  const isTooMuch = (sizes: Sizes) => copiesOf(query, reading, list, sizes) > limits.copies
  return isTooMuch(() => Infinity) ? afterSizes(query, reading, isTooMuch, steps) : steps
}

function* afterSizes<R>(
  query: Query,
  reading: Reading,
  isTooMuch: (sizes: Sizes) => boolean,
  steps: Steps<R>,
): Steps<R> {
  const { checker } = query
  const mappings = [...new Set(mappingsIn(reading))]
  const columns = mappings.map(mapping => ({ kind: 'scalar', select: countRecords(mapping, 'c', []) }) as const)
  const [row = []] = yield statement(query, `${checker.shape} sizes`, () => newSelect({ columns }), checker.values)
  const sizes = new Map(mappings.map((mapping, index) => [mapping, countOf(row[index])]))
  if (isTooMuch(mapping => sizes.get(mapping) ?? 0)) throw new PlanFault('invalid', faults.tooManyCopies(limits.copies))
  return yield* steps
}

function mappingsIn({ mapping, relations }: Reading): EntityMapping[] {
  return [mapping, ...relations.flatMap(({ reading }) => mappingsIn(reading))]
}

function copiesOf({ checker }: Query, reading: Reading, list: ListReading | null, sizes: Sizes): number {
  const max = ({ limit }: ListReading, mapping: EntityMapping) =>
    Math.min(Number(checker.values[limit]?.value), sizes(mapping))
  let copies = 0
  const walk = ({ relations }: Reading, rows: number, isRepeated: boolean) => {
    for (const { reading: other, list: nestedList } of relations) {
      const times = nestedList === null ? 1 : max(nestedList, other.mapping)
      const rowsBelow = nestedList === null || isRepeated ? rows * times : Math.min(rows * times, sizes(other.mapping))
      if (nestedList !== null && isRepeated) copies += rowsBelow
      walk(other, rowsBelow, isRepeated || (nestedList === null && rows > 1))
    }
  }
  walk(reading, list === null ? 1 : max(list, reading.mapping), false)
  return copies
}
