import type { Operation, OperationResult } from '@cadmus/model/api/operation'
import { statement, type Asked } from './context.ts'
import { boundCopies } from './copies.ts'
import { faults } from './faults.ts'
import { fieldOf, keyOf, type Place } from './fields.ts'
import { listByLevels, oneByLevels, totalsOf } from './levels.ts'
import { PlanFault, type BoundStatement, type SqlRows, type Steps } from './plan.ts'
import { countOf, recordOf, recordsOf } from './records.ts'
import type { ListReading, Reading } from './reading.ts'
import { columnOf, counting, equal, existing, listConditions, SelectBuilder, tenantCondition } from './selects.ts'
import { selecting, type Condition, type Expression, type Select } from './tree.ts'
import { readCompared } from './values.ts'

/** Where the list begins: at all records, or at those that one record leads to. */
export type Beginning = {
  /** What its records must be, about the alias of their table. */
  conditions(alias: string): readonly Condition[]
  /** The record that leads there, and of which entity it is; null where none does. */
  from: { readonly exists: Select; readonly entity: string } | null
}

/** The form in which records are answered. */
export type Form<Result> = {
  /** The record that the conditions leave; null: there is none. */
  one(
    asked: Asked,
    reading: Reading,
    conditions: (alias: string) => readonly Condition[],
  ): Generator<BoundStatement, Result | null, SqlRows>
  list(asked: Asked, reading: Reading, list: ListReading, beginning: Beginning, totals: Totals): Steps<Result>
}

const everywhere: Beginning = { conditions: () => [], from: null }

export function selectAll<R>(asked: Asked, operation: Operation & { kind: 'selectAll' }, form: Form<R>): Steps<R> {
  const place = asked.places.of(operation.entity)
  asked.checker.say('all')
  const reading = asked.checker.selection(place, operation.select)
  const list = asked.checker.list(place, operation)
  return boundCopies(asked, reading, list, listed(asked, reading, list, everywhere, form))
}

export function select<R>(asked: Asked, operation: Operation & { kind: 'select' }, form: Form<R>): Steps<R> {
  const { checker, places } = asked
  const place = places.of(operation.entity)
  const key = keyOf(place)
  checker.say('one')
  const slot = checker.keep(readCompared(key, operation.key))
  const reading = checker.selection(place, operation.select)
  const steps = found(asked, reading, alias => [equal(key, slot, alias)], form)
  return boundCopies(asked, reading, null, steps)
}

/** The records that a relation leads to from one record: a list, or of a relation to one the record. */
export function related<R>(asked: Asked, operation: Operation & { kind: 'related' }, form: Form<R>): Steps<R> {
  const { checker, places } = asked
  const place = places.of(operation.entity)
  const way = place.relations.get(operation.relation)
  if (!way) throw new PlanFault('invalid', faults.noRelation(operation.relation))
  const { relation, index } = way
  const key = keyOf(place)
  const other = places.of(relation.entity)
  checker.say('related', place.index, index)
  const slot = checker.keep(readCompared(key, operation.key))
  const reading = checker.selection(other, operation.select)
  const otherField = fieldOf(other, relation.otherField)
  const field = fieldOf(place, relation.field)
  const from = selecting({
    columns: [{ kind: 'column', place: columnOf(field, 't0') }],
    from: { table: place.table.name, alias: 't0' },
    where: [equal(key, slot, 't0'), ...tenantCondition(place, 't0')],
  })
  const conditions = (alias: string): readonly Condition[] =>
    field === key
      ? [equal(otherField, slot, alias)]
      : [{ kind: 'is', place: columnOf(otherField, alias), select: from }]
  const exists = existing(place, key, slot, 't0')
  if (relation.kind === 'toMany') {
    const list = checker.list(other, operation)
    const steps = listed(asked, reading, list, { conditions, from: { exists, entity: place.entity.name } }, form)
    return boundCopies(asked, reading, list, steps)
  }
  const steps = found(asked, reading, conditions, form)
  return ledTo(asked, place, exists, boundCopies(asked, reading, null, steps))
}

/** Whether the record is there, and then the one that it leads to. */
function* ledTo<R>(asked: Asked, { entity }: Place, exists: Select, steps: Steps<R>): Steps<R> {
  const { checker } = asked
  const there = yield statement(asked, `${checker.shape} there`, () => exists, checker.values)
  if (there.length === 0) throw new PlanFault('notFound', faults.notFound(entity.name))
  return yield* steps
}

