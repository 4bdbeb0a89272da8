import type { OperationResult, WireRecord, WireValue } from '@cadmus/model/api/operation'
import { limits } from '@cadmus/model/limits'
import type { Literal } from '@cadmus/model/values/literal'
import { statement, type Asked } from './context.ts'
import type { BoundStatement, SqlRows } from './plan.ts'
import { put, recordOf } from './records.ts'
import { padded, type ListReading, type Reading, type RelatedReading } from './reading.ts'
import type { Beginning, Totals } from './reads.ts'
import { columnOf, parameter, read, SelectBuilder, tenantCondition } from './selects.ts'
import { selecting, type Condition, type Expression, type Select } from './tree.ts'
import { readCompared, wireOf } from './values.ts'

// Where no JSON is built in the database, the records of a relation are read for all records above at once.

type Level<T> = Generator<BoundStatement, T, SqlRows>

/** A record on its way: what it is joined by stands beside it. */
type Joined = { readonly record: Record<string, WireValue>; readonly joins: readonly WireValue[] }

/** One query takes so many values of the level above. */
const mostParents = 1000

export function* oneByLevels(
  asked: Asked,
  reading: Reading,
  conditions: (alias: string) => readonly Condition[],
): Level<WireRecord | null> {
  const build = () => {
    const alias = new SelectBuilder().alias()
    return selecting({
      columns: levelColumns(reading, alias),
      from: { table: reading.place.table.name, alias },
      where: [...conditions(alias), ...tenantCondition(reading.place, alias)],
    })
  }
  const rows = yield statement(asked, asked.checker.shape, build, asked.checker.values)
  const [found] = rows.slice(0, 1).map(row => joined(reading, row, 0))
  if (!found) return null
  yield* addRelated(asked, reading, [found], asked.checker.shape)
  return found.record
}

/** The rows say the totals as well; a page without rows asks for them once more. */
export function* listByLevels(
  asked: Asked,
  reading: Reading,
  list: ListReading,
  { conditions }: Beginning,
  { columns, tell }: Totals,
): Level<OperationResult> {
  const { checker } = asked
  const build = (): Select => {
    const builder = new SelectBuilder()
    const alias = builder.alias()
    const select = builder.list(reading, list, alias, conditions(alias), false)
    return { ...select, columns: [...columns, ...levelColumns(reading, alias)] }
  }
  const rows = yield statement(asked, checker.shape, build, checker.values)
  const [first = []] = rows.length > 0 ? rows : yield totalsOf(asked, columns)
  const totals = tell(first)
  const found = rows.map(row => joined(reading, row, columns.length))
  yield* addRelated(asked, reading, found, checker.shape)
  return { kind: 'list', records: found.map(({ record }) => record), ...totals }
}

/** The totals of a list whose page has no rows. */
export function totalsOf(asked: Asked, columns: readonly Expression[]): BoundStatement {
  const { checker } = asked
  return statement(asked, `${checker.shape} totals`, () => selecting({ columns }), checker.values)
}

/** The fields that are wanted, and what relations are joined by. */
function levelColumns({ fields, relations }: Reading, alias: string): Expression[] {
  return [...fields, ...relations.map(({ field }) => field)].map(field => read(field, alias))
}

function joined(reading: Reading, row: readonly unknown[], start: number): Joined {
  const own = row.slice(start)
  const joins = reading.relations.map(({ field }, index) => wireOf(field.type, own[reading.fields.length + index]))
  return { record: { ...recordOf(reading, own, false) }, joins }
}

function* addRelated(asked: Asked, reading: Reading, above: readonly Joined[], shape: string): Level<void> {
  for (const [index, relation] of reading.relations.entries()) {
    const values = [...new Set(above.map(({ joins }) => joins[index] ?? null))].filter(value => value !== null)
    const found = new Map<string, WireRecord[]>()
    for (let start = 0; start < values.length; start += mostParents) {
      yield* readLevel(asked, relation, values.slice(start, start + mostParents), `${shape} > ${index}`, found)
    }
    for (const { record, joins } of above) {
      const there = found.get(nameOf(joins[index] ?? null)) ?? []
      put(record, relation.name, relation.kind === 'toOne' ? (there[0] ?? null) : there)
    }
  }
}

function* readLevel(
  asked: Asked,
  relation: RelatedReading,
  values: readonly WireValue[],
  shape: string,
  found: Map<string, WireRecord[]>,
): Level<void> {
  const { checker, dialect } = asked
  const { otherField, reading, list } = relation
  const literals = padded(values.map(value => readCompared(otherField, value)))
  const start = checker.values.length
  const slots: readonly (Literal | null)[] = [...checker.values, ...literals]
  const key = `${shape} ${literals.length}`
  const build = () => levelSelect(relation, start, literals.length, dialect.numbersRows)
  const rows = yield statement(asked, key, build, slots)
  const cut = list && !dialect.numbersRows ? pageOf(list, slots) : null
  const below: Joined[] = []
  const groups = new Map<string, Joined[]>()
  for (const row of rows) {
    const name = nameOf(wireOf(otherField.type, row[0]))
    const group = groups.get(name) ?? []
    group.push(joined(reading, row, 1))
    groups.set(name, group)
  }
  for (const [name, group] of groups) {
    const page = cut ? group.slice(cut.offset, cut.offset + cut.limit) : group
    below.push(...page)
    found.set(
      name,
      page.map(({ record }) => record),
    )
  }
  yield* addRelated(asked, reading, below, shape)
}

/** The records whose field is one of the values, with that field before all others. */
function levelSelect(
  { otherField, reading, list }: RelatedReading,
  start: number,
  count: number,
  pages: boolean,
): Select {
  const builder = new SelectBuilder()
  const alias = builder.alias()
  const values = Array.from({ length: count }, (_, index) => parameter(start + index, otherField.column.type))
  const among: Condition = { kind: 'in', place: columnOf(otherField, alias), values }
  const columns = [read(otherField, alias), ...levelColumns(reading, alias)]
  if (!list) {
    return selecting({
      columns,
      from: { table: reading.place.table.name, alias },
      where: [among, ...tenantCondition(reading.place, alias)],
    })
  }
  const select = builder.list(reading, list, alias, [among], false)
  return pages ? { ...select, columns, pageOf: columnOf(otherField, alias) } : { ...select, columns, page: null }
}

/** The page of each group, which this database cannot number. */
function pageOf(
  { limit, offset }: ListReading,
  values: readonly (Literal | null)[],
): { limit: number; offset: number } {
  const numberAt = (slot: number | null, otherwise: number) =>
    slot === null ? otherwise : Number(values[slot]?.value ?? otherwise)
  return { limit: numberAt(limit, limits.rows.mostOfPage), offset: numberAt(offset, 0) }
}

/** A value as what records are told apart by. */
function nameOf(value: WireValue): string {
  return String(value)
}