function* found<R>(
  asked: Asked,
  reading: Reading,
  conditions: (alias: string) => readonly Condition[],
  form: Form<R>,
): Steps<R> {
  const result = yield* form.one(asked, reading, conditions)
  if (result === null) throw new PlanFault('notFound', faults.notFound(reading.place.entity.name))
  return result
}

/** More columns than a query of any database has. */
export const mostColumns = 1500

/** Records as they are on the wire, whatever the database. */
export const asRecords: Form<OperationResult> = {
  one: foundRecord,
  list(asked, reading, ...rest) {
    const { json } = asked.dialect
    if (json === null) return listByLevels(asked, reading, ...rest)
    const isNarrow = reading.fields.length + reading.relations.length <= mostColumns
    return json.listsAsRows && isNarrow ? listedAsRows(asked, reading, ...rest) : listedAtOnce(asked, reading, ...rest)
  },
}

function* foundRecord(
  asked: Asked,
  reading: Reading,
  conditions: (alias: string) => readonly Condition[],
): Generator<BoundStatement, OperationResult | null, SqlRows> {
  const { checker, dialect } = asked
  if (!dialect.json) {
    const record = yield* oneByLevels(asked, reading, conditions)
    return record && { kind: 'record', record }
  }
  const build = () => {
    const builder = new SelectBuilder()
    const alias = builder.alias()
    return selecting({
      columns: builder.columns(reading, alias, true),
      from: { table: reading.place.table.name, alias },
      where: [...conditions(alias), ...tenantCondition(reading.place, alias)],
    })
  }
  const [row] = yield statement(asked, checker.shape, build, checker.values)
  return row ? { kind: 'record', record: recordOf(reading, row, true) } : null
}

function listed<R>(asked: Asked, reading: Reading, list: ListReading, beginning: Beginning, form: Form<R>): Steps<R> {
  const { from } = beginning
  const isWhole = list.filters.length === 0 && list.search === null
  const columns: Expression[] = [
    { kind: 'scalar', select: countOfList(reading, list, beginning) },
    ...(isWhole ? [] : [{ kind: 'scalar', select: countOfList(reading, null, beginning) } as const]),
    ...(from ? [{ kind: 'exists', select: from.exists } as const] : []),
  ]
  const tell = (row: readonly unknown[]) => {
    if (from && countOf(row[isWhole ? 1 : 2]) === 0) throw new PlanFault('notFound', faults.notFound(from.entity))
    return { total: countOf(row[0]), totalNotFiltered: countOf(row[isWhole ? 0 : 1]) }
  }
  return form.list(asked, reading, list, beginning, { columns, tell })
}

/** What a list says beside its records: the columns, and what a row of them tells. Throws where the list begins nowhere. */
export type Totals = {
  readonly columns: readonly Expression[]
  tell(row: readonly unknown[]): { total: number; totalNotFiltered: number }
}

function* listedAtOnce(
  asked: Asked,
  reading: Reading,
  list: ListReading,
  { conditions }: Beginning,
  { columns, tell }: Totals,
): Steps {
  const { checker } = asked
  const build = () => {
    const builder = new SelectBuilder()
    const alias = builder.alias()
    return selecting({
      columns: [...columns, { kind: 'rows', select: builder.list(reading, list, alias, conditions(alias), true) }],
    })
  }
  const [row = []] = yield statement(asked, checker.shape, build, checker.values)
  const totals = tell(row)
  return { kind: 'list', records: recordsOf(reading, row[columns.length]), ...totals }
}

/** The rows say the totals as well; a page without rows asks for them once more. */
function* listedAsRows(
  asked: Asked,
  reading: Reading,
  list: ListReading,
  { conditions }: Beginning,
  { columns, tell }: Totals,
): Steps {
  const { checker } = asked
  const build = () => {
    const builder = new SelectBuilder()
    const alias = builder.alias()
    const select = builder.list(reading, list, alias, conditions(alias), true)
    return { ...select, columns: [...columns, ...select.columns] }
  }
  const rows = yield statement(asked, checker.shape, build, checker.values)
  const [first = []] = rows.length > 0 ? rows : yield totalsOf(asked, columns)
  const totals = tell(first)
  const records = rows.map(row => recordOf(reading, row.slice(columns.length), true))
  return { kind: 'list', records, ...totals }
}

/** How many records the list has without its page, and where none is given without its filters. */
function countOfList({ place }: Reading, list: ListReading | null, { conditions }: Beginning): Select {
  const own = list ? listConditions(place, list, 'c') : []
  return counting(place, 'c', [...conditions('c'), ...own])
}
